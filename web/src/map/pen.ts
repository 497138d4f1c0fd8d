// What every part of the painter works with: the canvases, the wish, the prepared sheet, and how wide a line is.
import type { Inks, Pattern } from '../lib/palette';
import type { MapFile, MapSheet, MapSpace } from '../lib/types';
import { grow, overlaps, type Rect } from './geometry';
import type { letteringOf } from './labels';

export type Ctx = OffscreenCanvasRenderingContext2D | CanvasRenderingContext2D;

export interface Control {
  /** Paint and pattern by space. */
  [space: string]: { deep: string; pattern: Pattern; strength: number };
}
export interface Wish {
  sheet: string;
  /** The part of the map to paint. */
  rect: Rect;
  /** Device pixels to a map unit. */
  scale: number;
  /** Device pixels to a screen pixel. */
  ratio: number;
  inks: Inks;
  control: Control;
  shades: Record<string, string>;
  language: string;
  hexIds: boolean;
  labels: boolean;
  /** Sides are told apart by hatching, too. */
  hatched: boolean;
  /** Spaces whose value the table tells: the printed one is left out. */
  values: string[];
}

export interface Drawn<T> {
  item: T;
  path: Path2D;
  bounds: Rect;
}
export interface Sheet {
  sheet: MapSheet;
  land: Path2D;
  lakes: Path2D;
  rivers: Map<number, Path2D>;
  tints: { colour: string; path: Path2D; bounds: Rect }[];
  spaces: Drawn<MapSpace>[];
  landGrid: Path2D;
  seaGrid: Path2D;
  borders: { kind: string; path: Path2D }[];
  edges: Map<string, Path2D>;
  lettering: ReturnType<typeof letteringOf>;
  frame: Path2D | null;
  outside: Path2D | null;
}

export class Pen {
  readonly inks: Inks;
  /** Screen pixels to a map unit. */
  readonly k: number;

  constructor(
    readonly ctx: Ctx,
    /** A second canvas for the land, which is laid over the sea when it is done. */
    readonly earth: Ctx,
    readonly wish: Wish,
    readonly on: Sheet,
    readonly map: MapFile,
  ) {
    this.inks = wish.inks;
    this.k = wish.scale / wish.ratio;
  }

  /** A line width in map units that is never thinner than so many screen pixels. */
  width(units: number, least: number): number {
    return Math.max(units, least / this.k);
  }
  sees(bounds: Rect): boolean {
    return overlaps(grow(bounds, 40), this.wish.rect);
  }
  seesPoint(x: number, y: number, reach: number): boolean {
    const { rect } = this.wish;
    return x > rect.x - reach && x < rect.x + rect.w + reach && y > rect.y - reach && y < rect.y + rect.h + reach;
  }
}

export const OFF_BOARD = new Set(['box', 'offmap']);

export function isLand(space: MapSpace): boolean {
  return space.kind !== 'sea' && space.kind !== 'port' && !OFF_BOARD.has(space.kind);
}
