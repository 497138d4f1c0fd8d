// Sea, coast and land: the paper on which the rest is printed.
import type { Pattern } from '../lib/palette';
import type { MapSpace } from '../lib/types';
import { isLand, type Control, type Ctx, type Pen } from './pen';
import { hatchTile } from './shapes';

export function sea(pen: Pen): void {
  const { ctx, inks, on } = pen;
  const [w, h] = on.sheet.size;
  ctx.fillStyle = inks.paper;
  ctx.fillRect(-1e5, -1e5, 2e5, 2e5);
  ctx.save();
  ctx.shadowColor = 'rgba(0, 0, 0, 0.35)';
  ctx.shadowBlur = 14 * pen.wish.ratio;
  ctx.fillStyle = inks.sea;
  ctx.fillRect(0, 0, w, h);
  ctx.restore();
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, 0, w, h);
  ctx.clip();
  // Shoals: the lighter the nearer to the coast, as on hand-tinted charts.
  ctx.strokeStyle = inks.shoal;
  for (const [units, alpha] of [[78, 0.2], [48, 0.26], [24, 0.34]] as const) {
    ctx.globalAlpha = alpha;
    ctx.lineWidth = units;
    ctx.stroke(on.land);
  }
  ctx.globalAlpha = 1;
  ctx.strokeStyle = inks.shore;
  ctx.globalAlpha = 0.35;
  ctx.lineWidth = pen.width(9, 1.5);
  ctx.stroke(on.land);
  ctx.globalAlpha = 1;
  tintSpaces(pen, ctx, (space) => !isLand(space), 0.5);
  ctx.strokeStyle = inks.seaGrid;
  ctx.globalAlpha = 0.5;
  ctx.lineWidth = pen.width(1.4, 0.5);
  ctx.stroke(on.seaGrid);
  ctx.restore();
}

export function land(pen: Pen): void {
  const { earth, inks, on } = pen;
  earth.fillStyle = inks.land;
  earth.fill(on.land, 'evenodd');
  earth.globalCompositeOperation = 'source-atop';
  earth.globalAlpha = inks.tint;
  for (const { colour, path, bounds } of on.tints) {
    if (!pen.sees(bounds)) continue;
    earth.fillStyle = colour;
    earth.fill(path);
  }
  earth.globalAlpha = 1;
  tintSpaces(pen, earth, isLand, 1);
  for (const { item, path, bounds } of on.spaces) {
    if (!isLand(item) || !pen.sees(bounds)) continue;
    const shade = pen.wish.shades[item.id];
    // Neutral land is pale; what is disputed or cut off is hatched.
    if (shade === 'neutral') wash(earth, path, inks.land, 0.42);
    else if (shade) hatch(pen, earth, path, inks.ink, 'cross', 0.22, 18);
    if (item.terrain === 'impassable') hatch(pen, earth, path, inks.ink, 'stripes', 0.25, 13);
    if (item.terrain === 'desert') wash(earth, path, inks.desert, 0.35);
  }
  for (const [rank, path] of on.rivers) {
    earth.strokeStyle = inks.river;
    earth.lineWidth = pen.width(Math.max(1.6, 4.4 - 0.8 * rank), rank < 3 ? 0.9 : 0.5);
    earth.stroke(path);
  }
  earth.fillStyle = inks.lake;
  earth.fill(on.lakes, 'evenodd');
  earth.strokeStyle = inks.shore;
  earth.lineWidth = pen.width(1.6, 0.5);
  earth.stroke(on.lakes);
}

function wash(ctx: Ctx, path: Path2D, colour: string, alpha: number): void {
  ctx.globalAlpha = alpha;
  ctx.fillStyle = colour;
  ctx.fill(path);
  ctx.globalAlpha = 1;
}

/** Who controls what, all spaces of a side at once: a tint, and along the border a band of the side's colour. For
 * colour-blind eyes the side's hatching, too. */
function tintSpaces(pen: Pen, ctx: Ctx, wanted: (space: MapSpace) => boolean, share: number): void {
  const groups = new Map<string, { shade: Control[string]; path: Path2D }>();
  for (const { item, path, bounds } of pen.on.spaces) {
    const shade = pen.wish.control[item.id];
    if (!shade || !wanted(item) || !pen.sees(bounds)) continue;
    const key = `${shade.deep} ${shade.pattern}`;
    const group = groups.get(key) ?? { shade, path: new Path2D() };
    group.path.addPath(path);
    groups.set(key, group);
  }
  for (const { shade, path } of groups.values()) {
    wash(ctx, path, shade.deep, 0.2 * shade.strength * share);
    borderBand(pen, ctx, path, shade.deep, share);
    if (!pen.wish.hatched) continue;
    const alpha = (shade.pattern === 'cross' ? 0.15 : 0.24) * share;
    if (shade.pattern !== 'plain') hatch(pen, ctx, path, shade.deep, shade.pattern, alpha, 36);
  }
}

/** A soft band inside the border of an area: the shadow that its surroundings throw into it. */
function borderBand(pen: Pen, ctx: Ctx, path: Path2D, colour: string, share: number): void {
  const { rect, scale } = pen.wish;
  const reach = 60;
  const around = new Path2D();
  around.rect(rect.x - reach, rect.y - reach, rect.w + 2 * reach, rect.h + 2 * reach);
  around.addPath(path);
  ctx.save();
  ctx.clip(path);
  ctx.globalAlpha = 0.62 * share;
  ctx.shadowColor = colour;
  ctx.shadowBlur = Math.min(26, Math.max(7, 20 * scale));
  ctx.fillStyle = colour;
  ctx.fill(around, 'evenodd');
  ctx.restore();
}

/** Hatching in map units, so that it lies on the paper and does not swim when the map moves. */
function hatch(pen: Pen, ctx: Ctx, path: Path2D, colour: string, pattern: Pattern, alpha: number, gap: number): void {
  const step = Math.min(Math.max(gap, 7 / pen.k), 17 / pen.k);
  const px = Math.max(4, Math.round(step * pen.wish.scale));
  const tile = ctx.createPattern(hatchTile(pattern, colour, px), 'repeat');
  if (!tile) return;
  tile.setTransform(new DOMMatrix().scale(step / px));
  ctx.globalAlpha = alpha;
  ctx.fillStyle = tile;
  ctx.fill(path);
  ctx.globalAlpha = 1;
}

/** Puts the finished land over the sea, with its coastline. */
export function layLand(pen: Pen): void {
  const { ctx, earth, inks, on } = pen;
  ctx.save();
  ctx.setTransform(1, 0, 0, 1, 0, 0);
  ctx.drawImage(earth.canvas as CanvasImageSource, 0, 0);
  ctx.restore();
  const [w, h] = on.sheet.size;
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, 0, w, h);
  ctx.clip();
  ctx.strokeStyle = inks.shore;
  ctx.lineWidth = pen.width(2.2, 0.7);
  ctx.stroke(on.land);
  ctx.restore();
}
