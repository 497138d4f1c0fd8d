// What the table says of a space: its value, damage, forts, flags and the like.
import { DARK, LIGHT } from '../lib/palette';
import type { Pair } from '../lib/types';
import type { Art } from './art';
import { grow, overlaps, type Rect } from './geometry';
import { drawIcon } from './icons';
import type { Ctx } from './pen';
import type { Scene } from './scene';
import { extentOf } from './stacking';

interface Sign {
  kind: string;
  text?: string;
}

const MARK_GLYPHS: Record<string, string> = {
  fort: 'fort', damage: '', terror: 'marker', battle: 'fighter', supply: 'supply', flag: 'flag', city: 'city', depot: 'supply',
  factory: 'factory', oil: 'oil', partisan: 'partisan', port: 'convoy', ownership: 'flag',
};
const MARK_COLOURS: Record<string, string> = {
  damage: '#8a3a16', devastation: '#8a3a16', terror: '#5b1f4a', battle: '#a8321f', partisan: '#7b1d13', fort: '#5c5140',
  supply: '#3b5d3a', depot: '#3b5d3a',
};

/** One mark in a box of height h; a centred one grows to both sides. */
export function drawMark(ctx: Ctx, mark: { kind: string; text?: string }, [cx, cy]: Pair, h: number, { ink, line, centred }: { ink: typeof LIGHT; line: number; centred: boolean }): void {
  const text = mark.text ?? '';
  const glyph = MARK_GLYPHS[mark.kind] ?? '';
  const w = widthOf(mark, h);
  const over = centred ? (w - h) / 2 : 0;
  ctx.fillStyle = MARK_COLOURS[mark.kind] ?? ink.halo;
  ctx.strokeStyle = ink.ink;
  ctx.lineWidth = line;
  ctx.beginPath();
  ctx.roundRect(cx - h / 2 - over, cy - h / 2, w, h, h * 0.22);
  ctx.fill();
  ctx.stroke();
  const pen = mark.kind in MARK_COLOURS ? '#ffffff' : ink.ink;
  let tx = cx - h / 2 - over + w / 2;
  if (glyph) {
    drawIcon(ctx, glyph, cx - over + (text ? -h * 0.02 : w / 2 - h / 2), cy, h * 0.34, pen);
    tx += h * 0.36;
  }
  const shown = text || (glyph ? '' : mark.kind.charAt(0).toUpperCase());
  if (shown) {
    ctx.fillStyle = pen;
    ctx.font = `bold ${h * 0.72}px "Liberation Sans", Arial, sans-serif`;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillText(shown, tx, cy + h * 0.04);
  }
}

export const widthOf = (mark: { kind: string; text?: string }, h: number): number =>
  Math.max(h, h * (0.35 + 0.5 * (mark.text ?? '').length + (MARK_GLYPHS[mark.kind] ? 0.7 : 0)));

/** Where the marks of a space stand, the first of them at the spot: beside its counters. */
function placeOf(scene: Scene, id: string, k: number): { spot: Pair; h: number; far: boolean; centred: boolean; marks: Sign[] } | null {
  const face = scene.look?.table.spaces[id];
  const found = scene.space(id);
  const box = scene.boxRect(id);
  if (!face || (!found && !box)) return null;
  const r = box ? 40 : (found?.r ?? 40);
  const [x, y] = box ? [box.x + 34, box.y + box.h - 26] : (found?.at ?? [0, 0]);
  // Far away the printed values give way to the names; what happened to a space stays in sight.
  const printedSize = Math.min(r, scene.map.grid ? 62 : 38) * 0.42;
  const h = Math.max(printedSize, 10 / k);
  const far = printedSize * k < 8;
  // The printed value has a spot of its own, free of names: what the table says stands there.
  const printed = found?.marks?.find((mark) => mark.kind === 'value')?.at;
  const said: Sign[] = face.value ? [{ kind: face.sign || 'value', text: face.value }, ...(face.marks ?? [])] : [...(face.marks ?? [])];
  const marks = (far ? said.filter((mark) => mark.kind in MARK_COLOURS) : said).slice(0, 4);
  const [first] = marks;
  let spot: Pair = printed ?? [x - r * 1.16, y - r * 0.85];
  if (first && !box && !scene.look?.hideCounters && !scene.isFar(k)) {
    const w = widthOf(first, h);
    for (const pile of scene.grown(id, scene.piles.get(id) ?? [], k)) {
      const counters = grow(extentOf(pile), 3 / k);
      if (overlaps(counters, { x: spot[0] - w / 2, y: spot[1] - h / 2, w, h })) {
        const side = spot[0] < pile.x ? counters.x - w / 2 : counters.x + counters.w + w / 2;
        spot = [side, spot[1]];
      }
    }
  }
  return { spot, h, far, centred: Boolean(printed), marks };
}

/** What the marks cover, for the names to keep clear of. */
export function markRects(scene: Scene, k: number): Rect[] {
  return Object.keys(scene.look?.table.spaces ?? {}).flatMap((id) => {
    const found = scene.isHere(id) ? placeOf(scene, id, k) : null;
    const [first] = found?.marks ?? [];
    if (!found || !first) return [];
    const { spot: [x, y], h, marks } = found;
    const w = widthOf(first, h);
    return [{ x: x - w / 2, y: y - h / 2, w, h: h * 1.12 * marks.length }];
  });
}

export function drawMarks(art: Art): void {
  const { ctx, scene, k, look } = art;
  const ink = look.dark ? DARK : LIGHT;
  for (const [id, face] of Object.entries(look.table.spaces)) {
    if (((face.marks ?? []).length === 0 && !face.value) || !scene.isSeen(id, art.seen)) continue;
    const found = placeOf(scene, id, k);
    found?.marks.forEach((mark, place) => {
      drawMark(ctx, mark, [found.spot[0], found.spot[1] + place * found.h * 1.12], found.h, { ink, line: art.px(0.9), centred: found.centred });
    });
  }
}
