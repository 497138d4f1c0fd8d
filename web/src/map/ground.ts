// Paints the printed part of a map: sea, coast, land, terrain, borders, ways and names. Runs in a worker.
import type { MapFile, MapSheet } from '../lib/types';
import { boundsOf, parsePath } from './geometry';
import { letteringOf } from './labels';
import { land, layLand, sea } from './land';
import { names } from './lettering';
import { lines } from './lines';
import { isLand, Pen, type Ctx, type Sheet, type Wish } from './pen';
import { boxes, marks } from './printed';
import { smooth } from './shapes';
import { terrain } from './terrain';

export class Ground {
  private readonly sheets = new Map<string, Sheet>();

  constructor(private readonly map: MapFile) {
    for (const sheet of map.sheets) this.sheets.set(sheet.id, this.prepare(sheet));
  }

  private prepare(sheet: MapSheet): Sheet {
    const merged = (paths: Iterable<string>): Path2D => new Path2D([...paths].join(''));
    const rivers = new Map<number, string[]>();
    for (const river of sheet.rivers ?? []) push(rivers, river.rank ?? 2, river.d);
    const spaces = sheet.spaces.map((item) => ({
      item, path: new Path2D(item.d), bounds: boundsOf(parsePath(item.d)),
    }));
    const colours = new Map((this.map.countries ?? []).map((country) => [country.id, country.colour]));
    const areas = sheet.tints ?? sheet.spaces.flatMap((s) => (s.country && isLand(s) ? [{ country: s.country, d: s.d }] : []));
    const tints = areas.flatMap(({ country, d }) => {
      const colour = colours.get(country);
      return colour ? [{ colour, path: new Path2D(d), bounds: boundsOf(parsePath(d)) }] : [];
    });
    const edges = new Map<string, string[]>();
    for (const edge of sheet.edges ?? []) if (edge.d) push(edges, edge.kind, edge.kind === 'lane' ? smooth(edge.d) : edge.d);
    const [w, h] = sheet.size;
    return {
      sheet,
      land: merged(sheet.land ?? []),
      lakes: merged(sheet.lakes ?? []),
      rivers: mapValues(rivers, merged),
      tints,
      spaces,
      landGrid: merged(sheet.spaces.filter((s) => isLand(s)).map((s) => s.d)),
      seaGrid: merged(sheet.spaces.filter((s) => s.kind === 'sea').map((s) => s.d)),
      borders: (sheet.borders ?? []).map((b) => ({ kind: b.kind, path: new Path2D(b.d) })),
      edges: mapValues(edges, merged),
      lettering: letteringOf(sheet),
      frame: sheet.frame ? new Path2D(sheet.frame) : null,
      outside: sheet.frame ? new Path2D(`M0 0H${w}V${h}H0Z${sheet.frame}`) : null,
    };
  }

  /** Paints into a canvas whose pixels are the wished rectangle. `layer` gives a second canvas of the same size. */
  paint(ctx: Ctx, wish: Wish, layer: (w: number, h: number) => Ctx): void {
    const sheet = this.sheets.get(wish.sheet) ?? [...this.sheets.values()][0];
    if (!sheet) return;
    const width = Math.round(wish.rect.w * wish.scale);
    const height = Math.round(wish.rect.h * wish.scale);
    const earth = layer(width, height);
    for (const one of [ctx, earth]) {
      one.setTransform(wish.scale, 0, 0, wish.scale, -wish.rect.x * wish.scale, -wish.rect.y * wish.scale);
      one.lineJoin = 'round';
      one.lineCap = 'round';
    }
    const pen = new Pen(ctx, earth, wish, sheet, this.map);
    sea(pen);
    land(pen);
    terrain(pen);
    layLand(pen);
    lines(pen);
    marks(pen);
    boxes(pen);
    names(pen);
  }
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const found = map.get(key);
  if (found) found.push(value);
  else map.set(key, [value]);
}
function mapValues<K, A, B>(map: Map<K, A>, change: (value: A) => B): Map<K, B> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
