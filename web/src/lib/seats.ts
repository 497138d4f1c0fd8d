// The seats this browser holds. A link /m/<match>#seat=<secret> gives one; it is kept here so that 'my matches' finds it.
import { readStore, writeStore } from './settings.svelte';

const KEY = 'sandtable.seats';

export interface MySeat {
  match: string;
  secret: string;
  roles?: string[];
  game?: string;
  added: number;
  /** The match that it is a branch of, and the move where it left it. */
  of?: string;
  at?: number;
}

export function mySeats(): MySeat[] {
  const seats = readStore<MySeat[]>(KEY, []);
  return Array.isArray(seats) ? seats : [];
}

export function seatFor(match: string): string | null {
  return mySeats().find((seat) => seat.match === match)?.secret ?? null;
}

export function keepSeat(seat: MySeat): void {
  const all = mySeats();
  const before = all.find((other) => other.match === seat.match);
  const others = all.filter((other) => other.match !== seat.match);
  writeStore(KEY, [{ ...before, ...seat }, ...others].slice(0, 200));
}

/** The branches of a match that this browser plays. */
export function branchesOf(match: string): MySeat[] {
  return mySeats().filter((seat) => seat.of === match);
}

export function dropSeat(match: string): void {
  writeStore(KEY, mySeats().filter((seat) => seat.match !== match));
}

// ---- invitations that this browser sent, so that they can be shown again
const SENT = 'sandtable.invitations';
export interface Sent {
  match: string;
  roles: string[];
  secret: string;
}
export function sentFor(match: string, roles: readonly string[]): string | null {
  return readStore<Sent[]>(SENT, []).find((one) => one.match === match && one.roles.join() === roles.join())?.secret ?? null;
}
export function keepSent(sent: Sent): void {
  const others = readStore<Sent[]>(SENT, []).filter((one) => one.match !== sent.match || one.roles.join() !== sent.roles.join());
  writeStore(SENT, [sent, ...others].slice(0, 200));
}

/** The secret in an address's fragment ('#seat=...'), or null. */
export function secretIn(fragment: string): string | null {
  const found = new URLSearchParams(fragment.replace(/^#/, '')).get('seat');
  return found && /^[A-Za-z0-9_-]{8,64}$/.test(found) ? found : null;
}
