// A host on a server: HTTP for the lobby, a WebSocket for each line.
import { root } from './root';
import { ApiError, readJson, type Carrier, type Wire } from './carrier';
import type { ChangeSeat, CreateMatch, ErrorAnswer, Invitation, SeatGiven, TakeSeat, GameInfo, LessonInfo, MapFile, MatchCreated, MatchLine } from './types';

/** The key of the person at this browser; '' if the server knows nobody. */
export const keyOfPerson = { now: '' };

interface Call {
  body?: unknown;
  query?: Record<string, string>;
  headers?: Record<string, string>;
}

async function fetched(path: string, { body, query = {}, headers = {} }: Call = {}): Promise<Response> {
  const text = new URLSearchParams(query).toString();
  const answer = await fetch(`${root}/api${path}${text ? `?${text}` : ''}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Accept: 'application/json', ...(keyOfPerson.now ? { 'X-Person': keyOfPerson.now } : {}), ...(body === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
    body: body === undefined ? undefined : JSON.stringify(body),
  }).catch(() => null);
  if (!answer) throw new ApiError(0, 'unreachable', 'unreachable');
  if (!answer.ok) {
    const told = ((await answer.json().catch(() => null)) as ErrorAnswer | null)?.error;
    throw new ApiError(answer.status, told?.code ?? 'error', told?.message ?? answer.statusText, told?.rule ?? undefined);
  }
  return answer;
}

export async function call<T>(path: string, how?: Call): Promise<T> {
  const text = await (await fetched(path, how)).text();
  return (text ? JSON.parse(text) : null) as T;
}

export class Server implements Carrier {
  games = (lang: string): Promise<GameInfo[]> => call('/games', { query: { lang } });
  async mapOf(game: string): Promise<MapFile | null> {
    try {
      return await readJson<MapFile>(await fetched(`/games/${encodeURIComponent(game)}/map`));
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }
  matches = (seats: string[], lang: string): Promise<MatchLine[]> =>
    call('/matches', { query: { lang }, headers: seats.length ? { 'X-Seats': seats.join(',') } : {} });
  createMatch = (body: CreateMatch): Promise<MatchCreated> => call('/matches', { body });
  lessonsOf = (game: string, lang: string): Promise<LessonInfo[]> =>
    call(`/games/${encodeURIComponent(game)}/lessons`, { query: { lang } });
  beginLesson = (game: string, lesson: string): Promise<MatchCreated> => call('/matches/lesson', { body: { game, lesson } });
  importMatch = (file: string): Promise<MatchCreated> => call('/matches/import', { body: { file } });
  async fileOf(match: string, seat: string | null, story?: number): Promise<string> {
    const headers: Record<string, string> = seat ? { Authorization: `Bearer ${seat}` } : {};
    return (await fetched(`/matches/${encodeURIComponent(match)}/file`, { headers, query: story ? { story: String(story) } : {} })).text();
  }
  invitation = (match: string, seat: string, lang: string): Promise<Invitation> =>
    call(`/matches/${encodeURIComponent(match)}/invitation`, { query: { lang }, headers: { Authorization: `Bearer ${seat}` } });
  changeSeat = (match: string, seat: string | null, wish: ChangeSeat): Promise<SeatGiven> =>
    call(`/matches/${encodeURIComponent(match)}/seat`, { body: wish, headers: seat ? { Authorization: `Bearer ${seat}` } : {} });
  takeSeat = (match: string, wish: TakeSeat): Promise<SeatGiven> => call(`/matches/${encodeURIComponent(match)}/take`, { body: wish });
  async removeMatch(match: string, seat: string | null): Promise<void> {
    await fetched(`/matches/${encodeURIComponent(match)}/delete`, { body: {}, headers: seat ? { Authorization: `Bearer ${seat}` } : {} });
  }
  dial(match: string): Wire {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    return new WebSocket(`${scheme}://${location.host}${root}/api/matches/${encodeURIComponent(match)}/live`);
  }
}
