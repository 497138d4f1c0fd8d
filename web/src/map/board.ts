// The board on the screen: the painted ground from the painter's thread, and on it everything that changes.
import { select, type Selection } from 'd3-selection';
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from 'd3-zoom';
import { DARK, LIGHT, paintsOf, type Paint } from '../lib/palette';
import type { Arrow, MapBox, MapFile, MapSheet, MapSpace, Overlay, Pair, Table } from '../lib/types';
import { pilesInBox } from './boxes';
import { fit, grow, HitIndex, nearestTowards, overlaps, visible, type Rect, type View } from './geometry';
import type { Control, Wish } from './ground';
import { drawIcon } from './icons';
import { Painter, type Picture } from './painter';
import { sprites } from './sprites';
import { howMany, layersOf, pileAt, pilesOf, topOf, type Pile } from './stacking';

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
  litUnits: ReadonlySet<string>;
  chosenSpaces: ReadonlySet<string>;
  chosenUnits: ReadonlySet<string>;
  notes: ReadonlyMap<string, string>;
  path: readonly string[];
  selected: string | null;
  flash: ReadonlySet<string>;
}

export interface Picked {
  space: string;
  pile: Pile | null;
  /** Screen position inside the canvas. */
  x: number;
  y: number;
}

export interface Callbacks {
  pick: (picked: Picked) => void;
  hover: (picked: Picked | null) => void;
  moved: () => void;
}

const LIT = '#f2b705';
const LIT_EDGE = '#5c4300';

export class Board {
  private readonly ctx: CanvasRenderingContext2D;
  private readonly painter: Painter;
  private readonly unlisten: () => void;
  private readonly hits = new Map<string, HitIndex>();
  private readonly spaces = new Map<string, { space: MapSpace; sheet: string; path: Path2D }>();
  private readonly boxes = new Map<string, MapBox>();
  private readonly behaviour: ZoomBehavior<HTMLCanvasElement, unknown>;
  private readonly selection: Selection<HTMLCanvasElement, unknown, null, undefined>;
  private look: Look | null = null;
  private paints: Record<string, Paint> = {};
  private piles = new Map<string, Pile[]>();
  private sheet: MapSheet;
  view: View = { x: 0, y: 0, k: 0.2 };
  width = 1;
  height = 1;
  ratio = 1;
  cursor: string | null = null;
  private hovered: string | null = null;
  private picture: Picture | null = null;
  private backdrop = new Map<string, Picture>();
  private revision = '';
  private pictureRevision = '';
  private wished = '';
  private gesture = 0;
  private inkedAt = 0;
  private insetBase: { canvas: HTMLCanvasElement; of: ImageBitmap } | null = null;
  private scheduled = false;
  private control: Control = {};
  private shades: Record<string, string> = {};
  private inset: HTMLCanvasElement | null = null;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private closed = false;
  private readonly noHover = typeof matchMedia !== 'undefined' && matchMedia('(hover: none)').matches;
  frames = 0;

  constructor(
    readonly canvas: HTMLCanvasElement,
    readonly map: MapFile,
    private readonly callbacks: Callbacks,
  ) {
    this.ctx = canvas.getContext('2d', { alpha: false }) as CanvasRenderingContext2D;
    this.painter = new Painter(map);
    this.unlisten = sprites.listen(() => this.invalidate());
    this.sheet = map.sheets[0] as MapSheet;
    for (const sheet of map.sheets) {
      const index = new HitIndex(sheet.spaces);
      for (const space of sheet.spaces) this.spaces.set(space.id, { space, sheet: sheet.id, path: new Path2D(space.d) });
      this.hits.set(sheet.id, index);
    }
    for (const box of map.boxes ?? []) {
      this.boxes.set(box.id, box);
      const [x, y, w, h] = box.rect;
      this.hits.get(box.sheet)?.addRect(box.id, { x, y, w, h });
    }
    this.selection = select(canvas);
    this.behaviour = zoom<HTMLCanvasElement, unknown>()
      .clickDistance(5)
      .wheelDelta((event: WheelEvent) => -event.deltaY * (event.deltaMode === 1 ? 0.05 : event.deltaMode ? 1 : 0.0022))
      .on('zoom', (event: D3ZoomEvent<HTMLCanvasElement, unknown>) => {
        const { x, y, k } = event.transform;
        this.view = { x, y, k };
        this.gesture = performance.now();
        clearTimeout(this.resting);
        this.resting = setTimeout(() => this.invalidate(), 90);
        this.callbacks.moved();
        this.invalidate();
      });
    this.selection.call(this.behaviour).on('dblclick.zoom', null);
    canvas.addEventListener('click', this.clicked);
    canvas.addEventListener('pointermove', this.pointed);
    canvas.addEventListener('pointerleave', this.left);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.resting);
    this.painter.close();
    this.unlisten();
    this.canvas.removeEventListener('click', this.clicked);
    this.canvas.removeEventListener('pointermove', this.pointed);
    this.canvas.removeEventListener('pointerleave', this.left);
  }

  // ---- what to show
  show(look: Look): void {
    const before = this.look;
    this.look = look;
    if (before && before.hideCounters !== look.hideCounters) this.insetBase = null;
    if (!before || before.table !== look.table || before.safe !== look.safe || before.control !== look.control || before.dark !== look.dark) {
      this.paints = paintsOf(look.table.sides, look.safe);
      if (before && (before.safe !== look.safe || before.dark !== look.dark)) sprites.clear();
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
      this.stack();
    }
    if (!before) this.opening = true;
    this.openUp();
    this.revision = JSON.stringify([this.control, this.shades, look.dark, look.language, look.hexIds, look.labels, this.values]);
    this.invalidate();
  }

  private values: string[] = [];
  private opening = false;
  private openUp(): void {
    if (!this.opening || this.width <= 1 || !this.look) return;
    this.opening = false;
    this.fitAction();
  }

  private stack(): void {
    this.piles = new Map();
    this.insetBase = null;
    for (const [id, counters] of Object.entries(this.look?.table.stacks ?? {})) {
      if (counters.length === 0) continue;
      const box = this.boxRect(id);
      const found = this.spaces.get(id);
      if (box) this.piles.set(id, pilesInBox(counters, box));
      else if (found) this.piles.set(id, pilesOf(counters, found.space.at, { size: this.sizeIn(found.space) }));
    }
  }

  private boxRect(id: string): Rect | null {
    const box = this.boxes.get(id);
    if (box) return { x: box.rect[0], y: box.rect[1], w: box.rect[2], h: box.rect[3] };
    const found = this.spaces.get(id);
    if (found && found.space.kind === 'box') return this.hits.get(found.sheet)?.boundsOf(id) ?? null;
    return null;
  }

  private sizeIn(space: MapSpace): number {
    return this.map.grid ? space.r * 1.34 : Math.min(64, Math.max(28, space.r * 1.18));
  }

  get sheets(): MapSheet[] {
    return this.map.sheets;
  }
  get sheetId(): string {
    return this.sheet.id;
  }

  setSheet(id: string): void {
    const found = this.map.sheets.find((sheet) => sheet.id === id);
    if (!found || found === this.sheet) return;
    this.sheet = found;
    this.picture = null;
    this.wished = '';
    this.limits();
    this.fitAll();
  }

  // ---- moving the view
  resize(width: number, height: number, ratio: number): void {
    if (width < 2 || height < 2) return;
    const first = this.width <= 1;
    const middle = this.centre();
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.canvas.width = Math.round(width * ratio);
    this.canvas.height = Math.round(height * ratio);
    this.limits();
    if (first) this.fitAll();
    else this.lookAt(middle, this.view.k);
    this.openUp();
    this.invalidate();
  }

  private limits(): void {
    const [w, h] = this.sheet.size;
    const whole = fit({ x: 0, y: 0, w, h }, this.width, this.height);
    this.behaviour
      .extent([[0, 0], [this.width, this.height]])
      .scaleExtent([whole.k * 0.8, Math.max(2.2, whole.k * 6)])
      .translateExtent([[-w * 0.25, -h * 0.25], [w * 1.25, h * 1.25]]);
  }

  centre(): Pair {
    return [(this.width / 2 - this.view.x) / this.view.k, (this.height / 2 - this.view.y) / this.view.k];
  }

  private go(view: View): void {
    this.selection.call(this.behaviour.transform, zoomIdentity.translate(view.x, view.y).scale(view.k));
  }

  lookAt([x, y]: Pair, k: number): void {
    this.go({ k, x: this.width / 2 - x * k, y: this.height / 2 - y * k });
  }

  /** Where the war is: the counters and what is lit up, or the whole sheet when they are everywhere or nowhere. */
  fitAction(): void {
    const ids = [...this.piles.keys(), ...(this.look?.litSpaces ?? [])].filter((id) => !this.boxRect(id));
    if (ids.length < 2) this.fitAll();
    else this.revealAll(ids);
  }

  fitAll(): void {
    const [w, h] = this.sheet.size;
    this.go(fit({ x: 0, y: 0, w, h }, this.width, this.height, 4));
  }

  zoomBy(factor: number): void {
    this.selection.call(this.behaviour.scaleBy, factor);
  }
  panBy(dx: number, dy: number): void {
    this.selection.call(this.behaviour.translateBy, dx / this.view.k, dy / this.view.k);
  }

  /** Bring a space into sight; `near` also comes closer when the map is far away. */
  reveal(id: string, near = false): void {
    const at = this.placeOf(id);
    if (!at) return;
    const sheet = this.spaces.get(id)?.sheet ?? this.boxes.get(id)?.sheet;
    if (sheet) this.setSheet(sheet);
    const [sx, sy] = this.toScreen(at);
    const inside = sx > 80 && sy > 80 && sx < this.width - 80 && sy < this.height - 80;
    const k = near ? Math.max(this.view.k, this.readable()) : this.view.k;
    if (!inside || k !== this.view.k) this.lookAt(at, k);
    this.invalidate();
  }

  /** Show several spaces at once. */
  revealAll(ids: Iterable<string>): void {
    const places = [...ids].flatMap((id) => {
      const at = this.placeOf(id);
      return at && (this.spaces.get(id)?.sheet ?? this.boxes.get(id)?.sheet) === this.sheet.id ? [at] : [];
    });
    if (places.length === 0) return;
    const xs = places.map(([x]) => x);
    const ys = places.map(([, y]) => y);
    const rect = grow({ x: Math.min(...xs), y: Math.min(...ys), w: Math.max(...xs) - Math.min(...xs), h: Math.max(...ys) - Math.min(...ys) }, 260);
    this.go(fit(rect, this.width, this.height, 10, this.readable() * 1.25));
  }

  /** A scale at which counters can be read. */
  readable(): number {
    const sample = this.sheet.spaces.find((space) => space.kind !== 'box');
    return 54 / (sample ? this.sizeIn(sample) : 80);
  }

  placeOf(id: string): Pair | null {
    const box = this.boxRect(id);
    if (box) return [box.x + box.w / 2, box.y + box.h / 2];
    return this.spaces.get(id)?.space.at ?? null;
  }
  private sheetOf(id: string): string | undefined {
    return this.boxes.get(id)?.sheet ?? this.spaces.get(id)?.sheet;
  }

  toScreen([x, y]: Pair): Pair {
    return [x * this.view.k + this.view.x, y * this.view.k + this.view.y];
  }
  screenOf(id: string): Pair | null {
    const at = this.placeOf(id);
    return at && this.sheetOf(id) === this.sheet.id ? this.toScreen(at) : null;
  }
  pilesAt(id: string): Pile[] {
    return this.piles.get(id) ?? [];
  }
  paintOf(side: string): Paint {
    return this.paints[side] ?? (Object.values(this.paints)[0] as Paint);
  }

  // ---- pointing
  find(x: number, y: number): Picked | null {
    const wx = (x - this.view.x) / this.view.k;
    const wy = (y - this.view.y) / this.view.k;
    if (this.look && !this.look.hideCounters) {
      const near = visible(this.view, this.width, this.height);
      for (const [id, piles] of this.piles) {
        if (this.sheetOf(id) !== this.sheet.id) continue;
        const at = this.placeOf(id);
        if (!at || !this.boxes.has(id) && (at[0] < near.x - 200 || at[0] > near.x + near.w + 200)) continue;
        const pile = pileAt(this.grown(piles), wx, wy);
        if (pile) return { space: id, pile: piles.find((one) => one.counters === pile.counters) ?? pile, x, y };
      }
    }
    const id = this.hits.get(this.sheet.id)?.at(wx, wy);
    return id ? { space: id, pile: null, x, y } : null;
  }

  /** Piles as they are drawn: never smaller than a readable counter. */
  private grown(piles: Pile[]): Pile[] {
    const least = 15 / this.view.k;
    return piles.map((pile) => (pile.size >= least ? pile : { ...pile, size: least, lift: least * 0.07 }));
  }

  private readonly clicked = (event: MouseEvent): void => {
    const found = this.find(event.offsetX, event.offsetY);
    if (found) {
      this.cursor = null;
      this.callbacks.pick(found);
    }
  };
  private readonly pointed = (event: PointerEvent): void => {
    if (this.noHover || event.pointerType === 'touch' || event.buttons) return;
    const found = this.find(event.offsetX, event.offsetY);
    this.callbacks.hover(found);
    const lit = found && (this.look?.litSpaces.has(found.space) || found.pile?.counters.some((c) => this.look?.litUnits.has(c.id)));
    this.canvas.classList.toggle('lit', Boolean(lit));
    if (found?.space !== this.hovered) {
      this.hovered = found?.space ?? null;
      this.invalidate();
    }
  };
  private readonly left = (): void => {
    this.callbacks.hover(null);
    if (this.hovered) {
      this.hovered = null;
      this.invalidate();
    }
  };

  // ---- by keys
  step(direction: 'left' | 'right' | 'up' | 'down'): string | null {
    const spaces = this.sheet.spaces;
    const from = (this.cursor && this.placeOf(this.cursor)) || this.centre();
    const next = this.cursor ? nearestTowards(from, direction, spaces) : this.nearest(from);
    if (next) {
      this.cursor = next;
      this.reveal(next);
    }
    this.invalidate();
    return next;
  }
  private nearest(from: Pair): string | null {
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

  // ---- the painted ground
  private wish(rect: Rect, scale: number, ratio: number, plain = false): Wish {
    const look = this.look as Look;
    return {
      sheet: this.sheet.id, rect, scale, ratio, inks: look.dark ? DARK : LIGHT, control: this.control, shades: this.shades,
      language: look.language, hexIds: look.hexIds && !plain, labels: look.labels && !plain, values: this.values,
    };
  }

  private askForInk(): void {
    if (!this.look || this.width <= 1) return;
    const moving = performance.now() - this.gesture < 80;
    const seen = visible(this.view, this.width, this.height);
    const have = this.picture;
    const covered = have && have.wish.sheet === this.sheet.id && inside(seen, have.wish.rect);
    const sharp = have && Math.abs(Math.log(have.wish.scale / (this.view.k * this.ratio))) < 0.004;
    const fresh = this.pictureRevision === this.revision;
    if (covered && sharp && fresh) return;
    const off = have ? Math.abs(Math.log2(have.wish.scale / (this.view.k * this.ratio))) : 9;
    if (moving && have && fresh && off < 0.8 && covered) return;
    if (moving && have && performance.now() - this.inkedAt < 280) return;
    this.inkedAt = performance.now();
    const margin = 0.22;
    const rect = { x: seen.x - seen.w * margin, y: seen.y - seen.h * margin, w: seen.w * (1 + 2 * margin), h: seen.h * (1 + 2 * margin) };
    const revision = this.revision;
    const key = `${this.sheet.id} ${Math.round(rect.x)} ${Math.round(rect.y)} ${this.view.k.toFixed(4)} ${revision.length}`;
    if (key === this.wished && fresh) return;
    this.wished = key;
    this.painter.paint(this.wish(rect, this.view.k * this.ratio, this.ratio), (picture) => {
      if (this.closed) return;
      this.picture?.bitmap.close();
      this.picture = picture;
      this.pictureRevision = revision;
      this.invalidate();
    });
    this.askForBackdrop(revision);
  }

  private backdropRevision = new Map<string, string>();
  private askForBackdrop(revision: string): void {
    const id = this.sheet.id;
    if (this.backdropRevision.get(id) === revision) return;
    this.backdropRevision.set(id, revision);
    const [w, h] = this.sheet.size;
    const scale = Math.min(1, 1500 / Math.max(w, h));
    this.painter.queue(this.wish({ x: 0, y: 0, w, h }, scale, 1, true), (picture) => {
      if (this.closed) return;
      this.backdrop.get(id)?.bitmap.close();
      this.backdrop.set(id, picture);
      this.invalidate();
    });
  }

  setInset(canvas: HTMLCanvasElement | null): void {
    this.inset = canvas;
    this.invalidate();
  }

  insetClick(x: number, y: number): void {
    if (!this.inset) return;
    const [w, h] = this.sheet.size;
    this.lookAt([(x / this.inset.clientWidth) * w, (y / this.inset.clientHeight) * h], this.view.k);
  }

  // ---- drawing
  invalidate(): void {
    if (this.scheduled || this.closed) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      if (!this.closed) this.draw();
    });
  }

  private draw(): void {
    const { ctx, look, view, ratio } = this;
    if (!look || this.width <= 1) return;
    this.frames++;
    this.askForInk();
    const seen = visible(view, this.width, this.height);
    this.drawGround(seen);
    ctx.setTransform(view.k * ratio, 0, 0, view.k * ratio, view.x * ratio, view.y * ratio);
    ctx.lineJoin = 'round';
    this.drawOverlays(seen);
    this.drawLit(seen);
    this.drawMarks(seen);
    for (const arrow of look.table.arrows ?? []) this.drawArrow(arrow);
    if (!look.hideCounters) this.drawCounters(seen);
    if (look.path.length > 1) this.drawArrow({ path: [...look.path], kind: 'chosen' });
    this.drawNotes(seen);
    this.drawRings();
    this.drawInset(seen);
  }

  private drawGround(seen: Rect): void {
    const { ctx, view, ratio } = this;
    const picture = this.picture?.wish.sheet === this.sheet.id ? this.picture : null;
    const covered = picture !== null && inside(seen, picture.wish.rect);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    if (!covered) {
      ctx.fillStyle = this.look?.dark ? DARK.paper : LIGHT.paper;
      ctx.fillRect(0, 0, this.canvas.width, this.canvas.height);
    }
    const back = covered ? undefined : this.backdrop.get(this.sheet.id);
    for (const one of [back, picture]) {
      if (!one) continue;
      const { x, y, w, h } = one.wish.rect;
      const scale = view.k * ratio;
      const left = (x * view.k + view.x) * ratio;
      const top = (y * view.k + view.y) * ratio;
      // Pixel on pixel is a plain copy, many times cheaper than a scaled picture.
      if (Math.abs(one.wish.scale / scale - 1) < 0.0005) ctx.drawImage(one.bitmap, Math.round(left), Math.round(top));
      else ctx.drawImage(one.bitmap, left, top, w * scale, h * scale);
    }
  }

  private isSeen(id: string, seen: Rect): boolean {
    if (this.sheetOf(id) !== this.sheet.id) return false;
    const box = this.boxRect(id);
    if (box) return overlaps(box, seen);
    const bounds = this.hits.get(this.sheet.id)?.boundsOf(id);
    return bounds ? overlaps(bounds, seen) : false;
  }

  private trace(id: string): Path2D | null {
    const box = this.boxes.get(id);
    if (box) {
      const path = new Path2D();
      path.roundRect(...box.rect, 10);
      return path;
    }
    return this.spaces.get(id)?.path ?? null;
  }

  private px(pixels: number): number {
    return pixels / this.view.k;
  }

  private drawOverlays(seen: Rect): void {
    const look = this.look as Look;
    for (const overlay of look.table.overlays ?? []) {
      if (!look.overlays.includes(overlay.id)) continue;
      for (const [id, key] of Object.entries(overlay.spaces ?? {})) {
        if (!this.isSeen(id, seen)) continue;
        const path = this.trace(id);
        if (!path) continue;
        const { ctx } = this;
        ctx.fillStyle = overlayColour(overlay, key);
        ctx.globalAlpha = 0.34;
        ctx.fill(path);
        ctx.globalAlpha = 1;
      }
      for (const arrow of overlay.arrows ?? []) this.drawArrow(arrow);
    }
  }

  private drawLit(seen: Rect): void {
    const { ctx } = this;
    const look = this.look as Look;
    for (const id of look.litSpaces) {
      if (!this.isSeen(id, seen)) continue;
      const path = this.trace(id);
      if (!path) continue;
      ctx.fillStyle = LIT;
      ctx.globalAlpha = id === this.hovered ? 0.42 : 0.24;
      ctx.fill(path);
      ctx.globalAlpha = 1;
      ctx.lineJoin = 'round';
      ctx.strokeStyle = LIT_EDGE;
      ctx.lineWidth = this.px(4.2);
      ctx.stroke(path);
      ctx.strokeStyle = LIT;
      ctx.lineWidth = this.px(2.4);
      ctx.stroke(path);
    }
    for (const id of look.chosenSpaces) {
      const path = this.trace(id);
      if (!path || this.sheetOf(id) !== this.sheet.id) continue;
      ctx.fillStyle = '#2f7fd1';
      ctx.globalAlpha = 0.34;
      ctx.fill(path);
      ctx.globalAlpha = 1;
      ctx.strokeStyle = '#0d3e75';
      ctx.lineWidth = this.px(2.4);
      ctx.stroke(path);
    }
    for (const id of look.flash) {
      const path = this.trace(id);
      if (!path || this.sheetOf(id) !== this.sheet.id) continue;
      ctx.strokeStyle = '#c2410c';
      ctx.lineWidth = this.px(3);
      ctx.setLineDash([this.px(7), this.px(5)]);
      ctx.stroke(path);
      ctx.setLineDash([]);
    }
  }

  private drawMarks(seen: Rect): void {
    const { ctx, view } = this;
    const look = this.look as Look;
    const ink = look.dark ? DARK : LIGHT;
    for (const [id, face] of Object.entries(look.table.spaces)) {
      const marks = face.marks ?? [];
      if ((marks.length === 0 && !face.value) || !this.isSeen(id, seen)) continue;
      const found = this.spaces.get(id);
      const box = this.boxRect(id);
      if (!found && !box) continue;
      const r = box ? 40 : (found as { space: MapSpace }).space.r;
      const [x, y] = box ? [box.x + 34, box.y + box.h - 26] : (found as { space: MapSpace }).space.at;
      // Far away the printed values give way to the names; what happened to a space stays in sight.
      const printedSize = Math.min(r, this.map.grid ? 62 : 38) * 0.42;
      const h = Math.max(printedSize, 10 / view.k);
      const far = printedSize * view.k < 8;
      let place = 0;
      // The printed value has a spot of its own, free of names: what the table says stands there.
      const printed = found?.space.marks?.find((mark) => mark.kind === 'value')?.at;
      const spot: Pair = printed ?? [x - r * 1.16, y - r * 0.85];
      const near = face.value ? [{ kind: 'value', text: face.value }, ...marks] : marks;
      const all = far ? marks.filter((mark) => mark.kind in MARK_COLOURS) : near;
      for (const mark of all.slice(0, 4)) {
        const cy = spot[1] + place * h * 1.12;
        const cx = spot[0];
        const text = mark.text ?? '';
        const glyph = MARK_GLYPHS[mark.kind] ?? '';
        const w = Math.max(h, h * (0.35 + 0.5 * text.length + (glyph ? 0.7 : 0)));
        const over = printed ? (w - h) / 2 : 0;
        ctx.fillStyle = MARK_COLOURS[mark.kind] ?? ink.halo;
        ctx.strokeStyle = ink.ink;
        ctx.lineWidth = this.px(0.9);
        ctx.beginPath();
        ctx.roundRect(cx - h / 2 - over, cy - h / 2, w, h, h * 0.22);
        ctx.fill();
        ctx.stroke();
        const dark = mark.kind in MARK_COLOURS;
        const pen = dark ? '#ffffff' : ink.ink;
        let tx = cx - h / 2 - over + w / 2;
        if (glyph) {
          drawIcon(ctx, glyph, cx - over + (text ? -h * 0.02 : w / 2 - h / 2), cy, h * 0.34, pen);
          tx += h * 0.36;
        }
        const shown = text || (glyph ? '' : mark.kind.charAt(0).toUpperCase());
        if (shown) {
          ctx.fillStyle = pen;
          ctx.font = `bold ${h * 0.72}px "Liberation Sans", Arial, sans-serif`;
          ctx.textAlign = 'center';
          ctx.textBaseline = 'middle';
          ctx.fillText(shown, tx, cy + h * 0.04);
        }
        place++;
      }
    }
  }

  private drawCounters(seen: Rect): void {
    const { ctx, ratio, view } = this;
    const look = this.look as Look;
    const wide = grow(seen, 120);
    for (const [id, raw] of this.piles) {
      if (this.sheetOf(id) !== this.sheet.id) continue;
      for (const pile of this.grown(raw)) {
        if (pile.x < wide.x || pile.x > wide.x + wide.w || pile.y < wide.y || pile.y > wide.y + wide.h) continue;
        const layers = layersOf(pile);
        const paint = this.paints[pile.side] ?? ({ fill: '#ddd', deep: '#666', ink: '#111', pattern: 'plain' } as Paint);
        const shown = pile.counters.slice(-layers);
        const base = pile.size / 2;
        const shift = ((layers - 1) * pile.lift) / 2;
        shown.forEach((counter, place) => {
          const x = pile.x - base - shift + place * pile.lift;
          const y = pile.y - base + shift - place * pile.lift;
          ctx.fillStyle = 'rgba(0,0,0,0.28)';
          ctx.fillRect(x + pile.size * 0.04, y + pile.size * 0.06, pile.size * 0.98, pile.size * 0.97);
          ctx.drawImage(sprites.get(counter, paint, pile.size * view.k * ratio), x, y, pile.size, pile.size);
        });
        const top = topOf(pile);
        const lit = pile.counters.some((counter) => look.litUnits.has(counter.id));
        const chosen = pile.counters.some((counter) => look.chosenUnits.has(counter.id));
        if (lit || chosen) this.ring(top, chosen ? '#2f7fd1' : LIT, chosen ? '#06264d' : LIT_EDGE);
        const count = howMany(pile.counters);
        if (pile.counters.length > 1) this.countBadge(top, String(count));
      }
    }
  }

  private ring(top: Rect, colour: string, edge: string): void {
    const { ctx } = this;
    const gap = this.px(1.5);
    for (const [paint, width] of [[edge, 5], [colour, 3]] as const) {
      ctx.strokeStyle = paint;
      ctx.lineWidth = this.px(width);
      ctx.beginPath();
      ctx.roundRect(top.x - gap, top.y - gap, top.w + 2 * gap, top.h + 2 * gap, top.w * 0.12);
      ctx.stroke();
    }
  }

  private countBadge(top: Rect, text: string): void {
    const { ctx } = this;
    const r = Math.max(top.w * 0.15, this.px(6.5));
    const x = top.x + top.w - r * 0.4;
    const y = top.y + top.h - r * 0.4;
    ctx.fillStyle = '#1d1a15';
    ctx.strokeStyle = '#fbf7ec';
    ctx.lineWidth = this.px(1.2);
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

  private drawNotes(seen: Rect): void {
    const { ctx } = this;
    const look = this.look as Look;
    for (const [id, text] of look.notes) {
      if (!text || !this.isSeen(id, seen)) continue;
      const at = this.placeOf(id);
      if (!at) continue;
      const h = this.px(16);
      const r = this.spaces.get(id)?.space.r ?? 50;
      ctx.font = `bold ${this.px(11)}px "Liberation Sans", Arial, sans-serif`;
      const w = ctx.measureText(text).width + this.px(9);
      const x = at[0] - w / 2;
      const y = at[1] + Math.max(r * 0.9, this.px(13)) - h / 2;
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

  private drawRings(): void {
    const { ctx } = this;
    const look = this.look as Look;
    const outline = (id: string | null, colour: string, width: number, dash: number[] = []): void => {
      if (!id || this.sheetOf(id) !== this.sheet.id) return;
      const path = this.trace(id);
      if (!path) return;
      ctx.strokeStyle = colour;
      ctx.lineWidth = this.px(width);
      ctx.setLineDash(dash.map((d) => this.px(d)));
      ctx.stroke(path);
      ctx.setLineDash([]);
    };
    outline(this.hovered, look.dark ? 'rgba(255,255,255,0.7)' : 'rgba(0,0,0,0.55)', 1.6);
    if (look.selected && !look.chosenSpaces.has(look.selected)) outline(look.selected, look.dark ? '#ffffff' : '#161310', 2.2);
    outline(this.cursor, '#0b62c4', 4, [9, 4]);
  }

  private drawArrow(arrow: Arrow): void {
    const points = arrow.path.flatMap((id) => {
      const at = this.sheetOf(id) === this.sheet.id ? this.placeOf(id) : null;
      return at ? [at] : [];
    });
    if (points.length < 2) return;
    const { ctx } = this;
    const colour = arrow.kind === 'chosen' ? '#2f7fd1' : arrow.side ? (this.paints[arrow.side]?.deep ?? '#a8321f') : '#a8321f';
    const width = Math.max(13, this.px(4));
    const tip = points.at(-1) as Pair;
    const before = points.at(-2) as Pair;
    const length = Math.hypot(tip[0] - before[0], tip[1] - before[1]) || 1;
    const ux = (tip[0] - before[0]) / length;
    const uy = (tip[1] - before[1]) / length;
    const stop: Pair = [tip[0] - ux * width * 2.4, tip[1] - uy * width * 2.4];
    const line = (): void => {
      ctx.beginPath();
      ctx.moveTo(...(points[0] as Pair));
      for (const point of points.slice(1, -1)) ctx.lineTo(...point);
      ctx.lineTo(...stop);
    };
    ctx.lineCap = 'round';
    ctx.lineJoin = 'round';
    const dashed = arrow.kind === 'retreat' || arrow.kind === 'plan' || arrow.kind === 'convoy' || arrow.kind === 'lane';
    for (const [paint, grown] of [['rgba(255,250,235,0.9)', 1.45], [colour, 1]] as const) {
      ctx.strokeStyle = paint;
      ctx.fillStyle = paint;
      ctx.globalAlpha = 0.9;
      ctx.lineWidth = width * grown;
      if (dashed) ctx.setLineDash([width * 2, width * 1.6]);
      line();
      ctx.stroke();
      ctx.setLineDash([]);
      const head = width * 1.5 * (grown > 1 ? 1.22 : 1);
      ctx.beginPath();
      ctx.moveTo(tip[0] + ux * (grown > 1 ? width * 0.5 : 0), tip[1] + uy * (grown > 1 ? width * 0.5 : 0));
      ctx.lineTo(stop[0] - uy * head, stop[1] + ux * head);
      ctx.lineTo(stop[0] + uy * head, stop[1] - ux * head);
      ctx.fill();
    }
    ctx.globalAlpha = 1;
    if (arrow.label) {
      const x = (tip[0] + before[0]) / 2;
      const y = (tip[1] + before[1]) / 2;
      ctx.font = `bold ${Math.max(26, this.px(12))}px "Liberation Sans", Arial, sans-serif`;
      ctx.textAlign = 'center';
      ctx.textBaseline = 'middle';
      ctx.lineWidth = this.px(4);
      ctx.strokeStyle = 'rgba(255,250,235,0.9)';
      ctx.strokeText(arrow.label, x, y);
      ctx.fillStyle = '#1d1a15';
      ctx.fillText(arrow.label, x, y);
    }
  }

  private drawInset(seen: Rect): void {
    const { inset } = this;
    const back = this.backdrop.get(this.sheet.id);
    if (!inset || !back || inset.clientWidth === 0) return;
    const [w, h] = this.sheet.size;
    const pw = Math.round(inset.clientWidth * this.ratio);
    const ph = Math.round(inset.clientHeight * this.ratio);
    if (inset.width !== pw || inset.height !== ph) {
      inset.width = pw;
      inset.height = ph;
    }
    const sx = pw / w;
    const sy = ph / h;
    const kept = this.insetBase;
    if (!kept || kept.of !== back.bitmap || kept.canvas.width !== pw || kept.canvas.height !== ph) this.drawInsetBase(back, pw, ph);
    const ctx = inset.getContext('2d') as CanvasRenderingContext2D;
    if (this.insetBase) ctx.drawImage(this.insetBase.canvas, 0, 0);
    ctx.strokeStyle = '#c2410c';
    ctx.lineWidth = 1.5 * this.ratio;
    ctx.strokeRect(seen.x * sx, seen.y * sy, seen.w * sx, seen.h * sy);
  }

  /** The overview without the frame of what is seen: made anew only when the position or the ink changes. */
  private drawInsetBase(back: Picture, pw: number, ph: number): void {
    const canvas = this.insetBase?.canvas ?? document.createElement('canvas');
    canvas.width = pw;
    canvas.height = ph;
    this.insetBase = { canvas, of: back.bitmap };
    const ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(back.bitmap, 0, 0, pw, ph);
    const sx = pw / this.sheet.size[0];
    const sy = ph / this.sheet.size[1];
    if (!this.look?.hideCounters) {
      for (const [id, piles] of this.piles) {
        if (this.sheetOf(id) !== this.sheet.id) continue;
        for (const pile of piles) {
          ctx.fillStyle = this.paints[pile.side]?.deep ?? '#333';
          ctx.fillRect(pile.x * sx - 1.5 * this.ratio, pile.y * sy - 1.5 * this.ratio, 3 * this.ratio, 3 * this.ratio);
        }
      }
    }
  }
}

const MARK_GLYPHS: Record<string, string> = {
  fort: 'fort', damage: '', terror: 'marker', battle: 'fighter', supply: 'supply', flag: 'flag', city: '', depot: 'supply',
  factory: 'factory', oil: 'oil', partisan: 'partisan', port: 'convoy', ownership: 'flag',
};
const MARK_COLOURS: Record<string, string> = {
  damage: '#8a3a16', devastation: '#8a3a16', terror: '#5b1f4a', battle: '#a8321f', partisan: '#7b1d13', fort: '#5c5140',
  supply: '#3b5d3a', depot: '#3b5d3a',
};
const OVERLAY_COLOURS = ['#1b7837', '#c2410c', '#4f46b8', '#b58900', '#0e7490', '#a21caf', '#52525b'];

export function overlayColour(overlay: Overlay, key: string): string {
  const keys = Object.keys(overlay.legend ?? {});
  const place = Math.max(0, keys.indexOf(key));
  return OVERLAY_COLOURS[place % OVERLAY_COLOURS.length] as string;
}

function inside(part: Rect, whole: Rect): boolean {
  return part.x >= whole.x && part.y >= whole.y && part.x + part.w <= whole.x + whole.w && part.y + part.h <= whole.y + whole.h;
}
