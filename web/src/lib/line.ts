// The line to a match: every request gets one answer, and whatever happens at the table comes by itself. A line that
// breaks comes back, hears what it missed, and sends again what was not answered; the host makes no move twice.
import { ApiError, dial } from './api';
import type { Wire } from './carrier';
import { keyOfPerson } from './server';
import type { ChatLine, ClientRequest, Hello, HostMessage, SeatInfo, State } from './types';

/** What a line tells. */
export interface Ears {
  state?: (state: State) => void;
  chat?: (lines: ChatLine[]) => void;
  seats?: (seats: SeatInfo[]) => void;
  /** Whether the line is up; it comes back by itself. */
  up?: (isUp: boolean) => void;
  /** The host will not have this client; the line is closed. */
  refused?: (error: ApiError) => void;
}

type WithoutId<R> = R extends unknown ? Omit<R, 'id'> : never;
export type Ask = WithoutId<ClientRequest>;

interface Waiting {
  words: string;
  /** Whether it may be sent a second time. */
  again: boolean;
  resolve: (value: unknown) => void;
  reject: (error: ApiError) => void;
}

/** What is not sent a second time: nobody knows whether it has been done. */
const ONCE = new Set(['say', 'branch', 'motion', 'rematch', 'rest', 'add-variation']);
const FIRST_WAIT = 500;
const LONGEST_WAIT = 15_000;
/** Close codes with which the host says no for good: 4000 and the HTTP status. */
const FOR_GOOD = [4401, 4403, 4404];

export class Line {
  private socket: Wire | null = null;
  private readonly waiting = new Map<string, Waiting>();
  private closed = false;
  private since = 0;
  private wait = FIRST_WAIT;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly match: string,
    private readonly seat: string | null,
    private readonly lang: string,
    private readonly ears: Ears,
    private readonly call: (match: string) => Wire = dial,
  ) {
    this.open();
  }

  /** Something has not been answered yet. */
  get busy(): boolean {
    return this.waiting.size > 0;
  }

  /** Ask the host; the promise has the answer's value, or the state where the request is answered by one. */
  ask<T>(request: Ask): Promise<T> {
    if (this.closed) return Promise.reject(new ApiError(0, 'unreachable', 'unreachable'));
    const id = newId();
    const words = JSON.stringify({ ...request, id });
    return new Promise<T>((resolve, reject) => {
      const again = !ONCE.has(request.type);
      this.waiting.set(id, { words, again, resolve: (value) => resolve(value as T), reject });
      if (this.socket?.readyState === this.socket?.OPEN) this.socket?.send(words);
    });
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
    this.socket?.close();
    this.giveUp(() => true, new ApiError(0, 'unreachable', 'unreachable'));
  }

  private open(): void {
    const socket = this.call(this.match);
    this.socket = socket;
    socket.addEventListener('open', () => {
      const hello: Hello = { seat: this.seat, lang: this.lang, since: this.since, ...(keyOfPerson.now ? { person: keyOfPerson.now } : {}) };
      socket.send(JSON.stringify(hello));
      for (const one of this.waiting.values()) socket.send(one.words);
    });
    socket.addEventListener('message', (event) => this.hear(JSON.parse(String(event.data)) as HostMessage));
    socket.addEventListener('close', (event) => this.lost(event));
  }

  private hear(message: HostMessage): void {
    switch (message.type) {
      case 'state':
        this.since = message.info.number;
        this.wait = FIRST_WAIT;
        this.ears.up?.(true);
        this.ears.state?.(message);
        if (message.id !== null) this.answered(message.id)?.resolve(message);
        return;
      case 'answer':
        this.answered(message.id)?.resolve(message.value);
        return;
      case 'error': {
        const { code, message: words, rule, unit } = message.error;
        this.answered(message.id)?.reject(new ApiError(message.status, code, words, rule ?? undefined, unit ?? undefined));
        return;
      }
      case 'chat':
        this.ears.chat?.(message.lines);
        return;
      case 'seats':
        this.ears.seats?.(message.seats);
    }
  }

  private answered(id: string): Waiting | undefined {
    const found = this.waiting.get(id);
    this.waiting.delete(id);
    return found;
  }

  private lost(event: CloseEvent): void {
    if (this.closed) return;
    if (FOR_GOOD.includes(event.code)) {
      this.closed = true;
      const error = new ApiError(event.code - 4000, 'refused', event.reason);
      this.giveUp(() => true, error);
      this.ears.refused?.(error);
      return;
    }
    this.giveUp((one) => !one.again, new ApiError(0, 'unreachable', 'unreachable'));
    this.ears.up?.(false);
    this.timer = setTimeout(() => this.open(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  private giveUp(which: (one: Waiting) => boolean, error: ApiError): void {
    for (const [id, one] of this.waiting) {
      if (!which(one)) continue;
      this.waiting.delete(id);
      one.reject(error);
    }
  }
}

export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
