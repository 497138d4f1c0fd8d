// What is lit up, chosen, pointed at or told about on the map, and the overlays one switches on.
import type { Overlay } from '../lib/types';
import { LIT, LIT_EDGE, toldColour, type Art } from './art';
import { drawArrow } from './arrows';

const OVERLAY_COLOURS = ['#1b7837', '#c2410c', '#4f46b8', '#b58900', '#0e7490', '#a21caf', '#52525b'];

export function overlayColour(overlay: Overlay, key: string): string {
  const keys = Object.keys(overlay.legend ?? {});
  const place = Math.max(0, keys.indexOf(key));
  return OVERLAY_COLOURS[place % OVERLAY_COLOURS.length] as string;
}

export function drawOverlays(art: Art): void {
  const { look } = art;
  for (const overlay of look.table.overlays ?? []) {
    if (!look.overlays.includes(overlay.id)) continue;
    for (const [id, key] of Object.entries(overlay.spaces ?? {})) {
      if (!art.scene.isSeen(id, art.seen)) continue;
      const path = art.scene.trace(id);
      if (!path) continue;
      const { ctx } = art;
      ctx.fillStyle = overlayColour(overlay, key);
      ctx.globalAlpha = 0.34;
      ctx.fill(path);
      ctx.globalAlpha = 1;
    }
    for (const arrow of overlay.arrows ?? []) drawArrow(art, arrow);
  }
}

export function drawLit(art: Art): void {
  const { ctx, look } = art;
  for (const id of look.litSpaces) {
    if (!art.scene.isSeen(id, art.seen)) continue;
    const path = art.scene.trace(id);
    if (!path) continue;
    ctx.fillStyle = LIT;
    ctx.globalAlpha = id === art.scene.hovered ? 0.42 : 0.24;
    ctx.fill(path);
    ctx.globalAlpha = 1;
    ctx.lineJoin = 'round';
    ctx.strokeStyle = LIT_EDGE;
    // A ragged coast needs a finer line than a hex.
    const fine = art.scene.map.grid ? 1 : 0.7;
    ctx.lineWidth = art.px(4.2 * fine);
    ctx.stroke(path);
    ctx.strokeStyle = LIT;
    ctx.lineWidth = art.px(2.4 * fine);
    ctx.stroke(path);
  }
  for (const id of look.paleSpaces) {
    const path = art.scene.isSeen(id, art.seen) ? art.scene.trace(id) : null;
    if (!path) continue;
    ctx.strokeStyle = LIT;
    ctx.lineWidth = art.px(1.6);
    ctx.setLineDash([art.px(5), art.px(4)]);
    ctx.stroke(path);
    ctx.setLineDash([]);
  }
  for (const id of look.chosenSpaces) {
    const path = art.scene.trace(id);
    if (!path || !art.scene.isHere(id)) continue;
    ctx.fillStyle = '#2f7fd1';
    ctx.globalAlpha = 0.34;
    ctx.fill(path);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = '#0d3e75';
    ctx.lineWidth = art.px(2.4);
    ctx.stroke(path);
  }
  for (const id of look.flash) {
    const path = art.scene.trace(id);
    if (!path || !art.scene.isHere(id)) continue;
    ctx.strokeStyle = '#c2410c';
    ctx.lineWidth = art.px(3);
    ctx.setLineDash([art.px(7), art.px(5)]);
    ctx.stroke(path);
    ctx.setLineDash([]);
  }
}

export function drawNotes(art: Art): void {
  const { ctx, look } = art;
  for (const [id, text] of look.notes) {
    if (!text || !art.scene.isSeen(id, art.seen)) continue;
    const at = art.scene.placeOf(id);
    if (!at) continue;
    const h = art.px(16);
    const r = art.scene.space(id)?.r ?? 50;
    ctx.font = `bold ${art.px(11)}px "Liberation Sans", Arial, sans-serif`;
    const w = ctx.measureText(text).width + art.px(9);
    const x = at[0] - w / 2;
    const y = at[1] + Math.max(r * 0.9, art.px(13)) - h / 2;
    ctx.fillStyle = LIT_EDGE;
    ctx.beginPath();
    ctx.roundRect(x, y, w, h, h / 2);
    ctx.fill();
    ctx.fillStyle = '#fff4cc';
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.fillText(text, at[0], y + h * 0.54);
  }
}

/** What somebody has drawn to tell of it: rings around spaces, arrows from one to another. */
export function drawTold(art: Art): void {
  const { ctx, look, scene } = art;
  const colour = toldColour(look.dark);
  for (const id of look.drawn?.spaces ?? []) {
    const path = scene.isHere(id) ? scene.trace(id) : null;
    if (!path) continue;
    ctx.fillStyle = colour;
    ctx.globalAlpha = 0.16;
    ctx.fill(path);
    ctx.globalAlpha = 1;
    for (const [paint, width] of [[look.dark ? 'rgba(18,16,12,0.85)' : 'rgba(255,250,235,0.9)', 6], [colour, 3.4]] as const) {
      ctx.strokeStyle = paint;
      ctx.lineWidth = art.px(width);
      ctx.stroke(path);
    }
  }
  for (const path of look.drawn?.arrows ?? []) drawArrow(art, { path, kind: 'told' });
}

export function drawRings(art: Art): void {
  const { ctx, look } = art;
  const outline = (id: string | null, colour: string, width: number, dash: number[] = []): void => {
    if (!id || !art.scene.isHere(id)) return;
    const path = art.scene.trace(id);
    if (!path) return;
    ctx.strokeStyle = colour;
    ctx.lineWidth = art.px(width);
    ctx.setLineDash(dash.map((d) => art.px(d)));
    ctx.stroke(path);
    ctx.setLineDash([]);
  };
  outline(art.scene.hovered, look.dark ? 'rgba(255,255,255,0.7)' : 'rgba(0,0,0,0.55)', 1.6);
  if (look.selected && !look.chosenSpaces.has(look.selected)) outline(look.selected, look.dark ? '#ffffff' : '#161310', 2.2);
  outline(art.scene.cursor, '#0b62c4', 4, [9, 4]);
}
