// What the table says of a space: its value, damage, forts, flags and the like.
import { DARK, LIGHT } from '../lib/palette';
import type { Pair } from '../lib/types';
import type { Art } from './art';
import { drawIcon } from './icons';
import type { Ctx } from './pen';

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

export function drawMarks(art: Art): void {
  const { ctx, scene, k, look } = art;
  const ink = look.dark ? DARK : LIGHT;
  for (const [id, face] of Object.entries(look.table.spaces)) {
    const marks = face.marks ?? [];
    if ((marks.length === 0 && !face.value) || !scene.isSeen(id, art.seen)) continue;
    const found = scene.space(id);
    const box = scene.boxRect(id);
    if (!found && !box) continue;
    const r = box ? 40 : (found?.r ?? 40);
    const [x, y] = box ? [box.x + 34, box.y + box.h - 26] : (found?.at ?? [0, 0]);
    // Far away the printed values give way to the names; what happened to a space stays in sight.
    const printedSize = Math.min(r, scene.map.grid ? 62 : 38) * 0.42;
    const h = Math.max(printedSize, 10 / k);
    const far = printedSize * k < 8;
    let place = 0;
    // The printed value has a spot of its own, free of names: what the table says stands there.
    const printed = found?.marks?.find((mark) => mark.kind === 'value')?.at;
    const spot: Pair = printed ?? [x - r * 1.16, y - r * 0.85];
    const near = face.value ? [{ kind: face.sign || 'value', text: face.value }, ...marks] : marks;
    const all = far ? marks.filter((mark) => mark.kind in MARK_COLOURS) : near;
    for (const mark of all.slice(0, 4)) {
      drawMark(ctx, mark, [spot[0], spot[1] + place * h * 1.12], h, { ink, line: art.px(0.9), centred: Boolean(printed) });
      place++;
    }
  }
}
