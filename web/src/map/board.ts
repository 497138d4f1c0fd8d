// The board on the screen: the painted ground, on it everything that changes, and the hand that moves the view.
// While the map moves both are shifted and scaled as finished pictures; they are drawn anew when the hand rests.
import { select, type Selection } from 'd3-selection';
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from 'd3-zoom';
import { DARK, LIGHT, type Paint } from '../lib/palette';
import type { MapFile, MapSheet, Pair } from '../lib/types';
import { fit, grow, nearestTowards, visible, within, type Rect, type View } from './geometry';
import { inside, GroundLayers, transformOf, type Window } from './layers';
import { Overview } from './overview';
import { Scene, type Look } from './scene';
import { sprites } from './sprites';
import type { Pile } from './stacking';
import { drawThings } from './things';

export interface Picked {
  space: string;
  pile: Pile | null;
  /** Screen position inside the board. */
  x: number;
  y: number;
}

export interface Callbacks {
  pick: (picked: Picked) => void;
  hover: (picked: Picked | null) => void;
  moved: () => void;
}

/** Beyond this ratio counters that were drawn for another scale are drawn anew, even on the move. */
const STRETCH = 1.4;
const REST = 90;

export class Board {
  private readonly scene: Scene;
  private readonly ground: GroundLayers;
  private readonly overview: Overview;
  private readonly things: HTMLCanvasElement;
  private readonly unlisten: () => void;
  private readonly behaviour: ZoomBehavior<HTMLElement, unknown>;
  private readonly selection: Selection<HTMLElement, unknown, null, undefined>;
  private readonly noHover = typeof matchMedia !== 'undefined' && matchMedia('(hover: none)').matches;
  view: View = { x: 0, y: 0, k: 0.2 };
  width = 1;
  height = 1;
  ratio = 1;
  /** How often everything was drawn. */
  frames = 0;
  private drawn: { rect: Rect; scale: number } | null = null;
  private stale = true;
  private opening = true;
  private gesture = 0;
  private scheduled = false;
  private inset: HTMLCanvasElement | null = null;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(
    readonly stage: HTMLElement,
    readonly map: MapFile,
    private readonly callbacks: Callbacks,
  ) {
    this.scene = new Scene(map);
    this.ground = new GroundLayers(this.scene, stage, () => this.schedule());
    this.overview = new Overview(this.scene);
    this.things = document.createElement('canvas');
    this.things.className = 'layer';
    stage.append(this.things);
    this.unlisten = sprites.listen(() => this.invalidate());
    this.selection = select(stage);
    this.behaviour = zoom<HTMLElement, unknown>()
      .clickDistance(5)
      .wheelDelta((event: WheelEvent) => -event.deltaY * (event.deltaMode === 1 ? 0.05 : event.deltaMode ? 1 : 0.0022))
      .on('zoom', (event: D3ZoomEvent<HTMLElement, unknown>) => {
        const { x, y, k } = event.transform;
        this.view = { x, y, k };
        this.gesture = performance.now();
        clearTimeout(this.resting);
        this.resting = setTimeout(() => this.invalidate(), REST);
        this.callbacks.moved();
        this.schedule();
      });
    this.selection.call(this.behaviour).on('dblclick.zoom', null);
    stage.addEventListener('click', this.clicked);
    stage.addEventListener('pointermove', this.pointed);
    stage.addEventListener('pointerleave', this.left);
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.resting);
    this.ground.close();
    this.things.remove();
    this.unlisten();
    this.selection.on('.zoom', null);
    this.stage.removeEventListener('click', this.clicked);
    this.stage.removeEventListener('pointermove', this.pointed);
    this.stage.removeEventListener('pointerleave', this.left);
  }

  show(look: Look): void {
    const before = this.scene.look;
    if (before && (before.safe !== look.safe || before.dark !== look.dark)) sprites.clear();
    this.scene.show(look);
    this.stage.style.background = (look.dark ? DARK : LIGHT).paper;
    this.ground.refresh();
    this.openUp();
    this.invalidate();
  }

  /** The first view shows where the war is. */
  private openUp(): void {
    if (!this.opening || this.width <= 1 || !this.scene.look) return;
    this.opening = false;
    this.fitAction();
  }

  get sheets(): MapSheet[] {
    return this.map.sheets;
  }
  get sheetId(): string {
    return this.scene.sheet.id;
  }
  get cursor(): string | null {
    return this.scene.cursor;
  }
  set cursor(id: string | null) {
    this.scene.cursor = id;
  }

  setSheet(id: string): void {
    const found = this.map.sheets.find((sheet) => sheet.id === id);
    if (!found || found === this.scene.sheet) return;
    this.scene.sheet = found;
    this.ground.forget();
    this.limits();
    this.fitAll();
    this.invalidate();
  }

  // ---- moving the view
  resize(width: number, height: number, ratio: number): void {
    if (width < 2 || height < 2) return;
    const first = this.width <= 1;
    const middle = this.centre();
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.limits();
    if (first) this.fitAll();
    else this.lookAt(middle, this.view.k);
    this.openUp();
    this.invalidate();
  }

  private limits(): void {
    const [w, h] = this.scene.sheet.size;
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
    this.goInside({ k, x: this.width / 2 - x * k, y: this.height / 2 - y * k });
  }

  /** Go there, but show no bare table beside the sheet while the sheet could fill the window. */
  private goInside({ k, x, y }: View): void {
    const [w, h] = this.scene.sheet.size;
    this.go({ k, x: within(x, w * k, this.width), y: within(y, h * k, this.height) });
  }

  /** Where the war is: the counters and what is lit up, or the whole sheet when they are everywhere or nowhere. */
  fitAction(): void {
    const ids = [...this.scene.piles.keys(), ...(this.scene.look?.litSpaces ?? [])].filter((id) => !this.scene.boxRect(id));
    if (ids.length < 2) this.fitAll();
    else this.revealAll(ids);
  }

  fitAll(): void {
    const [w, h] = this.scene.sheet.size;
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
    const sheet = this.scene.sheetOf(id);
    if (!at) return;
    if (sheet) this.setSheet(sheet);
    const [sx, sy] = this.toScreen(at);
    const inView = sx > 80 && sy > 80 && sx < this.width - 80 && sy < this.height - 80;
    const k = near ? Math.max(this.view.k, this.readable()) : this.view.k;
    if (!inView || k !== this.view.k) this.lookAt(at, k);
    this.invalidate();
  }

  /** Show several spaces at once. */
  revealAll(ids: Iterable<string>): void {
    const places = [...ids].flatMap((id) => {
      const at = this.scene.isHere(id) ? this.placeOf(id) : null;
      return at ? [at] : [];
    });
    if (places.length === 0) return;
    const xs = places.map(([x]) => x);
    const ys = places.map(([, y]) => y);
    const rect = grow({ x: Math.min(...xs), y: Math.min(...ys), w: Math.max(...xs) - Math.min(...xs), h: Math.max(...ys) - Math.min(...ys) }, 260);
    this.goInside(fit(rect, this.width, this.height, 10, this.readable() * 1.25));
  }

  /** A scale at which counters can be read. */
  readable(): number {
    const sample = this.scene.sheet.spaces.find((space) => space.kind !== 'box');
    return 54 / (sample ? this.scene.sizeIn(sample) : 80);
  }

  placeOf(id: string): Pair | null {
    return this.scene.placeOf(id);
  }
  toScreen([x, y]: Pair): Pair {
    return [x * this.view.k + this.view.x, y * this.view.k + this.view.y];
  }
  screenOf(id: string): Pair | null {
    const at = this.placeOf(id);
    return at && this.scene.isHere(id) ? this.toScreen(at) : null;
  }
  pilesAt(id: string): Pile[] {
    return this.scene.piles.get(id) ?? [];
  }
  paintOf(side: string): Paint {
    return this.scene.paintOf(side);
  }

  // ---- pointing
  find(x: number, y: number): Picked | null {
    const { view } = this;
    const found = this.scene.find((x - view.x) / view.k, (y - view.y) / view.k, view.k);
    return found && { ...found, x, y };
  }

  private readonly clicked = (event: MouseEvent): void => {
    const found = this.find(event.offsetX, event.offsetY);
    if (!found) return;
    this.cursor = null;
    this.callbacks.pick(found);
  };
  private readonly pointed = (event: PointerEvent): void => {
    if (this.noHover || event.pointerType === 'touch' || event.buttons) return;
    const found = this.find(event.offsetX, event.offsetY);
    const { look } = this.scene;
    this.callbacks.hover(found);
    const lit = found && (look?.litSpaces.has(found.space) || found.pile?.counters.some((c) => look?.litUnits.has(c.id)));
    this.stage.classList.toggle('lit', Boolean(lit));
    this.hover(found?.space ?? null);
  };
  private readonly left = (): void => {
    this.callbacks.hover(null);
    this.hover(null);
  };
  private hover(space: string | null): void {
    if (space === this.scene.hovered) return;
    this.scene.hovered = space;
    this.invalidate();
  }

  // ---- by keys
  step(direction: 'left' | 'right' | 'up' | 'down'): string | null {
    const from = (this.cursor && this.placeOf(this.cursor)) || this.centre();
    const next = this.cursor ? nearestTowards(from, direction, this.scene.sheet.spaces) : this.scene.nearest(from);
    if (next) {
      this.cursor = next;
      this.reveal(next);
    }
    this.invalidate();
    return next;
  }

  // ---- the overview
  setInset(canvas: HTMLCanvasElement | null): void {
    this.inset = canvas;
    this.invalidate();
  }
  insetClick(x: number, y: number): void {
    if (!this.inset) return;
    const [w, h] = this.scene.sheet.size;
    this.lookAt([(x / this.inset.clientWidth) * w, (y / this.inset.clientHeight) * h], this.view.k);
  }

  // ---- drawing
  /** What is drawn is no longer right. */
  invalidate(): void {
    this.stale = true;
    this.schedule();
  }

  private schedule(): void {
    if (this.scheduled || this.closed) return;
    this.scheduled = true;
    requestAnimationFrame(() => {
      this.scheduled = false;
      if (!this.closed && this.scene.look && this.width > 1) this.frame();
    });
  }

  private frame(): void {
    const { view, width, height, ratio } = this;
    const window: Window = { view, width, height, ratio, moving: performance.now() - this.gesture < REST };
    this.ground.ask(window);
    this.ground.place(window);
    const seen = visible(view, width, height);
    if (this.stale || !this.fits(seen)) this.draw(seen);
    if (this.drawn) this.things.style.transform = transformOf(this.drawn, view, ratio);
    const back = this.ground.overview();
    this.inset?.classList.toggle('idle', !back);
    if (this.inset && back) this.overview.draw(this.inset, back, seen, ratio);
  }

  /** The drawn counters cover the window and are not stretched too much. */
  private fits(seen: Rect): boolean {
    if (!this.drawn) return false;
    const off = (this.view.k * this.ratio) / this.drawn.scale;
    return off < STRETCH && off > 1 / STRETCH && inside(seen, this.drawn.rect);
  }

  private draw(seen: Rect): void {
    const { view, ratio, things } = this;
    this.frames++;
    this.stale = false;
    const rect = grow(seen, Math.min(320, this.width * 0.25, this.height * 0.25) / view.k);
    const scale = view.k * ratio;
    const w = Math.round(rect.w * scale);
    const h = Math.round(rect.h * scale);
    const ctx = things.getContext('2d') as CanvasRenderingContext2D;
    if (things.width !== w || things.height !== h) {
      things.width = w;
      things.height = h;
      things.style.width = `${w / ratio}px`;
      things.style.height = `${h / ratio}px`;
    } else {
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.clearRect(0, 0, w, h);
    }
    ctx.setTransform(scale, 0, 0, scale, -rect.x * scale, -rect.y * scale);
    this.drawn = { rect, scale };
    drawThings(ctx, this.scene, rect, view.k, ratio);
  }
}
