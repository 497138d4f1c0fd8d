// What lies on the table and where: the spaces and boxes of the map, the piles on them, who controls what.
import { paintsOf, type Paint } from '../lib/palette';
import type { MapBox, MapFile, MapSheet, MapSpace, Pair, Table } from '../lib/types';
import { pilesInBox } from './boxes';
import { HitIndex, overlaps, type Rect } from './geometry';
import { letteringOf, placeLabels, type Placed } from './labels';
import type { Control } from './pen';
import { extentOf, isLand, pileAt, pilesOf, type Pile } from './stacking';

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
/** No counter is drawn smaller than the first, in pixels; one with room around it not smaller than the second. */
const LEAST_COUNTER = 12;
const CLEAR_COUNTER = 24;
/** The side of such a counter as a multiple of the radius that is free of names and values. */
const ROOM_IN_HEX = 2.1;
const ROOM_IN_AREA = 1.15;

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

  constructor(readonly map: MapFile) {
    this.sheet = map.sheets[0] as MapSheet;
    for (const sheet of map.sheets) {
      for (const space of sheet.spaces) this.spaces.set(space.id, { space, sheet: sheet.id, path: new Path2D(space.d) });
      this.hits.set(sheet.id, new HitIndex(sheet.spaces));
      this.lettering.set(sheet.id, letteringOf(sheet));
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
  sizeIn(space: MapSpace): number {
    return this.map.grid ? space.r * 1.5 : Math.min(64, Math.max(28, space.r * 1.18));
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

  /** Piles as they are drawn at a scale: as large as their space has room for, and never too small to be seen. */
  grown(id: string, piles: Pile[], k: number): Pile[] {
    const space = this.boxRect(id) ? undefined : this.space(id); // what lies in a box stays in it
    if (!space) return piles;
    const room = space.r * k * (this.map.grid ? ROOM_IN_HEX : ROOM_IN_AREA);
    const least = Math.min(CLEAR_COUNTER, Math.max(LEAST_COUNTER, room)) / k;
    const by = least / this.sizeIn(space);
    if (by <= 1) return piles;
    // Piles side by side keep their distance, so that none hides another.
    const [x, y] = this.placeOf(id) ?? [0, 0];
    return piles.map((pile) => ({
      ...pile, x: x + (pile.x - x) * by, y: y + (pile.y - y) * by, size: pile.size * by, lift: pile.lift * by,
    }));
  }

  /** The space, and the pile on it, at a point of the map. */
  find(x: number, y: number, k: number): { space: string; pile: Pile | null } | null {
    if (this.look && !this.look.hideCounters) {
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
    if (!look.hideCounters) {
      for (const [id, piles] of this.piles) if (this.isHere(id)) taken.push(...this.grown(id, piles, k).map(extentOf));
    }
    const placed = placeLabels(this.lettering.get(this.sheet.id) ?? [], k, look.language, taken);
    this.names = { key, piles: this.piles, placed };
    return placed;
  }
}
