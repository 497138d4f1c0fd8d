// What carries the client's words to a host: a server (server.ts), or a Worker of this page (../page/inpage.ts).
import type { CreateMatch, GameInfo, LessonInfo, MapFile, MatchCreated, MatchLine } from './types';

export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly rule?: string,
    /** To which of several units the rules said no. */
    readonly unit?: string,
  ) {
    super(message);
  }
}

/** What a line needs of a WebSocket. */
export type Wire = Pick<WebSocket, 'send' | 'close' | 'readyState' | 'OPEN' | 'addEventListener'>;

export interface Carrier {
  games(lang: string): Promise<GameInfo[]>;
  /** A game's map, or null where it has none. */
  mapOf(game: string): Promise<MapFile | null>;
  matches(seats: string[], lang: string): Promise<MatchLine[]>;
  createMatch(body: CreateMatch): Promise<MatchCreated>;
  lessonsOf(game: string, lang: string): Promise<LessonInfo[]>;
  beginLesson(game: string, lesson: string): Promise<MatchCreated>;
  importMatch(file: string): Promise<MatchCreated>;
  /** The text of a match file, with a story in it if one is named. */
  fileOf(match: string, seat: string | null, story?: number): Promise<string>;
  dial(match: string): Wire;
}

/** The JSON of a file that may be zipped. Some ways to the browser unzip it, some do not. */
export async function readJson<T>(answer: Response): Promise<T> {
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return JSON.parse(new TextDecoder().decode(bytes)) as T;
  const open = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'));
  return (await new Response(open).json()) as T;
}
