// Which names are written at a zoom, and how big: important ones first, never two on top of each other.
import type { Lettering, MapSheet } from '../lib/types';
import { overlaps, type Rect } from './geometry';

export interface Placed {
  text: string;
  x: number;
  y: number;
  /** Letter height in screen pixels. */
  px: number;
  angle: number;
  style: string;
  rank: number;
  spacing: number;
}

// Below this many pixels a name of that rank is left out; between this and `LEAST` it is written larger than printed.
const CUTOFF = [0, 3.2, 4.6, 6.2, 7.4, 8.2, 9];
const LEAST = [0, 11, 10.5, 10, 9.5, 9.5, 9.5];
const MOST: Record<string, number> = { city: 24, country: 46, sea: 54, river: 22, range: 26 };

interface Source {
  lettering: Lettering;
  style: string;
}

export function letteringOf(sheet: MapSheet): Source[] {
  const all: Source[] = (sheet.labels ?? []).map((lettering) => ({ lettering, style: lettering.class ?? 'range' }));
  for (const space of sheet.spaces) {
    // Boxes are titled where they are drawn.
    if (space.label && space.kind !== 'box') all.push({ lettering: space.label, style: space.kind === 'sea' ? 'sea' : 'city' });
  }
  return all.sort((a, b) => (a.lettering.rank ?? 3) - (b.lettering.rank ?? 3));
}

/** How wide a name will be, near enough to keep names apart. */
export function widthOf(text: string, px: number, spacing: number): number {
  return text.length * (px * 0.56 + spacing);
}

/** The names to write at scale `k` (pixels to a map unit), in map coordinates. Names of places step aside for counters. */
export function placeLabels(sources: Source[], k: number, language: string, counters: readonly Rect[] = []): Placed[] {
  const placed: Placed[] = [];
  const taken: Rect[] = [];
  for (const { lettering, style } of sources) {
    const rank = Math.min(lettering.rank ?? 3, CUTOFF.length - 1);
    const printed = lettering.size * k;
    if (printed < (CUTOFF[rank] as number)) continue;
    const px = Math.min(Math.max(printed, LEAST[rank] as number), MOST[style] ?? 26);
    const text = (language === 'de' && lettering.text_de) || lettering.text;
    const spacing = Math.min((lettering.spacing ?? 0) * k, px * 0.5);
    const w = widthOf(text, px, spacing) / k;
    const h = (px * 1.15) / k;
    const angle = ((lettering.angle ?? 0) * Math.PI) / 180;
    const bw = Math.abs(Math.cos(angle)) * w + Math.abs(Math.sin(angle)) * h;
    const bh = Math.abs(Math.sin(angle)) * w + Math.abs(Math.cos(angle)) * h;
    const printedBox = { x: lettering.at[0] - bw / 2, y: lettering.at[1] - bh / 2, w: bw, h: bh };
    const box = angle === 0 ? stepAside(printedBox, counters, taken) : printedBox;
    if (!box) continue;
    const grown = px > printed * 1.02;
    if (grown && taken.some((other) => overlaps(other, box))) continue;
    taken.push(box);
    placed.push({ text, x: box.x + bw / 2, y: box.y + bh / 2, px, angle, style, rank, spacing });
  }
  return placed;
}

/** The nearest free spot below, above or beside the counters that lie on a name; none where most of it would be hidden. */
function stepAside(box: Rect, counters: readonly Rect[], taken: readonly Rect[]): Rect | null {
  const under = counters.filter((counter) => overlaps(counter, box));
  if (under.length === 0) return box;
  const gap = box.h * 0.08;
  const spots = under.flatMap((counter) => {
    const [above, below] = [counter.y - box.h - gap, counter.y + counter.h + gap];
    const [left, right] = [counter.x - box.w - gap, counter.x + counter.w + gap];
    const inLine = [box.x, counter.x, counter.x + counter.w - box.w];
    const beside = [box.y, counter.y, counter.y + counter.h - box.h];
    return [
      ...inLine.flatMap((x) => [{ ...box, x, y: below }, { ...box, x, y: above }]),
      ...beside.flatMap((y) => [{ ...box, y, x: right }, { ...box, y, x: left }]),
    ];
  });
  const far = (spot: Rect): number => Math.abs(spot.x - box.x) + Math.abs(spot.y - box.y);
  const free = spots.filter(
    (spot) => far(spot) < box.h * 3.2 + box.w * 0.9 && !counters.some((one) => overlaps(one, spot)) && !taken.some((one) => overlaps(one, spot)),
  );
  return free.sort((a, b) => far(a) - far(b))[0] ?? (under.reduce((sum, one) => sum + common(one, box), 0) < box.w * box.h * 0.15 ? box : null);
}

/** The area that two rectangles share. */
function common(a: Rect, b: Rect): number {
  const w = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
  const h = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
  return w > 0 && h > 0 ? w * h : 0;
}
