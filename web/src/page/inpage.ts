// A host in this page: the desk of a Worker (page/desk.py), spoken to as a server is.
import { ApiError, readJson, type Carrier, type Wire } from '../lib/carrier';
import type { CreateMatch, ErrorMessage, GameInfo, LessonInfo, MapFile, MatchCreated, MatchLine } from '../lib/types';
import type { FromEngine } from './engine.worker';
import EngineWorker from './engine.worker?worker';
import type { PageFiles } from './files';

type FromDesk = { type: 'value'; id: string; value: unknown } | { type: 'closed'; line: number; code: number; reason: string } | ErrorMessage;

/** How far the engine is. */
export interface Progress {
  /** From 0 to 1. */
  part: number;
  ready: boolean;
  /** Whether matches outlive this tab; null while that is not known. */
  kept: boolean | null;
  failed: string;
}

/** A line's end of the talk with the Worker: what a line needs of a WebSocket. */
class DeskLine extends EventTarget implements Wire {
  readonly OPEN = 1;
  readyState = 0;

  constructor(
    private readonly number: number,
    private readonly desk: InPage,
  ) {
    super();
    queueMicrotask(() => {
      this.readyState = 1;
      this.dispatchEvent(new Event('open'));
    });
  }
  send(words: string): void {
    this.desk.post(this.number, words);
  }
  close(): void {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.desk.forget(this.number);
  }
  hear(words: string): void {
    this.dispatchEvent(new MessageEvent('message', { data: words }));
  }
  end(code: number, reason: string): void {
    this.readyState = 3;
    this.dispatchEvent(new CloseEvent('close', { code, reason }));
  }
}

export class InPage implements Carrier {
  private worker: Worker | null = null;
  private count = 0;
  private readonly lines = new Map<number, DeskLine>();
  private readonly open = new Map<string, { resolve: (value: unknown) => void; reject: (error: ApiError) => void }>();
  private readonly files: PageFiles;
  private progress: Progress = { part: 0, ready: false, kept: null, failed: '' };
  private bytes = 0;
  /** Told of every change of the progress. */
  onprogress: (progress: Progress) => void = () => undefined;

  constructor(files: PageFiles) {
    this.files = withWholeAddresses(files, document.baseURI);
  }

  // ---- what needs no engine
  games = (lang: string): Promise<GameInfo[]> => this.fetch(this.files.lobby[lang] ?? (this.files.lobby['en'] as string));
  async mapOf(game: string): Promise<MapFile | null> {
    const map = this.files.games[game]?.map;
    return map ? this.fetch<MapFile>(map) : null;
  }
  private async fetch<T>(address: string | undefined): Promise<T> {
    const answer = await fetch(address ?? '').catch(() => null);
    if (!answer?.ok) throw new ApiError(answer?.status ?? 0, 'unreachable', 'unreachable');
    return readJson<T>(answer);
  }

  // ---- what the desk is asked
  matches = (seats: string[], lang: string): Promise<MatchLine[]> => this.ask({ type: 'matches', seats, lang });
  createMatch = (wish: CreateMatch): Promise<MatchCreated> => this.ask({ type: 'create', wish });
  lessonsOf = (game: string, lang: string): Promise<LessonInfo[]> => this.ask({ type: 'lessons', game, lang });
  beginLesson = (game: string, lesson: string): Promise<MatchCreated> => this.ask({ type: 'lesson', wish: { game, lesson } });
  importMatch = (file: string): Promise<MatchCreated> => this.ask({ type: 'import', file });
  fileOf = (match: string, seat: string | null, story?: number): Promise<string> => this.ask({ type: 'file', match, seat, ...(story ? { story } : {}) });
  /** Everything that this browser keeps, as one file. */
  save = (): Promise<string> => this.ask({ type: 'save' });
  restore = (file: string): Promise<number> => this.ask({ type: 'restore', file });
  remove = (match: string): Promise<void> => this.ask({ type: 'remove', match });

  private ask<T>(wish: { type: string } & Record<string, unknown>): Promise<T> {
    const id = String(++this.count);
    return new Promise<T>((resolve, reject) => {
      this.open.set(id, { resolve: (value) => resolve(value as T), reject });
      this.post(0, JSON.stringify({ ...wish, id }));
    });
  }

  // ---- lines
  dial(match: string): Wire {
    const number = ++this.count;
    const line = new DeskLine(number, this);
    this.lines.set(number, line);
    this.post(0, JSON.stringify({ type: 'open', line: number, match }));
    return line;
  }
  forget(number: number): void {
    if (this.lines.delete(number)) this.post(0, JSON.stringify({ type: 'close', line: number }));
  }

  // ---- the Worker
  /** Start the engine, if it is not running. */
  start(): Worker {
    if (this.worker) return this.worker;
    const worker = new EngineWorker();
    this.worker = worker;
    this.bytes = 0;
    this.change({ part: 0, ready: false, failed: '' });
    worker.addEventListener('message', (event: MessageEvent<FromEngine>) => this.hear(event.data));
    worker.addEventListener('error', (event) => this.died(event.message || 'the Worker could not be loaded'));
    worker.postMessage({ as: 'host', files: this.files });
    return worker;
  }

  post(line: number, words: string): void {
    this.start().postMessage([line, words]);
  }

  private hear(message: FromEngine): void {
    if (Array.isArray(message)) {
      const [line, words] = message;
      if (line) this.lines.get(line)?.hear(words);
      else this.hearDesk(JSON.parse(words) as FromDesk);
    } else if ('bytes' in message) {
      this.bytes += message.bytes;
      if (!this.progress.ready) this.change({ part: Math.min(1, this.bytes / this.files.weight) });
    } else if ('ready' in message) this.change({ part: 1, ready: true, kept: message.ready });
    else this.died(message.failed);
  }

  private hearDesk(message: FromDesk): void {
    if (message.type === 'closed') {
      const line = this.lines.get(message.line);
      this.lines.delete(message.line);
      line?.end(message.code, message.reason);
      return;
    }
    const found = this.open.get(message.id);
    this.open.delete(message.id);
    if (message.type === 'value') found?.resolve(message.value);
    else found?.reject(new ApiError(message.status, message.error.code, message.error.message, message.error.rule ?? undefined));
  }

  /** The engine is gone. What was asked fails; lines come back by themselves and start another. */
  private died(why: string): void {
    this.worker?.terminate();
    this.worker = null;
    this.change({ ready: false, failed: why });
    for (const one of this.open.values()) one.reject(new ApiError(0, 'page', why));
    this.open.clear();
    const lines = [...this.lines.values()];
    this.lines.clear();
    for (const line of lines) line.end(1006, why);
  }

  private change(part: Partial<Progress>): void {
    this.progress = { ...this.progress, ...part };
    this.onprogress(this.progress);
  }
}

/** The files with addresses that a Worker finds, wherever its own script lies. */
function withWholeAddresses(files: PageFiles, base: string): PageFiles {
  const whole = (address: string): string => new URL(address, base).href;
  const all = <T extends object>(record: T): T =>
    Object.fromEntries(Object.entries(record).map(([key, value]) => [key, typeof value === 'string' ? whole(value) : value])) as T;
  return {
    ...files,
    python: all(files.python),
    archives: files.archives.map(whole),
    games: Object.fromEntries(Object.entries(files.games).map(([id, game]) => [id, { ...all(game), pins: all(game.pins) }])),
    lobby: all(files.lobby),
  };
}
