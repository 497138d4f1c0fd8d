// Everything that changes, drawn over the ground from the lowest to the highest.
import { DARK, LIGHT } from '../lib/palette';
import type { Art } from './art';
import { drawArrow } from './arrows';
import { drawCounters } from './counters';
import type { Rect } from './geometry';
import { writeName } from './lettering';
import { drawLit, drawNotes, drawOverlays, drawRings, drawTold } from './lights';
import { drawMarks } from './marks';
import type { Scene } from './scene';

export function drawThings(ctx: CanvasRenderingContext2D, scene: Scene, seen: Rect, k: number, ratio: number): void {
  const { look } = scene;
  if (!look) return;
  const art: Art = { ctx, scene, look, seen, k, ratio, px: (pixels) => pixels / k };
  ctx.lineJoin = 'round';
  drawOverlays(art);
  drawNames(art);
  drawLit(art);
  drawMarks(art);
  for (const arrow of look.table.arrows ?? []) drawArrow(art, arrow);
  if (!look.hideCounters) drawCounters(art);
  if (look.path.length > 1) drawArrow(art, { path: [...look.path], kind: 'chosen' });
  drawTold(art);
  drawNotes(art);
  drawRings(art);
}

function drawNames(art: Art): void {
  const { ctx, scene, k, look, seen } = art;
  const tool = { ctx, k, inks: look.dark ? DARK : LIGHT };
  const reach = 300 / k;
  for (const name of scene.namesAt(k)) {
    const near = name.x > seen.x - reach && name.x < seen.x + seen.w + reach && name.y > seen.y - reach && name.y < seen.y + seen.h + reach;
    if (near) writeName(tool, name);
  }
}
