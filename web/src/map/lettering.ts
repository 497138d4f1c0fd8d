// Names on the map: how they are written, and the numbers of the hexes.
import type { Inks } from '../lib/palette';
import { placeLabels, type Placed } from './labels';
import { OFF_BOARD, type Ctx, type Pen } from './pen';

export const SERIF =
  '"Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", "Liberation Serif", "DejaVu Serif", Georgia, serif';
export const SANS = '"Avenir Next", "Gill Sans", "Segoe UI", "Liberation Sans", "Helvetica Neue", Arial, sans-serif';

export interface Style {
  colour: string;
  font?: string;
  halo?: boolean;
  haloAlpha?: number;
  alpha?: number;
  angle?: number;
  spacing?: number;
  sans?: boolean;
}
interface Tool {
  ctx: Ctx;
  inks: Inks;
  k: number;
}

/** The name of each hex, and the names of places where the wish asks for them. */
export function names(pen: Pen): void {
  const { inks, on, wish, map } = pen;
  if (wish.hexIds && map.grid && map.grid.id_size * pen.k > 6.5) {
    for (const { item } of on.spaces) {
      if (OFF_BOARD.has(item.kind)) continue;
      const x = item.at[0] + map.grid.id_at[0];
      const y = item.at[1] + map.grid.id_at[1];
      if (!pen.seesPoint(x, y, 50)) continue;
      write(pen, item.id, x, y, Math.min(map.grid.id_size * pen.k, 15), { colour: inks.grid, halo: false, sans: true });
    }
  }
  if (!wish.labels) return;
  for (const label of placeLabels(on.lettering, pen.k, wish.language)) {
    if (pen.seesPoint(label.x, label.y, 900)) writeName(pen, label);
  }
}

/** A name in the hand of its kind: seas in italics, countries spaced out, towns upright. */
export function writeName(tool: Tool, label: Placed): void {
  const { inks } = tool;
  const style = { spacing: label.spacing, angle: label.angle };
  switch (label.style) {
    case 'sea':
      return write(tool, label.text, label.x, label.y, label.px, { ...style, colour: inks.seaName, font: 'italic', halo: false });
    case 'country':
      return write(tool, label.text, label.x, label.y, label.px, {
        ...style, colour: inks.countryName, font: 'bold', haloAlpha: 0.5, alpha: 0.8,
      });
    case 'river':
      return write(tool, label.text, label.x, label.y, label.px, { ...style, colour: inks.riverName, font: 'italic' });
    case 'city':
      return write(tool, label.text, label.x, label.y, label.px, {
        ...style, colour: inks.ink, font: label.rank <= 2 ? 'bold' : '', sans: true,
      });
    default:
      return write(tool, label.text, label.x, label.y, label.px, { ...style, colour: inks.mountain, font: 'italic' });
  }
}

/** Writes at a place of the map in letters of so many screen pixels. */
export function write(tool: Tool, text: string, x: number, y: number, px: number, style: Style): void {
  const { ctx, inks, k } = tool;
  ctx.save();
  ctx.translate(x, y);
  ctx.rotate(style.angle ?? 0);
  ctx.scale(1 / k, 1 / k);
  // Whole and half sizes: letters of a size that was written before are there already.
  ctx.font = `${style.font ?? ''} ${Math.round(px * 2) / 2}px ${style.sans ? SANS : SERIF}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  if (style.spacing && 'letterSpacing' in ctx) ctx.letterSpacing = `${style.spacing}px`;
  if (style.halo !== false) {
    ctx.strokeStyle = inks.halo;
    ctx.globalAlpha = style.haloAlpha ?? 0.85;
    ctx.lineWidth = Math.max(2, px * 0.24);
    ctx.lineJoin = 'round';
    ctx.strokeText(text, 0, 0);
  }
  ctx.globalAlpha = style.alpha ?? 1;
  ctx.fillStyle = style.colour;
  ctx.fillText(text, 0, 0);
  ctx.restore();
}
