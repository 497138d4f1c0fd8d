// Python in a Worker: the page's host, or the place where its computer players think.
import { Cabinet } from './cabinet';
import type { PageFiles } from './files';

interface Start {
  /** 'host' is the first Worker; it starts the one that thinks. */
  as: 'host' | 'thinker';
  /** With whole addresses. */
  files: PageFiles;
}
/** To the tab: a message of the desk or of a line, or how far the start has come. */
export type FromEngine = [number, string] | { bytes: number } | { ready: boolean } | { failed: string };
/** To and from the Worker that thinks. */
type Thinking = [number, string];

/** What is used of Pyodide. */
interface Pyodide {
  unpackArchive(bytes: ArrayBuffer, format: string, options: { extractDir: string }): void;
  pyimport(name: string): Record<string, (...words: unknown[]) => unknown>;
}
interface Desk {
  hear(line: number, words: string): void;
  hear_elsewhere(match: string, chat: boolean): void;
}

const post = (message: FromEngine | Thinking): void => (self as unknown as Worker).postMessage(message);
const PACKAGES = '/lib/python3.14/site-packages';

/** A file of the site, counted as it comes. */
async function bytesOf(address: string): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(address);
  if (!answer.ok || !answer.body) throw new Error(`${address}: ${answer.status}`);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const reader = answer.body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    parts.push(part.value);
    post({ bytes: part.value.length });
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}

/** A zipped file, unzipped, unless the server has done it on the way. */
async function unzipped(address: string, type: string): Promise<Response> {
  const bytes = await bytesOf(address);
  const isZipped = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const stream = isZipped ? new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip')) : bytes;
  return new Response(stream, { headers: { 'Content-Type': type } });
}

async function start({ files }: Start): Promise<{ python: Pyodide; load: (game: string) => Promise<void> }> {
  const { python: parts, archives, games, env } = files;
  const wasm = unzipped(parts.wasm, 'application/wasm');
  const library = bytesOf(parts.library);
  const packed = archives.map(bytesOf);
  const module = unzipped(parts.module, 'text/javascript').then(async (answer) => {
    const address = URL.createObjectURL(await answer.blob());
    return ((await import(/* @vite-ignore */ address)) as { default: unknown }).default;
  });
  const { loadPyodide } = (await import(/* @vite-ignore */ parts.loader)) as { loadPyodide: (how: object) => Promise<Pyodide> };
  // Pyodide asks for its two large files by names of its own; they are on their way already.
  const asked = self.fetch;
  self.fetch = async (what, how) => {
    const name = String(what instanceof Request ? what.url : what);
    if (name.endsWith('/pyodide.asm.wasm')) return wasm;
    if (name.endsWith('/python_stdlib.zip')) return new Response(await library);
    return asked(what, how);
  };
  const python = await loadPyodide({
    indexURL: new URL('./', parts.loader).href,
    packageBaseUrl: new URL('./', parts.loader).href,
    lockFileContents: { info: { abi_version: '2026_0', arch: 'wasm32', platform: 'emscripten', python: '3.14', version: '0' }, packages: {} },
    createPyodideModule: await module,
    env,
    stderr: (line: string) => console.error(line),
  });
  self.fetch = asked;
  for (const archive of packed) python.unpackArchive((await archive).buffer, 'zip', { extractDir: PACKAGES });
  const loaded = new Set<string>();
  const load = async (name: string): Promise<void> => {
    const [game = '', rules] = name.split('@');
    const found = rules ? games[game]?.pins[rules] : games[game]?.archive;
    if (!found || loaded.has(name)) return; // Python says what is missing
    python.unpackArchive((await bytesOf(found)).buffer, 'zip', { extractDir: PACKAGES });
    loaded.add(name);
  };
  return { python, load };
}

/** Milliseconds after which the Worker that thinks is started, asked or not: the table comes first. */
const AHEAD = 3000;

/** The Worker that thinks, started when it is first asked or soon after the table. If it dies, another takes its place. */
class Thinker {
  private worker: Worker | null = null;
  private tickets = 0;
  private readonly open = new Map<number, { question: string; resolve: (thought: string) => void }>();

  constructor(private readonly files: PageFiles) {
    setTimeout(() => this.started(), AHEAD);
  }

  ask = (question: string): Promise<string> =>
    new Promise((resolve) => {
      const ticket = ++this.tickets;
      this.open.set(ticket, { question, resolve });
      this.started().postMessage([ticket, question]);
    });

  private started(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(self.location.href, { type: 'module' });
    this.worker = worker;
    worker.postMessage({ as: 'thinker', files: this.files } satisfies Start);
    worker.addEventListener('message', (event: MessageEvent<FromEngine>) => {
      if (!Array.isArray(event.data)) {
        if ('failed' in event.data) this.again(worker, event.data.failed);
        return;
      }
      const [ticket, thought] = event.data;
      this.open.get(ticket)?.resolve(thought);
      this.open.delete(ticket);
    });
    worker.addEventListener('error', (event) => this.again(worker, event.message));
    return worker;
  }

  private again(dead: Worker, why: string): void {
    console.warn('the Worker that thinks has died, another takes its place:', why);
    dead.terminate();
    if (this.worker !== dead) return;
    this.worker = null;
    setTimeout(() => {
      for (const [ticket, { question }] of this.open) this.started().postMessage([ticket, question]);
    }, 1000);
  }
}

/** Messages that came before Python was there. */
const early: [number, string][] = [];
let hear = (line: number, words: string): void => void early.push([line, words]);

async function host(begin: Start): Promise<void> {
  let desk: Desk | null = null;
  const [{ python, load }, cabinet] = await Promise.all([
    start(begin), Cabinet.open((match, chat) => desk?.hear_elsewhere(match, chat)),
  ]);
  const thinker = new Thinker(begin.files);
  const keep = cabinet ? (words: string): Promise<string> => cabinet.keep(words) : undefined;
  const open = python.pyimport('sandtable.page.desk')['open_desk'] as (...words: unknown[]) => Desk;
  const made = open(keep, thinker.ask, load, (line: number, words: string) => post([line, words]));
  desk = made;
  hear = (line, words) => made.hear(line, words);
  post({ ready: cabinet !== null });
  for (const [line, words] of early.splice(0)) hear(line, words);
}

async function thinker(begin: Start): Promise<void> {
  const { python, load } = await start(begin);
  const answer = python.pyimport('sandtable.page.desk')['answer'] as (question: string, load: unknown) => Promise<string>;
  let last = Promise.resolve();
  hear = (ticket, question) => {
    last = last.then(async () => post([ticket, await answer(question, load)])).catch(failed);
  };
  for (const [ticket, question] of early.splice(0)) hear(ticket, question);
}

function failed(error: unknown): void {
  post({ failed: error instanceof Error ? error.message : String(error) });
}

self.addEventListener('message', (event: MessageEvent<Start | [number, string]>) => {
  const message = event.data;
  if (Array.isArray(message)) hear(...message);
  else if (message.as === 'host') host(message).catch(failed);
  else thinker(message).catch(failed);
});
