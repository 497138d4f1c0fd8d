// The server's door. A seat's secret goes into a header, never into an address.
import type {
  ActionData, ChatLine, Domain, GameInfo, LogLine, MapFile, MatchCreated, MatchInfo, MatchLine, MoveInfo, Odds,
  OfferInfo, OffersAnswer, RuleInfo, Table, Value, WhyNot,
} from './types';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly rule?: string,
    readonly number?: number,
  ) {
    super(message);
  }
}

export interface Call {
  seat?: string | null;
  method?: 'GET' | 'POST';
  body?: unknown;
  query?: Record<string, string | number | null | undefined>;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export async function call<T>(path: string, options: Call = {}): Promise<T> {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(options.query ?? {})) {
    if (value !== null && value !== undefined && value !== '') query.set(key, String(value));
  }
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (options.seat) headers.Authorization = `Bearer ${options.seat}`;
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  const text = query.toString();
  let answer: Response;
  try {
    answer = await fetch(`/api${path}${text ? `?${text}` : ''}`, {
      method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
      headers,
      body: options.body === undefined ? undefined : JSON.stringify(options.body),
      signal: options.signal,
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw new ApiError(0, 'unreachable', 'unreachable');
  }
  const data: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const body = data as { error?: { code?: string; message?: string; rule?: string }; number?: number } | null;
    const told = body?.error;
    throw new ApiError(
      answer.status, told?.code ?? 'error', told?.message ?? answer.statusText, told?.rule ?? undefined, body?.number,
    );
  }
  return data as T;
}

/** One match, seen from one seat or from none. */
export class MatchApi {
  constructor(
    readonly match: string,
    readonly seat: string | null,
    public lang: string,
  ) {}

  private go<T>(path: string, options: Call = {}): Promise<T> {
    const query = { lang: this.lang, ...options.query };
    return call<T>(`/matches/${encodeURIComponent(this.match)}${path}`, { ...options, seat: this.seat, query });
  }

  info = (): Promise<MatchInfo> => this.go('');
  table = (role?: string | null, at?: number | null): Promise<Table> => this.go('/table', { query: { role, at } });
  offers = (role: string): Promise<OffersAnswer> => this.go('/offers', { query: { role } });
  next = (role: string, index: number, prefix: Value[], so_far?: Value[]): Promise<OfferInfo | Domain> =>
    this.go('/offers/next', { body: so_far ? { role, index, prefix, so_far } : { role, index, prefix } });
  act = (role: string, action: ActionData, answers: number): Promise<{ number: number; events: LogLine[] }> =>
    this.go('/act', { body: { role, action, answers, id: newId() } });
  whyNot = (role: string, action: ActionData): Promise<WhyNot> => this.go('/why-not', { body: { role, action } });
  odds = (role: string, action: ActionData): Promise<Odds | null> => this.go('/odds', { body: { role, action } });
  undo = (role: string, answers: number): Promise<unknown> =>
    this.go('/undo', { body: { role, answers, id: newId() } });
  resign = (role: string, answers: number): Promise<unknown> =>
    this.go('/resign', { body: { role, answers, id: newId() } });
  draw = (role: string, answers: number, agree: boolean): Promise<unknown> =>
    this.go('/draw', { body: { role, answers, id: newId(), agree } });
  orders = (role: string, answers: number, ask: string[], quiet_until = ''): Promise<unknown> =>
    this.go('/orders', { body: { role, answers, id: newId(), ask, quiet_until } });
  chat = (text: string): Promise<unknown> => this.go('/chat', { body: { text } });
  log = (since = 0): Promise<LogLine[]> => this.go('/log', { query: { since } });
  talk = (since = 0): Promise<ChatLine[]> => this.go('/chat', { query: { since } });
  moves = (): Promise<MoveInfo[]> => this.go('/moves');
  branch = (at: number, seats: unknown[]): Promise<MatchCreated> => this.go('/branch', { body: { at, seats } });
}

export const games = (lang: string): Promise<GameInfo[]> => call('/games', { query: { lang } });
export const rulesOf = (game: string, lang: string): Promise<RuleInfo[]> =>
  call(`/games/${encodeURIComponent(game)}/rules`, { query: { lang } });
/** A game's map. It is kept zipped, and some ways to the browser zip it twice. */
export async function mapOf(game: string): Promise<MapFile> {
  const answer = await fetch(`/api/games/${encodeURIComponent(game)}/map`).catch(() => null);
  if (!answer) throw new ApiError(0, 'unreachable', 'unreachable');
  if (!answer.ok) throw new ApiError(answer.status, 'map', answer.statusText);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return JSON.parse(new TextDecoder().decode(bytes)) as MapFile;
  const open = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(open).json()) as MapFile;
}
export const createMatch = (body: unknown): Promise<MatchCreated> => call('/matches', { body });
export const matches = (seats: string[], lang: string): Promise<MatchLine[]> =>
  call('/matches', { query: { lang }, headers: seats.length ? { 'X-Seats': seats.join(',') } : {} });
export async function importMatch(file: Blob): Promise<MatchCreated> {
  return call('/matches/import', { body: { file: await file.text() } });
}

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export interface LiveMessage {
  type: string;
  number?: number;
  asked?: string[];
  events?: LogLine[];
  [more: string]: unknown;
}

/** The live line of a match. Comes back by itself; tells when it is down. */
export class Live {
  private socket: WebSocket | null = null;
  private closed = false;
  private wait = 500;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly match: string,
    private readonly seat: string | null,
    private readonly lang: string,
    private readonly heard: (message: LiveMessage) => void,
    private readonly state: (up: boolean) => void,
  ) {
    this.open();
  }

  private open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/matches/${encodeURIComponent(this.match)}/live`);
    this.socket = socket;
    socket.addEventListener('open', () => {
      socket.send(JSON.stringify({ seat: this.seat, lang: this.lang }));
      this.wait = 500;
      this.state(true);
    });
    socket.addEventListener('message', (event) => {
      try {
        this.heard(JSON.parse(String(event.data)) as LiveMessage);
      } catch (error) {
        console.warn('a message of the live line could not be read', error);
      }
    });
    socket.addEventListener('close', () => {
      if (this.closed) return;
      this.state(false);
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, 15_000);
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
  }
}
