// Paths, boxes and hit tests. Map paths are 'M x y l dx dy dx dy ... z', whole numbers in map units.
import type { Pair } from '../lib/types';

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}
export type Ring = Pair[];

const NUMBER = /-?\d*\.?\d+/g;

/** The rings of a path. Knows M, m, L, l, H, h, V, v, Z and z. */
export function parsePath(d: string): Ring[] {
  const rings: Ring[] = [];
  let ring: Ring = [];
  let x = 0;
  let y = 0;
  let startX = 0;
  let startY = 0;
  for (const part of d.match(/[A-Za-z][^A-Za-z]*/g) ?? []) {
    const command = part[0] as string;
    const numbers = (part.slice(1).match(NUMBER) ?? []).map(Number);
    if (command === 'Z' || command === 'z') {
      x = startX;
      y = startY;
      continue;
    }
    const relative = command === command.toLowerCase();
    const kind = command.toLowerCase();
    const step = kind === 'h' || kind === 'v' ? 1 : 2;
    for (let i = 0; i + step <= numbers.length; i += step) {
      const first = numbers[i] as number;
      if (kind === 'h') x = relative ? x + first : first;
      else if (kind === 'v') y = relative ? y + first : first;
      else {
        x = relative ? x + first : first;
        y = relative ? y + (numbers[i + 1] as number) : (numbers[i + 1] as number);
      }
      if (kind === 'm' && i === 0) {
        ring = [];
        rings.push(ring);
        startX = x;
        startY = y;
      }
      ring.push([x, y]);
    }
  }
  return rings;
}

export function boundsOf(rings: Ring[]): Rect {
  let left = Infinity;
  let top = Infinity;
  let right = -Infinity;
  let bottom = -Infinity;
  for (const ring of rings) {
    for (const [x, y] of ring) {
      if (x < left) left = x;
      if (x > right) right = x;
      if (y < top) top = y;
      if (y > bottom) bottom = y;
    }
  }
  return left === Infinity ? { x: 0, y: 0, w: 0, h: 0 } : { x: left, y: top, w: right - left, h: bottom - top };
}

export function overlaps(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

export function grow(rect: Rect, by: number): Rect {
  return { x: rect.x - by, y: rect.y - by, w: rect.w + 2 * by, h: rect.h + 2 * by };
}

/** Even-odd rule over all rings, so that lakes and enclaves are holes. */
export function contains(rings: Ring[], x: number, y: number): boolean {
  let inside = false;
  for (const ring of rings) {
    for (let i = 0, j = ring.length - 1; i < ring.length; j = i++) {
      const [xi, yi] = ring[i] as Pair;
      const [xj, yj] = ring[j] as Pair;
      if (yi > y !== yj > y && x < ((xj - xi) * (y - yi)) / (yj - yi) + xi) inside = !inside;
    }
  }
  return inside;
}

interface Shape {
  id: string;
  rings: Ring[];
  bounds: Rect;
}

/** Finds the space under a point: buckets of a coarse grid, then the smallest shape that holds the point. */
export class HitIndex {
  private readonly buckets = new Map<string, Shape[]>();
  private readonly shapes = new Map<string, Shape>();

  constructor(
    spaces: Iterable<{ id: string; d: string }>,
    private readonly cell = 240,
  ) {
    for (const { id, d } of spaces) {
      const rings = parsePath(d);
      this.add({ id, rings, bounds: boundsOf(rings) });
    }
  }

  addRect(id: string, rect: Rect): void {
    const { x, y, w, h } = rect;
    const ring: Ring = [
      [x, y],
      [x + w, y],
      [x + w, y + h],
      [x, y + h],
    ];
    this.add({ id, rings: [ring], bounds: rect });
  }

  private add(shape: Shape): void {
    this.shapes.set(shape.id, shape);
    const { x, y, w, h } = shape.bounds;
    for (let column = Math.floor(x / this.cell); column <= Math.floor((x + w) / this.cell); column++) {
      for (let row = Math.floor(y / this.cell); row <= Math.floor((y + h) / this.cell); row++) {
        const key = `${column},${row}`;
        const bucket = this.buckets.get(key);
        if (bucket) bucket.push(shape);
        else this.buckets.set(key, [shape]);
      }
    }
  }

  at(x: number, y: number): string | null {
    let best: Shape | null = null;
    for (const shape of this.buckets.get(`${Math.floor(x / this.cell)},${Math.floor(y / this.cell)}`) ?? []) {
      if (best && shape.bounds.w * shape.bounds.h >= best.bounds.w * best.bounds.h) continue;
      if (contains(shape.rings, x, y)) best = shape;
    }
    return best?.id ?? null;
  }

  boundsOf(id: string): Rect | null {
    return this.shapes.get(id)?.bounds ?? null;
  }
}

export interface View {
  x: number;
  y: number;
  k: number;
}

/** The view that shows a rectangle of the map, whole and in the middle. */
export function fit(rect: Rect, width: number, height: number, margin = 0, most = 4): View {
  const k = Math.min((width - 2 * margin) / rect.w, (height - 2 * margin) / rect.h, most);
  return { k, x: width / 2 - (rect.x + rect.w / 2) * k, y: height / 2 - (rect.y + rect.h / 2) * k };
}

/** The part of the map that a window shows. */
export function visible(view: View, width: number, height: number): Rect {
  return { x: -view.x / view.k, y: -view.y / view.k, w: width / view.k, h: height / view.k };
}

/** From one place in a direction to the nearest other: for walking over the map with the arrow keys. */
export function nearestTowards(
  from: Pair,
  direction: 'left' | 'right' | 'up' | 'down',
  places: Iterable<{ id: string; at: Pair }>,
): string | null {
  const along = direction === 'left' ? [-1, 0] : direction === 'right' ? [1, 0] : direction === 'up' ? [0, -1] : [0, 1];
  let best: string | null = null;
  let least = Infinity;
  for (const { id, at } of places) {
    const dx = at[0] - from[0];
    const dy = at[1] - from[1];
    const ahead = dx * (along[0] as number) + dy * (along[1] as number);
    if (ahead <= 0.5) continue;
    const aside = Math.abs(dx * (along[1] as number)) + Math.abs(dy * (along[0] as number));
    const cost = ahead + 2 * aside;
    if (cost < least) {
      least = cost;
      best = id;
    }
  }
  return best;
}

/** Where something of a length begins so that it fills a window, or lies in its middle when it is too short for that. */
export function within(start: number, length: number, window: number): number {
  return length <= window ? (window - length) / 2 : Math.min(0, Math.max(window - length, start));
}
