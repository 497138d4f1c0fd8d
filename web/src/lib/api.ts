// What the lobby asks of the server. A match itself is played over its line (line.ts).
import type { CreateMatch, ErrorAnswer, GameInfo, MapFile, MatchCreated, MatchLine, RuleInfo } from './types';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly rule?: string,
  ) {
    super(message);
  }
}

interface Call {
  body?: unknown;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

async function call<T>(path: string, { body, query = {}, headers = {} }: Call = {}): Promise<T> {
  const text = new URLSearchParams(query).toString();
  const answer = await fetch(`/api${path}${text ? `?${text}` : ''}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => null);
  if (!answer) throw new ApiError(0, 'unreachable', 'unreachable');
  const data: unknown = await answer.json().catch(() => null);
  if (!answer.ok) {
    const told = (data as ErrorAnswer | null)?.error;
    throw new ApiError(answer.status, told?.code ?? 'error', told?.message ?? answer.statusText, told?.rule ?? undefined);
  }
  return data as T;
}

export const games = (lang: string): Promise<GameInfo[]> => call('/games', { query: { lang } });
export const rulesOf = (game: string): Promise<RuleInfo[]> => call(`/games/${encodeURIComponent(game)}/rules`);
/** A game's map, or null where it has none. It is kept zipped, and some ways to the browser zip it twice. */
export async function mapOf(game: string): Promise<MapFile | null> {
  const answer = await fetch(`/api/games/${encodeURIComponent(game)}/map`).catch(() => null);
  if (!answer) throw new ApiError(0, 'unreachable', 'unreachable');
  if (answer.status === 404) return null;
  if (!answer.ok) throw new ApiError(answer.status, 'map', answer.statusText);
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return JSON.parse(new TextDecoder().decode(bytes)) as MapFile;
  const open = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(open).json()) as MapFile;
}
export const createMatch = (body: CreateMatch): Promise<MatchCreated> => call('/matches', { body });
export const matches = (seats: string[], lang: string): Promise<MatchLine[]> =>
  call('/matches', { query: { lang }, headers: seats.length ? { 'X-Seats': seats.join(',') } : {} });
export async function importMatch(file: Blob): Promise<MatchCreated> {
  return call('/matches/import', { body: { file: await file.text() } });
}
