// Small shapes and tiles that several parts of the map draw.
import type { Pattern } from '../lib/palette';
import type { Pair } from '../lib/types';
import { parsePath } from './geometry';
import type { Ctx } from './pen';

/** One tile of a hatching that joins with itself on all sides. */
export function hatchTile(pattern: Pattern, colour: string, px: number): OffscreenCanvas {
  const tile = new OffscreenCanvas(px, px);
  const ctx = tile.getContext('2d') as OffscreenCanvasRenderingContext2D;
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = Math.max(1, px * 0.09);
  ctx.beginPath();
  if (pattern === 'dots') {
    for (const [x, y] of [[0.25, 0.25], [0.75, 0.75]] as const) {
      ctx.moveTo(x * px, y * px);
      ctx.arc(x * px, y * px, Math.max(0.8, px * 0.1), 0, 6.3);
    }
    ctx.fill();
    return tile;
  }
  if (pattern === 'lines') {
    ctx.moveTo(0, px / 2);
    ctx.lineTo(px, px / 2);
  }
  for (const shift of [-px, 0, px]) {
    if (pattern === 'stripes' || pattern === 'cross') {
      ctx.moveTo(shift - 2, -2);
      ctx.lineTo(shift + px + 2, px + 2);
    }
    if (pattern === 'backstripes' || pattern === 'cross') {
      ctx.moveTo(shift + px + 2, -2);
      ctx.lineTo(shift - 2, px + 2);
    }
  }
  ctx.stroke();
  return tile;
}

export function dashes(units: number[], k: number): number[] {
  const grown = Math.max(1, 0.28 / k);
  return units.map((unit) => unit * grown);
}
export function endsOf(d: string): [Pair | undefined, Pair | undefined] {
  const points = parsePath(d)[0] ?? [];
  return [points[0], points.at(-1)];
}
export function circle(ctx: Ctx, x: number, y: number, r: number): void {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
}
export function polygon(ctx: Ctx, x: number, y: number, r: number, corners: number, inner: number): void {
  ctx.beginPath();
  for (let i = 0; i < corners * 2; i++) {
    const radius = i % 2 === 0 ? r : r * inner;
    const angle = (i * Math.PI) / corners - Math.PI / 2;
    ctx.lineTo(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
  }
  ctx.closePath();
}
export function star(ctx: Ctx, x: number, y: number, r: number): void {
  polygon(ctx, x, y, r, 5, 0.42);
}
export function roundRect(ctx: Ctx, x: number, y: number, w: number, h: number, r: number): void {
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, r);
}
/** A broken line as a curve through the same points (Catmull and Rom's). */
export function smooth(d: string): string {
  return parsePath(d)
    .map((points) => {
      const at = (place: number): Pair => points[Math.min(points.length - 1, Math.max(0, place))] as Pair;
      const bends = points.slice(1).map((to, place) => {
        const [from, before, after] = [at(place), at(place - 1), at(place + 2)];
        const bend = (axis: 0 | 1): [number, number] => [from[axis] + (to[axis] - before[axis]) / 6, to[axis] - (after[axis] - from[axis]) / 6];
        const [x, y] = [bend(0), bend(1)];
        return `C${x[0]} ${y[0]} ${x[1]} ${y[1]} ${to[0]} ${to[1]}`;
      });
      return `M${at(0)[0]} ${at(0)[1]}${bends.join('')}`;
    })
    .join('');
}
