// Paints the printed part of a map: sea, coast, land, terrain, borders, ways and names. Runs in a worker.
import { hash, type Inks, type Pattern } from '../lib/palette';
import type { MapEdge, MapFile, MapMark, MapSheet, MapSpace, Pair } from '../lib/types';
import { boundsOf, grow, overlaps, parsePath, type Rect } from './geometry';
import { letteringOf, placeLabels } from './labels';

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
  /** Spaces whose value the table tells: the printed one is left out. */
  values: string[];
}

interface Drawn<T> {
  item: T;
  path: Path2D;
  bounds: Rect;
}
interface Sheet {
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

const OFF_BOARD = new Set(['box', 'offmap']);

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
      const colour = colours.get(country) ?? (colours.size === 0 ? pastel(country) : undefined);
      return colour ? [{ colour, path: new Path2D(d), bounds: boundsOf(parsePath(d)) }] : [];
    });
    const edges = new Map<string, string[]>();
    for (const edge of sheet.edges ?? []) if (edge.d) push(edges, edge.kind, edge.d);
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
    const land = layer(width, height);
    for (const one of [ctx, land]) {
      one.setTransform(wish.scale, 0, 0, wish.scale, -wish.rect.x * wish.scale, -wish.rect.y * wish.scale);
      one.lineJoin = 'round';
      one.lineCap = 'round';
    }
    const brush = new Brush(ctx, land, wish, sheet, this.map);
    brush.sea();
    brush.land();
    brush.terrain();
    brush.layLand();
    brush.lines();
    brush.marks();
    brush.boxes();
    brush.names();
  }
}

class Brush {
  private readonly inks: Inks;
  private readonly k: number;

  constructor(
    private readonly ctx: Ctx,
    private readonly earth: Ctx,
    private readonly wish: Wish,
    private readonly on: Sheet,
    private readonly map: MapFile,
  ) {
    this.inks = wish.inks;
    this.k = wish.scale / wish.ratio;
  }

  /** A line width in map units that is never thinner than so many screen pixels. */
  private width(units: number, least: number): number {
    return Math.max(units, least / this.k);
  }
  private sees(bounds: Rect): boolean {
    return overlaps(grow(bounds, 40), this.wish.rect);
  }
  private seesPoint(x: number, y: number, reach: number): boolean {
    const { rect } = this.wish;
    return x > rect.x - reach && x < rect.x + rect.w + reach && y > rect.y - reach && y < rect.y + rect.h + reach;
  }

  sea(): void {
    const { ctx, inks, on } = this;
    const [w, h] = on.sheet.size;
    ctx.fillStyle = inks.paper;
    ctx.fillRect(-1e5, -1e5, 2e5, 2e5);
    ctx.save();
    ctx.shadowColor = 'rgba(0, 0, 0, 0.35)';
    ctx.shadowBlur = 14 * this.wish.ratio;
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
    ctx.lineWidth = this.width(9, 1.5);
    ctx.stroke(on.land);
    ctx.globalAlpha = 1;
    this.tintSpaces(ctx, (space) => !isLand(space), 0.5);
    ctx.strokeStyle = inks.seaGrid;
    ctx.globalAlpha = 0.5;
    ctx.lineWidth = this.width(1.4, 0.5);
    ctx.stroke(on.seaGrid);
    ctx.restore();
  }

  land(): void {
    const { earth, inks, on } = this;
    earth.fillStyle = inks.land;
    earth.fill(on.land, 'evenodd');
    earth.globalCompositeOperation = 'source-atop';
    earth.globalAlpha = inks.tint;
    for (const { colour, path, bounds } of on.tints) {
      if (!this.sees(bounds)) continue;
      earth.fillStyle = colour;
      earth.fill(path);
    }
    earth.globalAlpha = 1;
    this.tintSpaces(earth, isLand, 1);
    for (const { item, path, bounds } of on.spaces) {
      if (!isLand(item) || !this.sees(bounds)) continue;
      if (this.wish.shades[item.id]) this.hatch(earth, path, inks.ink, 'cross', 0.22, 18);
      if (item.terrain === 'impassable') this.hatch(earth, path, inks.ink, 'stripes', 0.25, 13);
      if (item.terrain === 'desert') {
        earth.globalAlpha = 0.35;
        earth.fillStyle = inks.desert;
        earth.fill(path);
        earth.globalAlpha = 1;
      }
    }
    for (const [rank, path] of on.rivers) {
      earth.strokeStyle = inks.river;
      earth.lineWidth = this.width(Math.max(1.6, 4.4 - 0.8 * rank), rank < 3 ? 0.9 : 0.5);
      earth.stroke(path);
    }
    earth.fillStyle = inks.lake;
    earth.fill(on.lakes, 'evenodd');
    earth.strokeStyle = inks.shore;
    earth.lineWidth = this.width(1.6, 0.5);
    earth.stroke(on.lakes);
  }

  /** Who controls what: all spaces of a side at once, so that a hundred hatchings cost as much as one. */
  private tintSpaces(ctx: Ctx, wanted: (space: MapSpace) => boolean, share: number): void {
    const groups = new Map<string, { shade: Control[string]; path: Path2D }>();
    for (const { item, path, bounds } of this.on.spaces) {
      const shade = this.wish.control[item.id];
      if (!shade || !wanted(item) || !this.sees(bounds)) continue;
      const key = `${shade.deep} ${shade.pattern}`;
      const group = groups.get(key) ?? { shade, path: new Path2D() };
      group.path.addPath(path);
      groups.set(key, group);
    }
    for (const { shade, path } of groups.values()) {
      ctx.globalAlpha = 0.17 * shade.strength * share;
      ctx.fillStyle = shade.deep;
      ctx.fill(path);
      ctx.globalAlpha = 1;
      const alpha = (shade.pattern === 'cross' ? 0.15 : 0.24) * share;
      if (shade.pattern !== 'plain') this.hatch(ctx, path, shade.deep, shade.pattern, alpha, 36);
    }
  }

  /** Hatching in map units, so that it lies on the paper and does not swim when the map moves. */
  private hatch(ctx: Ctx, path: Path2D, colour: string, pattern: Pattern, alpha: number, gap: number): void {
    const step = Math.max(gap, 7 / this.k);
    const px = Math.max(4, Math.round(step * this.wish.scale));
    const tile = ctx.createPattern(hatchTile(pattern, colour, px), 'repeat');
    if (!tile) return;
    tile.setTransform(new DOMMatrix().scale(step / px));
    ctx.globalAlpha = alpha;
    ctx.fillStyle = tile;
    ctx.fill(path);
    ctx.globalAlpha = 1;
  }

  terrain(): void {
    const { earth: ctx, inks, on } = this;
    const sheet = on.sheet;
    for (const [x, y, s] of visibleOf(sheet.hills, this)) {
      ctx.strokeStyle = inks.hill;
      ctx.lineWidth = this.width(2, 0.5);
      ctx.globalAlpha = 0.85;
      ctx.beginPath();
      ctx.moveTo(x - s, y + s * 0.35);
      ctx.quadraticCurveTo(x - s * 0.15, y - s * 0.95, x + s * 0.85, y + s * 0.35);
      ctx.moveTo(x + s * 0.05, y - s * 0.12);
      ctx.lineTo(x + s * 0.28, y + s * 0.3);
      ctx.moveTo(x + s * 0.34, y - s * 0.02);
      ctx.lineTo(x + s * 0.55, y + s * 0.32);
      ctx.stroke();
    }
    ctx.globalAlpha = 1;
    for (const [x, y, s] of visibleOf(sheet.forests, this)) {
      ctx.fillStyle = inks.forestDeep;
      ctx.globalAlpha = 0.5;
      ctx.beginPath();
      ctx.ellipse(x + s * 0.3, y + s * 0.62, s * 0.75, s * 0.24, 0, 0, 6.3);
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.fillStyle = inks.forest;
      ctx.strokeStyle = inks.forestDeep;
      ctx.lineWidth = this.width(1.2, 0.3);
      ctx.beginPath();
      if (hash(`${x}${y}`) % 3 === 0) {
        ctx.moveTo(x, y - s);
        ctx.lineTo(x + s * 0.62, y + s * 0.6);
        ctx.lineTo(x - s * 0.62, y + s * 0.6);
        ctx.closePath();
      } else {
        ctx.arc(x, y, s * 0.66, 0, 6.3);
      }
      ctx.fill();
      ctx.stroke();
    }
    for (const [x, y, s] of visibleOf(sheet.marsh, this)) {
      ctx.strokeStyle = inks.marsh;
      ctx.lineWidth = this.width(2, 0.5);
      ctx.beginPath();
      ctx.moveTo(x - s, y + s * 0.3);
      ctx.lineTo(x + s, y + s * 0.3);
      for (const [dx, lean] of [[-0.4, -0.55], [0, 0], [0.4, 0.55]] as const) {
        ctx.moveTo(x + s * dx * 0.6, y + s * 0.2);
        ctx.lineTo(x + s * (dx * 0.6 + lean * 0.4), y - s * 0.55);
      }
      ctx.stroke();
    }
    for (const [x, y, s] of visibleOf(sheet.desert, this)) {
      ctx.fillStyle = inks.desert;
      for (const [dx, dy] of [[-0.6, 0.2], [0, -0.3], [0.5, 0.4], [0.7, -0.2], [-0.2, 0.6]] as const) {
        ctx.fillRect(x + dx * s, y + dy * s, this.width(2.6, 0.7), this.width(2.6, 0.7));
      }
    }
    for (const [x, y, s] of visibleOf(sheet.mountains, this)) this.mountain(ctx, x, y, s);
  }

  private mountain(ctx: Ctx, x: number, y: number, s: number): void {
    const { inks } = this;
    const lean = ((hash(`${x},${y}`) % 100) / 100 - 0.5) * 0.36;
    const px = x + s * (lean - 0.08);
    const py = y - s * 0.78;
    ctx.fillStyle = inks.land;
    ctx.beginPath();
    ctx.moveTo(x - s, y + s * 0.55);
    ctx.quadraticCurveTo(x - s * 0.45, y + s * 0.1, px, py);
    ctx.quadraticCurveTo(x + s * 0.5, y, x + s, y + s * 0.55);
    ctx.fill();
    ctx.fillStyle = inks.mountainShade;
    ctx.beginPath();
    ctx.moveTo(px, py);
    ctx.quadraticCurveTo(x + s * 0.5, y, x + s, y + s * 0.55);
    ctx.lineTo(x + s * 0.12, y + s * 0.55);
    ctx.lineTo(x + s * 0.26, y + s * 0.16);
    ctx.lineTo(x + s * 0.02, y - s * 0.04);
    ctx.closePath();
    ctx.fill();
    ctx.strokeStyle = inks.mountain;
    ctx.lineWidth = this.width(2, 0.5);
    ctx.beginPath();
    ctx.moveTo(x - s, y + s * 0.55);
    ctx.quadraticCurveTo(x - s * 0.45, y + s * 0.1, px, py);
    ctx.quadraticCurveTo(x + s * 0.5, y, x + s, y + s * 0.55);
    ctx.stroke();
  }

  /** Puts the finished land over the sea, with its coastline. */
  layLand(): void {
    const { ctx, earth, inks, on } = this;
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
    ctx.lineWidth = this.width(2.2, 0.7);
    ctx.stroke(on.land);
    ctx.restore();
  }

  lines(): void {
    const { ctx, inks, on } = this;
    ctx.strokeStyle = inks.grid;
    ctx.globalAlpha = this.map.grid ? 0.42 : 0.7;
    ctx.lineWidth = this.width(this.map.grid ? 1.5 : 2.2, 0.55);
    ctx.stroke(on.landGrid);
    ctx.globalAlpha = 1;
    for (const { kind, path } of on.borders) {
      if (kind === 'country') {
        ctx.strokeStyle = inks.border;
        ctx.globalAlpha = 0.2;
        ctx.lineWidth = this.width(11, 3);
        ctx.stroke(path);
        ctx.globalAlpha = 0.85;
        ctx.lineWidth = this.width(2.6, 0.9);
        ctx.setLineDash(dashes([12, 5, 3, 5], this.k));
        ctx.stroke(path);
        ctx.setLineDash([]);
      } else if (kind === 'front') {
        ctx.strokeStyle = inks.ink;
        ctx.globalAlpha = 0.75;
        ctx.lineWidth = this.width(4.5, 1.6);
        ctx.setLineDash(dashes([16, 10], this.k));
        ctx.stroke(path);
        ctx.setLineDash([]);
      } else {
        ctx.strokeStyle = kind === 'impassable' ? inks.mountain : inks.ink;
        ctx.globalAlpha = 0.8;
        ctx.lineWidth = this.width(7, 2.2);
        ctx.stroke(path);
      }
      ctx.globalAlpha = 1;
    }
    for (const [kind, path] of on.edges) this.edge(kind, path);
    for (const edge of on.sheet.edges ?? []) this.edgeExtras(edge);
    if (on.outside) {
      ctx.fillStyle = inks.outside;
      ctx.fill(on.outside, 'evenodd');
    }
    if (on.frame) {
      ctx.strokeStyle = inks.ink;
      ctx.globalAlpha = 0.65;
      ctx.lineWidth = this.width(3, 1);
      ctx.stroke(on.frame);
      ctx.globalAlpha = 1;
    }
  }

  private edge(kind: string, path: Path2D): void {
    const { ctx, inks } = this;
    const line = (colour: string, units: number, least: number, dash: number[] = [], alpha = 1): void => {
      ctx.strokeStyle = colour;
      ctx.globalAlpha = alpha;
      ctx.lineWidth = this.width(units, least);
      ctx.lineCap = dash.length ? 'butt' : 'round';
      ctx.setLineDash(dashes(dash, this.k));
      ctx.stroke(path);
      ctx.setLineDash([]);
      ctx.lineCap = 'round';
      ctx.globalAlpha = 1;
    };
    switch (kind) {
      case 'river':
      case 'bridge':
        line(inks.shore, 8, 1.6, [], 0.45);
        line(inks.river, 6, 1.2);
        break;
      case 'canal':
        line(inks.river, 5, 1.4);
        line(inks.ink, 8, 2, [3, 9], 0.7);
        break;
      case 'lake':
        line(inks.river, 9, 2);
        break;
      case 'rail':
        line(inks.halo, 5.4, 1.8, [], 0.6);
        line(inks.rail, 2.4, 0.7, [], 0.9);
        line(inks.rail, 8, 2.4, [2, 13], 0.75);
        break;
      case 'sea':
      case 'all_sea':
      case 'blue':
        line(inks.river, 6, 1.6, [], 0.85);
        break;
      case 'partial':
        line(inks.river, 3.4, 0.9, [7, 6], 0.9);
        break;
      case 'strait':
      case 'crossing':
        line(inks.halo, 8, 2.6, [], 0.7);
        line(inks.strait, 4.5, 1.6);
        break;
      case 'sea_border':
        line(inks.seaName, 6, 1.8, [10, 8], 0.8);
        break;
      case 'sea_arrow':
      case 'lane':
        line(inks.seaName, 3.6, 1.1, [14, 9], 0.85);
        break;
      case 'mountain':
      case 'range':
        line(inks.mountain, 7, 2, [], 0.8);
        break;
      default:
        line(inks.ink, 3, 1, [8, 6], 0.6);
    }
  }

  private edgeExtras(edge: MapEdge): void {
    const { ctx, inks } = this;
    if (edge.kind === 'bridge' && edge.d && this.k > 0.12) {
      const [start, end] = endsOf(edge.d);
      if (!start || !end) return;
      const x = (start[0] + end[0]) / 2;
      const y = (start[1] + end[1]) / 2;
      if (!this.seesPoint(x, y, 20)) return;
      const angle = Math.atan2(end[1] - start[1], end[0] - start[0]) + Math.PI / 2;
      ctx.save();
      ctx.translate(x, y);
      ctx.rotate(angle);
      ctx.strokeStyle = inks.ink;
      ctx.lineWidth = this.width(2, 0.6);
      ctx.beginPath();
      for (const side of [-4.5, 4.5]) {
        ctx.moveTo(-13, side + Math.sign(side) * 3);
        ctx.lineTo(-9, side);
        ctx.lineTo(9, side);
        ctx.lineTo(13, side + Math.sign(side) * 3);
      }
      ctx.stroke();
      ctx.restore();
    }
    if (edge.kind === 'sea_arrow' && edge.d) {
      const points = parsePath(edge.d)[0] ?? [];
      const tip = points.at(-1);
      const before = points.at(-2);
      if (tip && before && this.seesPoint(tip[0], tip[1], 40)) {
        const angle = Math.atan2(tip[1] - before[1], tip[0] - before[0]);
        ctx.save();
        ctx.translate(tip[0], tip[1]);
        ctx.rotate(angle);
        ctx.fillStyle = inks.seaName;
        ctx.beginPath();
        ctx.moveTo(10, 0);
        ctx.lineTo(-14, -10);
        ctx.lineTo(-14, 10);
        ctx.fill();
        ctx.restore();
      }
    }
    if (edge.label && edge.label.size * this.k > 6.5) {
      this.write(edge.label.text, edge.label.at[0], edge.label.at[1], Math.min(edge.label.size * this.k, 24), {
        colour: inks.seaName, font: 'bold', angle: ((edge.label.angle ?? 0) * Math.PI) / 180,
      });
    }
  }

  marks(): void {
    for (const { item } of this.on.spaces) {
      for (const mark of item.marks ?? []) if (mark.kind !== 'value' || !this.wish.values.includes(item.id)) this.mark(mark);
      if (item.kind === 'port') this.port(item);
      const bare = item.value !== null && item.value !== undefined && item.value !== '' && !item.marks?.some((m) => m.kind === 'value');
      if (bare && !this.wish.values.includes(item.id) && this.k * item.r > 9) {
        this.valueBox(item.at[0] + item.r * 0.8, item.at[1] - item.r * 0.8, String(item.value), Math.min(10, item.r * 0.32));
      }
    }
  }

  private port(item: MapSpace): void {
    const { ctx, inks } = this;
    const [x, y] = item.at;
    if (!this.seesPoint(x, y, 60)) return;
    const path = new Path2D(item.d);
    ctx.fillStyle = inks.shoal;
    ctx.globalAlpha = 0.85;
    ctx.fill(path);
    ctx.globalAlpha = 1;
    ctx.strokeStyle = inks.seaName;
    ctx.lineWidth = this.width(1.6, 0.6);
    ctx.stroke(path);
    this.anchor(x, y, Math.min(item.r * 0.55, 14));
  }

  private mark(mark: MapMark): void {
    const { ctx, inks } = this;
    const [x, y] = mark.at ?? [0, 0];
    if (mark.at && !this.seesPoint(x, y, 40)) return;
    const least = 1.3 / this.k;
    ctx.strokeStyle = inks.ink;
    ctx.fillStyle = inks.ink;
    switch (mark.kind) {
      case 'capital': {
        const r = Math.max(12, 3 / this.k);
        ctx.fillStyle = inks.halo;
        ctx.lineWidth = this.width(2, 0.7);
        circle(ctx, x, y, r);
        ctx.fill();
        ctx.stroke();
        ctx.fillStyle = inks.border;
        star(ctx, x, y, r * 0.86);
        ctx.fill();
        break;
      }
      case 'city':
        ctx.lineWidth = this.width(2, 0.7);
        ctx.fillStyle = inks.halo;
        circle(ctx, x, y, Math.max(8, least * 1.7));
        ctx.fill();
        ctx.stroke();
        ctx.fillStyle = inks.ink;
        circle(ctx, x, y, Math.max(4, least));
        ctx.fill();
        break;
      case 'town':
        ctx.lineWidth = this.width(1.8, 0.6);
        ctx.fillStyle = inks.halo;
        circle(ctx, x, y, Math.max(5.4, least));
        ctx.fill();
        ctx.stroke();
        break;
      case 'fort':
        ctx.lineWidth = this.width(2.2, 0.7);
        ctx.fillStyle = inks.mountainShade;
        polygon(ctx, x, y, 15, 8, 0.62);
        ctx.fill();
        ctx.stroke();
        break;
      case 'entrenchment':
        if (mark.d) {
          ctx.strokeStyle = inks.rail;
          ctx.lineWidth = this.width(2.4, 0.8);
          ctx.stroke(new Path2D(mark.d));
        }
        break;
      case 'objective':
        ctx.lineWidth = this.width(1.6, 0.6);
        ctx.fillStyle = inks.border;
        star(ctx, x, y, 12);
        ctx.fill();
        break;
      case 'depot':
        ctx.lineWidth = this.width(1.6, 0.6);
        ctx.fillStyle = inks.hill;
        ctx.fillRect(x - 9, y - 7, 18, 14);
        ctx.strokeRect(x - 9, y - 7, 18, 14);
        break;
      case 'port':
        this.anchor(x, y, 12);
        break;
      case 'value':
        this.valueBox(x, y, String(mark.value ?? ''), 13);
        break;
      default:
        if (mark.at) {
          circle(ctx, x, y, 5);
          ctx.fill();
        }
        if (mark.d) ctx.stroke(new Path2D(mark.d));
    }
  }

  private valueBox(x: number, y: number, text: string, half: number): void {
    const { ctx, inks } = this;
    if (!this.seesPoint(x, y, 40) || half * this.k < 3.5) return;
    ctx.fillStyle = inks.halo;
    ctx.strokeStyle = inks.ink;
    ctx.lineWidth = this.width(1.6, 0.6);
    ctx.fillRect(x - half, y - half, 2 * half, 2 * half);
    ctx.strokeRect(x - half, y - half, 2 * half, 2 * half);
    this.write(text, x, y, half * 1.5 * this.k, { colour: inks.ink, font: 'bold', halo: false });
  }

  private anchor(x: number, y: number, s: number): void {
    const { ctx, inks } = this;
    if (s * this.k < 2) return;
    ctx.strokeStyle = inks.seaName;
    ctx.lineWidth = this.width(s * 0.2, 0.7);
    ctx.beginPath();
    ctx.arc(x, y - s * 0.75, s * 0.22, 0, 6.3);
    ctx.moveTo(x, y - s * 0.5);
    ctx.lineTo(x, y + s * 0.8);
    ctx.moveTo(x - s * 0.4, y - s * 0.25);
    ctx.lineTo(x + s * 0.4, y - s * 0.25);
    ctx.moveTo(x - s * 0.75, y + s * 0.2);
    ctx.quadraticCurveTo(x - s * 0.55, y + s * 0.85, x, y + s * 0.85);
    ctx.quadraticCurveTo(x + s * 0.55, y + s * 0.85, x + s * 0.75, y + s * 0.2);
    ctx.stroke();
  }

  boxes(): void {
    const { ctx, inks, on, wish } = this;
    for (const box of this.map.boxes ?? []) {
      if (box.sheet !== on.sheet.id) continue;
      const [x, y, w, h] = box.rect;
      if (!this.sees({ x, y, w, h })) continue;
      ctx.fillStyle = inks.box;
      ctx.strokeStyle = inks.ink;
      ctx.lineWidth = this.width(2.4, 0.8);
      ctx.globalAlpha = 0.94;
      roundRect(ctx, x, y, w, h, 10);
      ctx.fill();
      ctx.globalAlpha = 1;
      ctx.stroke();
      const shade = wish.control[box.id];
      if (shade) {
        ctx.globalAlpha = 0.2;
        ctx.fillStyle = shade.deep;
        ctx.fill();
        ctx.globalAlpha = 1;
      }
      const title = wish.language === 'de' ? box.title.de : box.title.en;
      const px = Math.min(Math.max(Math.min(h * 0.16, 30) * this.k, 9), (w * this.k * 1.6) / title.length, 22);
      if (px >= 7) {
        this.write(title, x + w / 2, y + (px * 0.85) / this.k, px, { colour: inks.ink, font: 'bold', halo: false });
      }
    }
  }

  names(): void {
    const { inks, on, wish, map } = this;
    if (wish.hexIds && map.grid && map.grid.id_size * this.k > 6.5) {
      for (const { item } of on.spaces) {
        if (OFF_BOARD.has(item.kind)) continue;
        const x = item.at[0] + map.grid.id_at[0];
        const y = item.at[1] + map.grid.id_at[1];
        if (this.seesPoint(x, y, 50)) {
          const px = Math.min(map.grid.id_size * this.k, 15);
          this.write(item.id, x, y, px, { colour: inks.grid, halo: false, sans: true });
        }
      }
    }
    if (!wish.labels) return;
    for (const label of placeLabels(on.lettering, this.k, wish.language)) {
      if (!this.seesPoint(label.x, label.y, 900)) continue;
      const style = { spacing: label.spacing, angle: label.angle };
      switch (label.style) {
        case 'sea':
          this.write(label.text, label.x, label.y, label.px, { ...style, colour: inks.seaName, font: 'italic', halo: false });
          break;
        case 'country':
          this.write(label.text, label.x, label.y, label.px, {
            ...style, colour: inks.countryName, font: 'bold', haloAlpha: 0.5, alpha: 0.8,
          });
          break;
        case 'river':
          this.write(label.text, label.x, label.y, label.px, { ...style, colour: inks.riverName, font: 'italic' });
          break;
        case 'city':
          this.write(label.text, label.x, label.y, label.px, {
            ...style, colour: inks.ink, font: label.rank <= 2 ? 'bold' : '', sans: true,
          });
          break;
        default:
          this.write(label.text, label.x, label.y, label.px, { ...style, colour: inks.mountain, font: 'italic' });
      }
    }
  }

  private write(
    text: string, x: number, y: number, px: number,
    style: {
      colour: string; font?: string; halo?: boolean; haloAlpha?: number; alpha?: number; angle?: number;
      spacing?: number; sans?: boolean;
    },
  ): void {
    const { ctx, inks } = this;
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate(style.angle ?? 0);
    ctx.scale(1 / this.k, 1 / this.k);
    ctx.font = `${style.font ?? ''} ${px}px ${style.sans ? SANS : SERIF}`;
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

  visible(x: number, y: number, s: number): boolean {
    return this.seesPoint(x, y, s * 2);
  }
}

const SERIF = '"Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", "Liberation Serif", "DejaVu Serif", Georgia, serif';
const SANS = '"Avenir Next", "Gill Sans", "Segoe UI", "Liberation Sans", "Helvetica Neue", Arial, sans-serif';

/** One tile of a hatching that joins with itself on all sides. */
function hatchTile(pattern: Pattern, colour: string, px: number): OffscreenCanvas {
  const tile = new OffscreenCanvas(px, px);
  const ctx = tile.getContext('2d') as OffscreenCanvasRenderingContext2D;
  ctx.strokeStyle = colour;
  ctx.fillStyle = colour;
  ctx.lineWidth = Math.max(1, px * 0.09);
  ctx.beginPath();
  if (pattern === 'dots') {
    for (const [x, y] of [[0.25, 0.25], [0.75, 0.75]] as const) {
      ctx.moveTo(x * px, y * px);
      ctx.arc(x * px, y * px, Math.max(0.8, px * 0.1), 0, 6.3);
    }
    ctx.fill();
    return tile;
  }
  if (pattern === 'lines') {
    ctx.moveTo(0, px / 2);
    ctx.lineTo(px, px / 2);
  }
  for (const shift of [-px, 0, px]) {
    if (pattern === 'stripes' || pattern === 'cross') {
      ctx.moveTo(shift - 2, -2);
      ctx.lineTo(shift + px + 2, px + 2);
    }
    if (pattern === 'backstripes' || pattern === 'cross') {
      ctx.moveTo(shift + px + 2, -2);
      ctx.lineTo(shift - 2, px + 2);
    }
  }
  ctx.stroke();
  return tile;
}

function* visibleOf(list: number[][] | undefined, brush: Brush): Generator<[number, number, number]> {
  for (const [x, y, s] of (list ?? []) as [number, number, number][]) {
    if (brush.visible(x, y, s)) yield [x, y, s];
  }
}

export function isLand(space: MapSpace): boolean {
  return space.kind !== 'sea' && space.kind !== 'port' && !OFF_BOARD.has(space.kind);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const found = map.get(key);
  if (found) found.push(value);
  else map.set(key, [value]);
}
function mapValues<K, A, B>(map: Map<K, A>, change: (value: A) => B): Map<K, B> {
  return new Map([...map].map(([key, value]) => [key, change(value)]));
}
function pastel(country: string): string {
  return `hsl(${hash(country) % 360} 34% 70%)`;
}
function dashes(units: number[], k: number): number[] {
  const grown = Math.max(1, 0.28 / k);
  return units.map((unit) => unit * grown);
}
function endsOf(d: string): [Pair | undefined, Pair | undefined] {
  const points = parsePath(d)[0] ?? [];
  return [points[0], points.at(-1)];
}
function circle(ctx: Ctx, x: number, y: number, r: number): void {
  ctx.beginPath();
  ctx.arc(x, y, r, 0, 2 * Math.PI);
}
function polygon(ctx: Ctx, x: number, y: number, r: number, corners: number, inner: number): void {
  ctx.beginPath();
  for (let i = 0; i < corners * 2; i++) {
    const radius = i % 2 === 0 ? r : r * inner;
    const angle = (i * Math.PI) / corners - Math.PI / 2;
    ctx.lineTo(x + Math.cos(angle) * radius, y + Math.sin(angle) * radius);
  }
  ctx.closePath();
}
function star(ctx: Ctx, x: number, y: number, r: number): void {
  polygon(ctx, x, y, r, 5, 0.42);
}
function roundRect(ctx: Ctx, x: number, y: number, w: number, h: number, r: number): void {
  ctx.beginPath();
  ctx.roundRect(x, y, w, h, r);
}
