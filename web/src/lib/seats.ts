// The seats this browser holds. A link /m/<match>#seat=<secret> gives one; it is kept here so that 'my matches' finds it.
import { readStore, writeStore } from './settings.svelte';

const KEY = 'sandtable.seats';

export interface MySeat {
  match: string;
  secret: string;
  roles?: string[];
  game?: string;
  added: number;
}

export function mySeats(): MySeat[] {
  const seats = readStore<MySeat[]>(KEY, []);
  return Array.isArray(seats) ? seats : [];
}

export function seatFor(match: string): string | null {
  return mySeats().find((seat) => seat.match === match)?.secret ?? null;
}

export function keepSeat(seat: MySeat): void {
  const others = mySeats().filter((other) => other.match !== seat.match);
  writeStore(KEY, [seat, ...others].slice(0, 200));
}

export function dropSeat(match: string): void {
  writeStore(KEY, mySeats().filter((seat) => seat.match !== match));
}

/** The secret in an address's fragment ('#seat=...'), or null. */
export function secretIn(fragment: string): string | null {
  const found = new URLSearchParams(fragment.replace(/^#/, '')).get('seat');
  return found && /^[A-Za-z0-9_-]{8,64}$/.test(found) ? found : null;
}

export function linkTo(match: string, secret: string): string {
  return `${location.origin}/m/${match}#seat=${secret}`;
}
