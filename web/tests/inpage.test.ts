import { beforeEach, expect, test, vi } from 'vitest';

class FakeWorker extends EventTarget {
  static made: FakeWorker[] = [];
  sent: unknown[] = [];
  ended = false;
  constructor() {
    super();
    FakeWorker.made.push(this);
  }
  postMessage(message: unknown): void {
    this.sent.push(message);
  }
  terminate(): void {
    this.ended = true;
  }
  tell(data: unknown): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data }));
  }
  /** What the tab has asked of the desk. */
  asked(): Record<string, unknown>[] {
    return this.sent.filter((one) => Array.isArray(one) && one[0] === 0).map((one) => JSON.parse((one as [number, string])[1]) as Record<string, unknown>);
  }
}
vi.mock('../src/page/engine.worker?worker', () => ({ default: FakeWorker }));
const { InPage } = await import('../src/page/inpage');

const FILES = {
  python: { loader: 'e/l', module: 'e/m', wasm: 'e/w', library: 'e/p' },
  archives: ['e/a'], games: { g: { archive: 'e/g', rules: 'e/r', map: null, pins: { 2: 'e/p2' } } }, lobby: { en: 'e/en' }, env: {}, weight: 100,
};
const last = (): FakeWorker => FakeWorker.made.at(-1) as FakeWorker;

beforeEach(() => {
  FakeWorker.made = [];
  vi.stubGlobal('document', { baseURI: 'https://example.org/some/where/' });
  vi.stubGlobal('CloseEvent', class extends Event {
    code: number;
    constructor(type: string, { code }: { code: number }) {
      super(type);
      this.code = code;
    }
  });
});

test('the Worker is given whole addresses', () => {
  new InPage(FILES).start();
  const { files } = last().sent[0] as { files: typeof FILES };
  expect(files.python.wasm).toBe('https://example.org/some/where/e/w');
  expect(files.games.g).toEqual({ archive: 'https://example.org/some/where/e/g', rules: 'https://example.org/some/where/e/r', map: null, pins: { 2: 'https://example.org/some/where/e/p2' } });
});

test('an answer finds its question, and an error says why', async () => {
  const page = new InPage(FILES);
  const made = page.fileOf('m', null);
  const refused = page.fileOf('n', null);
  const [one, two] = last().asked();
  last().tell([0, JSON.stringify({ type: 'error', id: two?.['id'], status: 404, error: { code: 'not-found', message: 'no', rule: null } })]);
  last().tell([0, JSON.stringify({ type: 'value', id: one?.['id'], value: 'text' })]);
  expect(await made).toBe('text');
  await expect(refused).rejects.toMatchObject({ status: 404, message: 'no' });
});

test('a line carries words both ways and is closed with the code of the desk', async () => {
  const page = new InPage(FILES);
  const wire = page.dial('m');
  const heard: string[] = [];
  let code = 0;
  wire.addEventListener('message', (event) => heard.push(String(event.data)));
  wire.addEventListener('close', (event) => (code = event.code));
  await new Promise<void>((resolve) => wire.addEventListener('open', () => resolve()));
  wire.send('hello');
  const line = last().asked()[0]?.['line'] as number;
  expect(last().sent.at(-1)).toEqual([line, 'hello']);
  last().tell([line, 'state']);
  expect(heard).toEqual(['state']);
  last().tell([0, JSON.stringify({ type: 'closed', line, code: 4404, reason: 'none' })]);
  expect([code, wire.readyState]).toEqual([4404, 3]);
});

test('an engine that dies fails what was asked, breaks its lines, and is started again', async () => {
  const page = new InPage(FILES);
  const told: string[] = [];
  page.onprogress = ({ failed }) => told.push(failed);
  const asked = page.save();
  const wire = page.dial('m');
  let code = 0;
  wire.addEventListener('close', (event) => (code = event.code));
  const first = last();
  first.tell({ failed: 'out of memory' });
  await expect(asked).rejects.toMatchObject({ message: 'out of memory' });
  expect([code, first.ended, told.at(-1)]).toEqual([1006, true, 'out of memory']);
  page.dial('m');
  expect(FakeWorker.made.length).toBe(2);
});
