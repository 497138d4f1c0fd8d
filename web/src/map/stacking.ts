// Where the counters of a space lie: piles by side, the top one last, each a little up and to the right of the one below.
import type { CounterFace, Pair } from '../lib/types';
import type { Rect } from './geometry';

export const MOST_LAYERS = 4;

export interface Pile {
  side: string;
  counters: CounterFace[];
  /** Middle of the lowest counter. */
  x: number;
  y: number;
  size: number;
  /** Step from one counter to the one above. */
  lift: number;
}

export function bySide(counters: CounterFace[]): Map<string, CounterFace[]> {
  const sides = new Map<string, CounterFace[]>();
  for (const counter of counters) {
    const found = sides.get(counter.side);
    if (found) found.push(counter);
    else sides.set(counter.side, [counter]);
  }
  return sides;
}

export interface Style {
  /** Side of a counter in the same units as `at`. */
  size: number;
}

/** The piles of one space, the first side at the left. More than three sides share a second row. */
export function pilesOf(counters: CounterFace[], at: Pair, style: Style): Pile[] {
  const sides = [...bySide(counters).entries()];
  if (sides.length === 0) return [];
  const columns = sides.length === 1 ? 1 : sides.length <= 4 ? 2 : 3;
  const rows = Math.ceil(sides.length / columns);
  const shrink = sides.length === 1 ? 1 : sides.length === 2 ? 0.74 : columns === 2 ? 0.66 : 0.5;
  const size = style.size * shrink;
  const pitch = size * 1.08;
  return sides.map(([side, found], place) => {
    const column = place % columns;
    const row = Math.floor(place / columns);
    const inRow = row === rows - 1 ? sides.length - row * columns : columns;
    return {
      side,
      counters: found,
      x: at[0] + (column - (inRow - 1) / 2) * pitch,
      y: at[1] + (row - (rows - 1) / 2) * pitch,
      size,
      lift: size * 0.07,
    };
  });
}

/** How many counters of a pile are drawn; the rest is told by the number on it. */
export function layersOf(pile: Pile): number {
  return Math.min(MOST_LAYERS, pile.counters.length);
}

/** The square of the counter on top of a pile. */
export function topOf(pile: Pile): Rect {
  const up = (layersOf(pile) - 1) * pile.lift;
  return { x: pile.x - pile.size / 2 + up / 2, y: pile.y - pile.size / 2 - up / 2, w: pile.size, h: pile.size };
}

/** All that a pile covers. */
export function extentOf(pile: Pile): Rect {
  const up = (layersOf(pile) - 1) * pile.lift;
  return { x: pile.x - (pile.size + up) / 2, y: pile.y - (pile.size + up) / 2, w: pile.size + up, h: pile.size + up };
}

export function pileAt(piles: Pile[], x: number, y: number): Pile | null {
  for (let i = piles.length - 1; i >= 0; i--) {
    const pile = piles[i] as Pile;
    const top = topOf(pile);
    if (x >= top.x - pile.lift && x <= top.x + top.w && y >= top.y && y <= top.y + top.h + pile.lift) return pile;
  }
  return null;
}

/** Columns of a fan that shows `count` counters near the shape of a landscape screen. */
export function fanColumns(count: number): number {
  if (count <= 4) return count;
  return Math.min(8, Math.ceil(Math.sqrt(count * 1.6)));
}

/** Whether a counter is a land unit, as its symbol says. */
export function isLand(counter: CounterFace): boolean {
  return (counter.symbol ?? '').charAt(2) === 'G';
}

export function howMany(counters: CounterFace[]): number {
  return counters.reduce((sum, counter) => sum + (counter.count ?? 1), 0);
}
