// What lies on the table and where: the spaces and boxes of the map, the piles on them, who controls what.
import { paintsOf, type Paint } from '../lib/palette';
import type { MapBox, MapFile, MapSheet, MapSpace, Pair, Table } from '../lib/types';
import { pilesInBox } from './boxes';
import { grow, HitIndex, overlaps, type Rect } from './geometry';
import { letteringOf, placeLabels, type Placed } from './labels';
import { markRects } from './marks';
import type { Control } from './pen';
import { extentOf, isLand, pileAt, pilesOf, type Pile } from './stacking';
import { tilesOf, type Tile } from './tiles';

export interface Look {
  table: Table;
  dark: boolean;
  safe: boolean;
  language: string;
  control: boolean;
  hexIds: boolean;
  labels: boolean;
  hideCounters: boolean;
  overlays: string[];
  litSpaces: ReadonlySet<string>;
  /** Lit for some of what is chosen, not for all. */
  paleSpaces: ReadonlySet<string>;
  litUnits: ReadonlySet<string>;
  chosenSpaces: ReadonlySet<string>;
  chosenUnits: ReadonlySet<string>;
  notes: ReadonlyMap<string, string>;
  path: readonly string[];
  selected: string | null;
  flash: ReadonlySet<string>;
  /** What somebody has drawn on the map to tell of it. */
  drawn?: Drawing;
}
export interface Drawing {
  /** Each from space to space. */
  arrows: readonly string[][];
  spaces: readonly string[];
}

const NOBODY: Paint = { fill: '#ddd', deep: '#666', ink: '#111', pattern: 'plain' } as Paint;
/** No counter is drawn smaller, in pixels: before that, stacks become tiles. */
const LEAST_COUNTER = 24;

export class Scene {
  look: Look | null = null;
  sheet: MapSheet;
  hovered: string | null = null;
  cursor: string | null = null;
  control: Control = {};
  shades: Record<string, string> = {};
  /** Spaces whose value the table tells. */
  values: string[] = [];
  piles = new Map<string, Pile[]>();
  private paints: Record<string, Paint> = {};
  private readonly hits = new Map<string, HitIndex>();
  private readonly spaces = new Map<string, { space: MapSpace; sheet: string; path: Path2D }>();
  private readonly boxes = new Map<string, MapBox>();
  private readonly lettering = new Map<string, ReturnType<typeof letteringOf>>();
  private names: { key: string; piles: Map<string, Pile[]>; placed: Placed[] } | null = null;
  private tiles: { key: string; piles: Map<string, Pile[]>; found: Tile[] } | null = null;
  /** By sheet: the side of counters in ports, and everywhere else. */
  private readonly sizes = new Map<string, { port: number; other: number }>();

  constructor(readonly map: MapFile) {
    this.sheet = map.sheets[0] as MapSheet;
    for (const sheet of map.sheets) {
      for (const space of sheet.spaces) this.spaces.set(space.id, { space, sheet: sheet.id, path: new Path2D(space.d) });
      this.hits.set(sheet.id, new HitIndex(sheet.spaces));
      this.lettering.set(sheet.id, letteringOf(sheet));
      const room = (port: boolean): number[] => sheet.spaces.filter((one) => one.kind !== 'box' && (one.kind === 'port') === port).map((one) => one.r);
      this.sizes.set(sheet.id, { port: usual(room(true), 1.8, 30, 40), other: usual(room(false), 1.3, 44, 60) });
    }
    for (const box of map.boxes ?? []) {
      this.boxes.set(box.id, box);
      const [x, y, w, h] = box.rect;
      this.hits.get(box.sheet)?.addRect(box.id, { x, y, w, h });
    }
  }

  /** Take in what is to be shown. True where sides or colours are others than before. */
  show(look: Look): boolean {
    const before = this.look;
    this.look = look;
    const same = before && before.table === look.table && before.safe === look.safe && before.control === look.control && before.dark === look.dark;
    if (same) return false;
    this.paints = paintsOf(look.table.sides, look.safe);
    this.control = {};
    this.shades = {};
    for (const [id, face] of Object.entries(look.table.spaces)) {
      const paint = face.side ? this.paints[face.side] : undefined;
      // What is nobody's keeps the colour of its country.
      const free = face.side && look.table.sides[face.side]?.colour === 'neutral';
      if (look.control && paint && !free) this.control[id] = { deep: paint.deep, pattern: paint.pattern, strength: 1 };
      if (face.shade) this.shades[id] = face.shade;
    }
    this.values = Object.entries(look.table.spaces).flatMap(([id, face]) => (face.value ? [id] : []));
    this.stack(look.table);
    return true;
  }

  private stack(table: Table): void {
    this.piles = new Map();
    for (const [id, counters] of Object.entries(table.stacks)) {
      if (counters.length === 0) continue;
      const box = this.boxRect(id);
      const space = this.space(id);
      // Land units lie on top of what flies and sails.
      const order = [...counters].sort((a, b) => Number(isLand(a)) - Number(isLand(b)));
      if (box) this.piles.set(id, pilesInBox(order, box));
      else if (space) this.piles.set(id, pilesOf(order, space.at, { size: this.sizeIn(space) }));
    }
  }

  space(id: string): MapSpace | undefined {
    return this.spaces.get(id)?.space;
  }
  isBox(id: string): boolean {
    return this.boxes.has(id);
  }
  boxRect(id: string): Rect | null {
    const box = this.boxes.get(id);
    if (box) return { x: box.rect[0], y: box.rect[1], w: box.rect[2], h: box.rect[3] };
    const found = this.spaces.get(id);
    if (found && found.space.kind === 'box') return this.hits.get(found.sheet)?.boundsOf(id) ?? null;
    return null;
  }
  /** The same for all spaces of a sheet, ports apart. */
  sizeIn(space: MapSpace): number {
    if (this.map.grid) return space.r * 1.5;
    const sizes = this.sizes.get(this.spaces.get(space.id)?.sheet ?? this.sheet.id);
    return (space.kind === 'port' ? sizes?.port : sizes?.other) ?? 50;
  }
  /** Whether counters would be too small to be read: stacks are tiles then. */
  isFar(k: number): boolean {
    const sample = this.sheet.spaces.find((space) => space.kind !== 'box' && space.kind !== 'port');
    return sample !== undefined && this.sizeIn(sample) * k < LEAST_COUNTER;
  }
  /** The tiles at a scale. */
  tilesAt(k: number): Tile[] {
    const key = `${this.sheet.id} ${k.toFixed(4)}`;
    if (this.tiles?.key !== key || this.tiles.piles !== this.piles) {
      const here = [...this.piles].filter(([id]) => this.isHere(id)).flatMap(([space, piles]) => piles.map((pile) => ({ space, pile })));
      this.tiles = { key, piles: this.piles, found: tilesOf(here, k) };
    }
    return this.tiles.found;
  }
  placeOf(id: string): Pair | null {
    const box = this.boxRect(id);
    if (box) return [box.x + box.w / 2, box.y + box.h / 2];
    return this.space(id)?.at ?? null;
  }
  sheetOf(id: string): string | undefined {
    return this.boxes.get(id)?.sheet ?? this.spaces.get(id)?.sheet;
  }
  isHere(id: string): boolean {
    return this.sheetOf(id) === this.sheet.id;
  }
  isSeen(id: string, seen: Rect): boolean {
    if (!this.isHere(id)) return false;
    const bounds = this.boxRect(id) ?? this.hits.get(this.sheet.id)?.boundsOf(id);
    return bounds ? overlaps(bounds, seen) : false;
  }
  /** The outline of a space or box. */
  trace(id: string): Path2D | null {
    const box = this.boxes.get(id);
    if (box) {
      const path = new Path2D();
      path.roundRect(...box.rect, 10);
      return path;
    }
    return this.spaces.get(id)?.path ?? null;
  }
  paintOf(side: string): Paint {
    return this.paints[side] ?? Object.values(this.paints)[0] ?? NOBODY;
  }
  /** The colour of a line of this side: the deep one, or the light one where the ground is dark. */
  lineOf(side: string | undefined, otherwise: string): string {
    const paint = side ? this.paints[side] : undefined;
    return (this.look?.dark ? paint?.fill : paint?.deep) || otherwise;
  }

  /** Piles as they are drawn at a scale: never too small to be seen. */
  grown(id: string, piles: Pile[], k: number): Pile[] {
    const space = this.boxRect(id) ? undefined : this.space(id); // what lies in a box stays in it
    const by = space ? LEAST_COUNTER / k / this.sizeIn(space) : 1;
    if (by <= 1) return piles;
    // Piles side by side keep their distance, so that none hides another.
    const [x, y] = this.placeOf(id) ?? [0, 0];
    return piles.map((pile) => ({
      ...pile, x: x + (pile.x - x) * by, y: y + (pile.y - y) * by, size: pile.size * by, lift: pile.lift * by,
    }));
  }

  /** The space, and the pile on it, at a point of the map. */
  find(x: number, y: number, k: number): { space: string; pile: Pile | null; cluster?: string[] } | null {
    if (this.look && !this.look.hideCounters && this.isFar(k)) {
      const tile = this.tilesAt(k).findLast((one) => contains(one.rect, x, y));
      const [space] = tile?.spaces ?? [];
      if (tile && space) return tile.spaces.length === 1 ? { space, pile: tile.piles[0] ?? null } : { space, pile: null, cluster: tile.spaces };
    } else if (this.look && !this.look.hideCounters) {
      for (const [id, piles] of this.piles) {
        if (!this.isHere(id)) continue;
        const place = this.grown(id, piles, k);
        const pile = pileAt(place, x, y);
        if (pile) return { space: id, pile: piles[place.indexOf(pile)] ?? pile };
      }
    }
    const id = this.hits.get(this.sheet.id)?.at(x, y);
    return id ? { space: id, pile: null } : null;
  }

  nearest(from: Pair): string | null {
    let best: string | null = null;
    let least = Infinity;
    for (const { id, at } of this.sheet.spaces) {
      const far = Math.hypot(at[0] - from[0], at[1] - from[1]);
      if (far < least) {
        least = far;
        best = id;
      }
    }
    return best;
  }

  /** The names to write at a scale: they keep clear of one another and, where they can, of the counters. */
  namesAt(k: number): Placed[] {
    const look = this.look;
    if (!look?.labels) return [];
    const key = `${this.sheet.id} ${k.toFixed(4)} ${look.language} ${look.hideCounters}`;
    if (this.names?.key === key && this.names.piles === this.piles) return this.names.placed;
    const taken: Rect[] = [];
    if (!look.hideCounters && this.isFar(k)) taken.push(...this.tilesAt(k).map((tile) => tile.rect));
    else if (!look.hideCounters) {
      for (const [id, piles] of this.piles) if (this.isHere(id)) taken.push(...this.grown(id, piles, k).map((pile) => grow(extentOf(pile), 5 / k)));
    }
    if (!this.map.grid) taken.push(...markRects(this, k));
    const placed = placeLabels(this.lettering.get(this.sheet.id) ?? [], k, look.language, taken);
    this.names = { key, piles: this.piles, placed };
    return placed;
  }
}

/** A size that suits most: the lower quarter of what there is room for, within limits. */
function usual(room: number[], by: number, least: number, most: number): number {
  const quarter = [...room].sort((a, b) => a - b)[Math.floor(room.length / 4)] ?? 0;
  return Math.min(most, Math.max(least, quarter * by));
}
function contains({ x, y, w, h }: Rect, px: number, py: number): boolean {
  return px >= x && py >= y && px <= x + w && py <= y + h;
}
