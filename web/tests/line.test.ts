import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '../src/lib/api';
import { Line } from '../src/lib/line';
import type { State } from '../src/lib/types';

class Socket extends EventTarget {
  readonly OPEN = 1;
  readyState = 0;
  sent: Record<string, unknown>[] = [];
  send(words: string): void {
    this.sent.push(JSON.parse(words) as Record<string, unknown>);
  }
  close(): void {
    this.readyState = 3;
  }
  /** The host answers the phone. */
  open(): void {
    this.readyState = 1;
    this.dispatchEvent(new Event('open'));
  }
  tell(message: object): void {
    this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(message) }));
  }
  break(code = 1006, reason = ''): void {
    this.readyState = 3;
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }));
  }
}

const state = (number: number, more: object = {}): object => ({ type: 'state', info: { number }, id: null, acted: null, ...more });
let sockets: Socket[];
const dial = (): WebSocket => {
  const made = new Socket();
  sockets.push(made);
  return made as unknown as WebSocket;
};
const last = (): Socket => sockets.at(-1) as Socket;

beforeEach(() => {
  sockets = [];
  vi.useFakeTimers();
  vi.stubGlobal('location', { protocol: 'https:', host: 'example.org' });
});

test('an answer finds its question, and a refusal is an error', async () => {
  const line = new Line('m', 'secret', 'en', {}, dial);
  last().open();
  expect(last().sent).toEqual([{ seat: 'secret', lang: 'en', since: 0 }]);
  const odds = line.ask<number>({ type: 'odds', role: 'red', action: { do: 'x' } });
  const moves = line.ask<number>({ type: 'moves' });
  expect(line.busy).toBe(true);
  last().tell({ type: 'answer', id: last().sent[2]?.['id'], value: 2 });
  last().tell({ type: 'error', id: last().sent[1]?.['id'], status: 422, error: { code: 'refused', message: 'no', rule: 'r1' } });
  expect(await moves).toBe(2);
  await expect(odds).rejects.toMatchObject({ status: 422, message: 'no', rule: 'r1' });
  expect(line.busy).toBe(false);
});

test('a move is one message out and one in', async () => {
  const shown: number[] = [];
  const line = new Line('m', null, 'en', { state: (told) => shown.push(told.info.number) }, dial);
  last().open();
  last().tell(state(3));
  const done = line.ask<State>({ type: 'act', role: 'red', action: { do: 'x' }, answers: 3 });
  expect(last().sent).toHaveLength(2);
  last().tell(state(4, { id: last().sent[1]?.['id'], acted: 4 }));
  expect((await done).acted).toBe(4);
  expect(shown).toEqual([3, 4]);
});

test('what was not answered is sent again over a new line, with the same id', async () => {
  const ups: boolean[] = [];
  const line = new Line('m', 'secret', 'en', { up: (isUp) => ups.push(isUp) }, dial);
  last().open();
  last().tell(state(7));
  const done = line.ask<State>({ type: 'act', role: 'red', action: { do: 'x' }, answers: 7 });
  const said = line.ask({ type: 'say', text: 'hello' });
  const first = last().sent[1];
  last().break();
  await expect(said).rejects.toBeInstanceOf(ApiError); // a word is not said twice
  expect(ups).toEqual([true, false]);
  vi.advanceTimersByTime(600);
  expect(sockets).toHaveLength(2);
  const later = line.ask<string>({ type: 'moves' }); // asked while the line is down
  last().open();
  expect(last().sent[0]).toEqual({ seat: 'secret', lang: 'en', since: 7 });
  expect(last().sent[1]).toEqual(first);
  last().tell(state(9));
  last().tell(state(9, { id: first?.['id'], acted: 8 }));
  expect((await done).acted).toBe(8);
  last().tell({ type: 'answer', id: last().sent[2]?.['id'], value: 'moves' });
  expect(await later).toBe('moves');
});

test('a line that the host refuses does not come back', async () => {
  const refused: number[] = [];
  const line = new Line('m', 'wrong', 'en', { refused: (error) => refused.push(error.status) }, dial);
  last().open();
  const asked = line.ask({ type: 'moves' });
  last().break(4401, 'this seat link does not belong to this match');
  await expect(asked).rejects.toMatchObject({ status: 401 });
  vi.advanceTimersByTime(60_000);
  expect(sockets).toHaveLength(1);
  expect(refused).toEqual([401]);
  await expect(line.ask({ type: 'moves' })).rejects.toBeInstanceOf(ApiError);
});

test('a closed line tells nobody any more and leaves no question open', async () => {
  const line = new Line('m', null, 'en', {}, dial);
  const asked = line.ask({ type: 'moves' });
  line.close();
  await expect(asked).rejects.toBeInstanceOf(ApiError);
  last().break();
  vi.advanceTimersByTime(60_000);
  expect(sockets).toHaveLength(1);
});
