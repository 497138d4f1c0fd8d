// Far away stacks are tiles with their strength and their number; tiles that would cover each other are one, and open into
// stacks as one comes nearer.
import type { CounterFace } from '../lib/types';
import { overlaps, type Rect } from './geometry';
import { howMany, type Pile } from './stacking';

/** Pixels of a tile. */
export const TILE = { w: 30, h: 20 };

export interface Tile {
  side: string;
  spaces: string[];
  piles: Pile[];
  counters: CounterFace[];
  rect: Rect;
}

/** The tiles of these piles at a scale: the largest stack of a side takes in those beside it, and no two overlap much. */
export function tilesOf(piles: readonly { space: string; pile: Pile }[], k: number): Tile[] {
  const w = TILE.w / k;
  const h = TILE.h / k;
  const tiles: Tile[] = [];
  const order = [...piles].sort((a, b) => howMany(b.pile.counters) - howMany(a.pile.counters));
  for (const { space, pile } of order) {
    const rect = { x: pile.x - w / 2, y: pile.y - h / 2, w, h };
    const near = tiles.find((tile) => tile.side === pile.side && overlaps(tile.rect, rect));
    if (near) {
      if (!near.spaces.includes(space)) near.spaces.push(space);
      near.piles.push(pile);
      near.counters.push(...pile.counters);
    } else tiles.push({ side: pile.side, spaces: [space], piles: [pile], counters: [...pile.counters], rect });
  }
  for (let round = 0; round < 4; round++) spread(tiles);
  return tiles;
}

/** Push tiles that overlap apart, half the way each, where the way is shorter. */
function spread(tiles: readonly Tile[]): void {
  tiles.forEach(({ rect: a }, place) => {
    for (const { rect: b } of tiles.slice(place + 1)) {
      if (!overlaps(a, b)) continue;
      const dx = a.w - Math.abs(a.x - b.x);
      const dy = a.h - Math.abs(a.y - b.y);
      const axis = dx < dy ? 'x' : 'y';
      const by = (Math.min(dx, dy) / 2) * (a[axis] <= b[axis] ? 1 : -1);
      a[axis] -= by;
      b[axis] += by;
    }
  });
}
