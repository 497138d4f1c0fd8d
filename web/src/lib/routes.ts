// Addresses. A server answers for every path; a static site has one page, so there the address is in the fragment.
import { page } from './api';
import { root } from './root';
import { secretIn } from './seats';

export type Room = '' | 'm' | 'replay' | 'dice' | 'story' | 'report';
/** A seat's secret, a move, the number of a story, and whether it is shown within another page. */
interface Words {
  seat?: string;
  at?: number;
  n?: number;
  embed?: boolean;
}
export interface Place {
  room: string;
  match: string;
  query: URLSearchParams;
  /** A seat's secret that the address gives. */
  seat: string | null;
}

export function place(where: Pick<Location, 'pathname' | 'search' | 'hash'> = location, inPage = page !== null): Place {
  const [path = '', search = ''] = inPage ? where.hash.replace(/^#/, '').split('?') : [withoutRoot(where.pathname), where.search];
  const [, room = '', match = ''] = path.split('/');
  const query = new URLSearchParams(search);
  return { room, match: decodeURIComponent(match), query, seat: secretIn(inPage ? search : where.hash) };
}

function withoutRoot(path: string): string {
  return `${path}/`.startsWith(`${root}/`) ? path.slice(root.length) : path;
}

/** The address of a room. Whoever follows one with a seat's secret sits down there. */
export function hrefTo(room: Room, match = '', { seat, at, n, embed }: Words = {}, inPage = page !== null): string {
  const path = room ? `/${room}/${encodeURIComponent(match)}` : '/';
  const query = new URLSearchParams();
  if (n !== undefined) query.set('n', String(n));
  if (at !== undefined) query.set('at', String(at));
  if (embed) query.set('embed', '1');
  if (seat && inPage) query.set('seat', seat);
  const text = query.size ? `?${query}` : '';
  return inPage ? `#${path}${text}` : `${root}${path}${text}${seat ? `#seat=${seat}` : ''}`;
}

/** The same with everything before it, for a person to send. */
export function linkTo(...words: Parameters<typeof hrefTo>): string {
  return new URL(hrefTo(...words), location.href).href;
}
