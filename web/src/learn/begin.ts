// Begin a lesson or a puzzle: the host makes its match, this browser keeps the seat and goes there.
import { beginLesson } from '../lib/api';
import { hrefTo } from '../lib/routes';
import { keepSeat } from '../lib/seats';

export async function begin(game: string, lesson: string): Promise<void> {
  const made = await beginLesson(game, lesson);
  const own = made.seats[0];
  if (!own) return;
  keepSeat({ match: made.match, secret: own.secret, roles: own.roles, game, added: Date.now() });
  location.assign(hrefTo('m', made.match));
}
