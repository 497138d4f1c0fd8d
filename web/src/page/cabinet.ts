// What a page keeps: one sorted store of texts in IndexedDB. The words it takes are those of page/cabinet.py.
type Key = (string | number)[];
interface Read {
  do: 'read';
  low: Key;
  high: Key;
  last: number | null;
}
interface Put {
  key: Key;
  value?: string;
  new?: boolean;
  was?: string;
}
interface Write {
  do: 'write';
  puts: Put[];
  tell: { match: string; chat: boolean } | null;
}
interface Lease {
  do: 'lease';
  match: string;
  held: boolean;
}
interface Found {
  records?: [Key, string][];
  trouble?: 'conflict' | 'full' | 'held' | 'broken';
  why?: string;
}

const NAME = 'sandtable';
const STORE = 'kept';
const LAST = '\uffff';
const CHANNEL = 'sandtable';

function opened(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('no storage'));
    request.onblocked = () => reject(new Error('the storage is being changed by another tab'));
  });
}

export class Cabinet {
  private readonly channel = new BroadcastChannel(CHANNEL);
  private readonly leases = new Map<string, () => void>();

  /** Open the browser's storage; null where it is refused, as in some private windows. */
  static async open(changed: (match: string, chat: boolean) => void): Promise<Cabinet | null> {
    try {
      return new Cabinet(await opened(), changed);
    } catch {
      return null;
    }
  }

  private constructor(
    private db: IDBDatabase | null,
    changed: (match: string, chat: boolean) => void,
  ) {
    this.watch();
    this.channel.addEventListener('message', (event: MessageEvent<Write['tell']>) => {
      if (event.data) changed(event.data.match, event.data.chat);
    });
  }

  /** Take a wish as JSON and return what was found as JSON. */
  async keep(words: string): Promise<string> {
    const wish = JSON.parse(words) as Read | Write | Lease;
    try {
      if (wish.do === 'lease') return JSON.stringify(await this.lease(wish));
      this.db ??= await opened();
      this.watch();
      return JSON.stringify(wish.do === 'read' ? await read(this.db, wish) : await this.write(this.db, wish));
    } catch (error) {
      this.db = null; // the browser may have closed it; the next wish opens it again
      return JSON.stringify({ trouble: 'broken', why: String(error) } satisfies Found);
    }
  }

  private watch(): void {
    const db = this.db;
    if (!db) return;
    db.onversionchange = () => db.close();
    db.onclose = () => (this.db = null);
  }

  private async write(db: IDBDatabase, wish: Write): Promise<Found> {
    const found = await written(db, wish.puts);
    if (!found.trouble && wish.tell) this.channel.postMessage(wish.tell);
    return found;
  }

  /** The right to think about a match is a lock of the browser's, which ends with this tab, however that ends. */
  private async lease({ match, held }: Lease): Promise<Found> {
    if (!held) {
      this.leases.get(match)?.();
      this.leases.delete(match);
      return {};
    }
    if (this.leases.has(match)) return {};
    return new Promise((resolve, reject) => {
      void navigator.locks
        .request(`sandtable-thinks-${match}`, { ifAvailable: true }, (lock) => {
          if (!lock) {
            resolve({ trouble: 'held' });
            return undefined;
          }
          return new Promise<void>((release) => {
            this.leases.set(match, release);
            resolve({});
          });
        })
        .catch(reject);
    });
  }
}

function read(db: IDBDatabase, { low, high, last }: Read): Promise<Found> {
  return new Promise((resolve, reject) => {
    const transaction = db.transaction(STORE, 'readonly');
    const store = transaction.objectStore(STORE);
    const range = IDBKeyRange.bound(low, high);
    const records: [Key, string][] = [];
    transaction.onabort = () => reject(transaction.error ?? new Error('the storage gave up'));
    if (last === null) {
      const keys = store.getAllKeys(range);
      const values = store.getAll(range);
      transaction.oncomplete = () =>
        resolve({ records: keys.result.map((key, place) => [key as Key, values.result[place] as string]) });
      return;
    }
    transaction.oncomplete = () => resolve({ records: records.reverse() });
    const cursor = store.openCursor(range, 'prev');
    cursor.onsuccess = () => {
      const at = cursor.result;
      if (!at || records.length >= last) return;
      records.push([at.key as Key, at.value as string]);
      at.continue();
    };
  });
}

function written(db: IDBDatabase, puts: Put[]): Promise<Found> {
  return new Promise((resolve) => {
    // strict: what is acknowledged is on the disk, not on its way there
    const transaction = db.transaction(STORE, 'readwrite', { durability: 'strict' });
    const store = transaction.objectStore(STORE);
    transaction.oncomplete = () => resolve({});
    let isLate = false;
    transaction.onabort = () => {
      const name = transaction.error?.name;
      if (isLate || name === 'ConstraintError') resolve({ trouble: 'conflict' });
      else if (name === 'QuotaExceededError') resolve({ trouble: 'full' });
      else resolve({ trouble: 'broken', why: String(transaction.error) });
    };
    for (const { key, value, new: isNew, was } of puts) {
      if (was !== undefined) {
        const there = store.get(key);
        there.onsuccess = () => {
          isLate ||= there.result !== was;
          if (isLate && transaction.error === null) transaction.abort();
        };
      }
      if (value === undefined) store.delete(IDBKeyRange.bound(key, [...key, LAST]));
      else if (isNew) store.add(value, key);
      else store.put(value, key);
    }
  });
}
