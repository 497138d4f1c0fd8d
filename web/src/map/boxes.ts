// Counters in a box beside the map.
import type { CounterFace } from '../lib/types';
import type { Rect } from './geometry';
import type { Pile } from './stacking';

/** Counters in a box stand in rows, piled by face only when the box is too full. */
export function pilesInBox(counters: CounterFace[], box: Rect): Pile[] {
  const top = Math.min(44, box.h * 0.2);
  const w = box.w - 16;
  const h = box.h - top - 10;
  let size = 84;
  while (size > 18 && Math.floor(w / (size * 1.1)) * Math.floor(h / (size * 1.1)) < counters.length) size *= 0.92;
  const columns = Math.max(1, Math.floor(w / (size * 1.1)));
  const used = Math.min(columns, counters.length);
  return counters.map((counter, place) => ({
    side: counter.side,
    counters: [counter],
    x: box.x + box.w / 2 + ((place % columns) - (used - 1) / 2) * size * 1.1,
    y: box.y + top + size * 0.56 + Math.floor(place / columns) * size * 1.1,
    size,
    lift: 0,
  }));
}
