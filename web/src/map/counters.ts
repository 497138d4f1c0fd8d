// Counters in their piles, with rings around those that can be chosen and the number of those below.
import { LIT, LIT_EDGE, type Art } from './art';
import { grow, overlaps, type Rect } from './geometry';
import { sprites } from './sprites';
import { strengthOf } from '../play/taking';
import { howMany, layersOf, topOf } from './stacking';
import type { Tile } from './tiles';

/** Below this many pixels a counter has no room for the strength of its stack. */
const ROOM_FOR_SUM = 30;

export function drawCounters(art: Art): void {
  const { ctx, scene, ratio, k, seen, look } = art;
  const wide = grow(seen, 120);
  if (scene.isFar(k)) {
    for (const tile of scene.tilesAt(k)) if (overlaps(tile.rect, wide)) drawTile(art, tile);
    return;
  }
  for (const [id, raw] of scene.piles) {
    if (!scene.isHere(id)) continue;
    for (const pile of scene.grown(id, raw, k)) {
      if (pile.x < wide.x || pile.x > wide.x + wide.w || pile.y < wide.y || pile.y > wide.y + wide.h) continue;
      const layers = layersOf(pile);
      const paint = scene.paintOf(pile.side);
      const shown = pile.counters.slice(-layers);
      const base = pile.size / 2;
      const shift = ((layers - 1) * pile.lift) / 2;
      shown.forEach((counter, place) => {
        const x = pile.x - base - shift + place * pile.lift;
        const y = pile.y - base + shift - place * pile.lift;
        ctx.fillStyle = 'rgba(0,0,0,0.28)';
        ctx.fillRect(x + pile.size * 0.04, y + pile.size * 0.06, pile.size * 0.98, pile.size * 0.97);
        ctx.drawImage(sprites.get(counter, paint, pile.size * k * ratio), x, y, pile.size, pile.size);
      });
      const top = topOf(pile);
      const lit = pile.counters.some((counter) => look.litUnits.has(counter.id));
      const chosen = pile.counters.some((counter) => look.chosenUnits.has(counter.id));
      if (lit || chosen) ring(art, top, chosen ? '#2f7fd1' : LIT, chosen ? '#06264d' : LIT_EDGE);
      const count = howMany(pile.counters);
      if (pile.counters.length > 1) countBadge(art, top, String(count));
      const strength = pile.counters.length > 1 ? strengthOf(pile.counters) : null;
      if (strength !== null && top.w * k >= ROOM_FOR_SUM) sumBadge(art, top, String(strength), paint.deep);
    }
  }
}

/** The colour of the side, the strength in large figures, the number of counters in small ones. */
function drawTile(art: Art, { rect, side, counters }: Tile): void {
  const { ctx, scene, look } = art;
  const { x, y, w, h } = rect;
  const paint = scene.paintOf(side);
  const lit = counters.some((counter) => look.litUnits.has(counter.id));
  const chosen = counters.some((counter) => look.chosenUnits.has(counter.id));
  ctx.fillStyle = 'rgba(0,0,0,0.3)';
  ctx.fillRect(x + art.px(1), y + art.px(1.5), w, h);
  ctx.fillStyle = paint.fill;
  ctx.strokeStyle = paint.deep;
  ctx.lineWidth = art.px(1.4);
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, art.px(3.5));
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = paint.deep;
  ctx.fillRect(x, y + art.px(1), art.px(3), h - art.px(2));
  const strength = strengthOf(counters);
  const number = String(howMany(counters));
  ctx.fillStyle = paint.ink;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.font = `bold ${art.px(12.5)}px "Liberation Sans", Arial, sans-serif`;
  ctx.fillText(strength === null ? number : String(strength), x + w * (strength === null ? 0.53 : 0.42), y + h * 0.54);
  if (strength !== null) {
    ctx.font = `${art.px(9)}px "Liberation Sans", Arial, sans-serif`;
    ctx.fillText(number, x + w * 0.83, y + h * 0.3);
  }
  if (lit || chosen) ring(art, rect, chosen ? '#2f7fd1' : LIT, chosen ? '#06264d' : LIT_EDGE);
}

/** The strength of a stack, at its upper left corner. */
function sumBadge(art: Art, top: Rect, text: string, colour: string): void {
  const { ctx } = art;
  const h = Math.min(Math.max(top.w * 0.26, art.px(12)), top.w * 0.5);
  const w = h * (0.5 + 0.55 * text.length);
  const x = top.x - h * 0.4;
  const y = top.y - h * 0.4;
  ctx.fillStyle = '#fbf7ec';
  ctx.strokeStyle = colour;
  ctx.lineWidth = art.px(1.4);
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, h * 0.3);
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = '#1d1a15';
  ctx.font = `bold ${h * 0.82}px "Liberation Sans", Arial, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x + w / 2, y + h * 0.55);
}

function ring(art: Art, top: Rect, colour: string, edge: string): void {
  const { ctx } = art;
  // Around a small counter a thick ring would hide its neighbours.
  const thin = Math.min(1, Math.max(0.5, (top.w * art.k) / 34));
  const gap = art.px(1.5 * thin);
  for (const [paint, width] of [[edge, 5 * thin], [colour, 3 * thin]] as const) {
    ctx.strokeStyle = paint;
    ctx.lineWidth = art.px(width);
    ctx.beginPath();
    ctx.roundRect(top.x - gap, top.y - gap, top.w + 2 * gap, top.h + 2 * gap, top.w * 0.12);
    ctx.stroke();
  }
}

function countBadge(art: Art, top: Rect, text: string): void {
  const { ctx } = art;
  const r = Math.min(Math.max(top.w * 0.15, art.px(6.5)), top.w * 0.34);
  const x = top.x + top.w - r * 0.4;
  const y = top.y + top.h - r * 0.4;
  ctx.fillStyle = '#1d1a15';
  ctx.strokeStyle = '#fbf7ec';
  ctx.lineWidth = art.px(1.2);
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 6.3);
  ctx.fill();
  ctx.stroke();
  ctx.fillStyle = '#fbf7ec';
  ctx.font = `bold ${r * (text.length > 1 ? 1.05 : 1.35)}px "Liberation Sans", Arial, sans-serif`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillText(text, x, y + r * 0.06);
}
