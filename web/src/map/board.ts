// The board on the screen: the painted ground, on it everything that changes, and the hand that moves the view.
// While the map moves both are shifted and scaled as finished pictures; they are drawn anew when the hand rests.
import { select, type Selection } from 'd3-selection';
import { zoom, zoomIdentity, type D3ZoomEvent, type ZoomBehavior } from 'd3-zoom';
import { DARK, LIGHT, type Paint } from '../lib/palette';
import type { CounterFace, MapFile, MapSheet, Pair } from '../lib/types';
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
  /** The spaces whose stacks are one tile at this scale. */
  cluster?: string[];
  /** Screen position inside the board. */
  x: number;
  y: number;
}

export interface Callbacks {
  /** A click; `more` with Shift held. */
  pick: (picked: Picked, more: boolean) => void;
  /** The right button, or a long press. */
  ask: (picked: Picked) => void;
  /** A box was drawn around these counters. */
  box: (units: string[]) => void;
  /** Counters that can act were taken hold of and pulled away. */
  grab: (picked: Picked) => void;
  /** They were let go over this place. */
  drop: (picked: Picked) => void;
  hover: (picked: Picked | null) => void;
  moved: () => void;
}

/** Beyond this ratio counters that were drawn for another scale are drawn anew, even on the move. */
const STRETCH = 1.4;
const REST = 90;
/** Pixels of a counter that can be read without effort, and of the margin around the places that are shown. */
const LEGIBLE = 34;
const EDGE = 60;
/** So much higher or lower the dock may become on a phone. */
const DOCK = 170;

export class Board {
  private readonly scene: Scene;
  private readonly ground: GroundLayers;
  private readonly overview: Overview;
  private readonly things: HTMLCanvasElement;
  private readonly unlisten: () => void;
  private readonly behaviour: ZoomBehavior<HTMLElement, unknown>;
  private readonly selection: Selection<HTMLElement, unknown, null, undefined>;
  private readonly noHover = typeof matchMedia !== 'undefined' && matchMedia('(hover: none)').matches;
  /** A drag draws a box instead of moving the map. */
  boxing = false;
  view: View = { x: 0, y: 0, k: 0.2 };
  width = 1;
  height = 1;
  ratio = 1;
  /** How many pixels of the screen a pixel of the drawing has: more than one on a large screen. */
  private unit = 1;
  /** How often everything was drawn. */
  frames = 0;
  private drawn: { rect: Rect; scale: number } | null = null;
  private stale = true;
  private opening = true;
  /** What was to be shown before the first view was made. */
  private first: (() => void) | null = null;
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
      .filter((event: MouseEvent) => !event.shiftKey && !this.boxing && (!event.ctrlKey || event.type === 'wheel') && !event.button && !(event.type === 'mousedown' && this.held(event)))
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
    stage.addEventListener('contextmenu', this.asked);
    stage.addEventListener('pointerdown', this.boxFrom);
    stage.addEventListener('pointerdown', this.dragFrom);
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
    this.stage.removeEventListener('contextmenu', this.asked);
    this.stage.removeEventListener('pointerdown', this.boxFrom);
    this.stage.removeEventListener('pointerdown', this.dragFrom);
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
    this.first?.();
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
  resize(width: number, height: number, ratio: number, unit = 1): void {
    if (width < 2 || height < 2) return;
    const first = this.width <= 1;
    const middle = this.centre();
    // The dock takes a line more or less: the map stays where it is, only its lower edge moves.
    const still = width === this.width && unit === this.unit && Math.abs(height - this.height) <= DOCK * unit;
    this.width = width;
    this.height = height;
    this.ratio = ratio;
    this.unit = unit;
    this.limits();
    if (first) this.fitAll();
    else if (!still) this.lookAt(middle, this.view.k);
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

  /** Where something can be done; else where the counters are, or the whole sheet when they are everywhere or nowhere. */
  fitAction(): void {
    const { look, piles } = this.scene;
    const lit = [...piles].filter(([, found]) => found.some((pile) => pile.counters.some((one) => look?.litUnits.has(one.id)))).map(([id]) => id);
    const here = (ids: string[]): string[] => ids.filter((id) => !this.scene.boxRect(id) && this.scene.isHere(id));
    const all = [...lit, ...(look?.litSpaces ?? [])];
    const count = (sheet: MapSheet): number => all.filter((id) => this.scene.sheetOf(id) === sheet.id).length;
    const best = [...this.map.sheets].sort((a, b) => count(b) - count(a))[0];
    if (best && count(best) > count(this.scene.sheet)) this.setSheet(best.id);
    const act = here(all);
    const ids = act.length > 0 ? act : here([...piles.keys()]);
    if (ids.length === 0) this.fitAll();
    else this.revealAll(this.front(ids), EDGE / this.legible());
  }

  /** Of these places those that fit into the window at a scale where counters can be read: where most of them are. */
  private front(ids: readonly string[]): string[] {
    const spots = ids.flatMap((id) => {
      const at = this.placeOf(id);
      return at ? [{ id, at }] : [];
    });
    const k = this.legible();
    const near = ([x, y]: Pair): typeof spots => spots.filter(({ at }) => Math.abs(at[0] - x) * k < this.width / 2 - EDGE && Math.abs(at[1] - y) * k < this.height / 2 - EDGE);
    let best: typeof spots = [];
    for (const { at } of spots) {
      // Around a place, then around the middle of what lies around it.
      const around = near(at);
      const middle = (axis: 0 | 1): number => around.reduce((sum, one) => sum + one.at[axis], 0) / around.length;
      for (const found of [around, near([middle(0), middle(1)])]) if (found.length > best.length) best = found;
    }
    return best.map(({ id }) => id);
  }

  /** Whether all of these can be seen. */
  sees(ids: Iterable<string>): boolean {
    return [...ids].every((id) => this.isInView(id));
  }
  /** Whether this place is in the window. */
  isInView(id: string): boolean {
    const at = this.screenOf(id);
    return at !== null && at[0] > 20 && at[1] > 20 && at[0] < this.width - 20 && at[1] < this.height - 20;
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
    if (this.opening) this.first = () => this.reveal(id, near);
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

  /** Show several spaces at once, with so much of the map around them. */
  revealAll(ids: readonly string[], around = 260): void {
    if (this.opening) this.first = () => this.revealAll(ids, around);
    const places = ids.flatMap((id) => {
      const at = this.scene.isHere(id) ? this.placeOf(id) : null;
      return at ? [at] : [];
    });
    if (places.length === 0) return;
    const xs = places.map(([x]) => x);
    const ys = places.map(([, y]) => y);
    const rect = grow({ x: Math.min(...xs), y: Math.min(...ys), w: Math.max(...xs) - Math.min(...xs), h: Math.max(...ys) - Math.min(...ys) }, around);
    this.goInside(fit(rect, this.width, this.height, 10, this.readable() * 1.25));
  }

  /** The scale at which counters can just be read without effort. */
  private legible(): number {
    return (this.readable() * LEGIBLE) / 54;
  }
  /** A scale at which counters can be read. */
  readable(): number {
    const sample = this.scene.sheet.spaces.find((space) => space.kind !== 'box');
    return (54 * this.unit) / (sample ? this.scene.sizeIn(sample) : 80);
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
    const found = this.scene.find((x - view.x) / view.k, (y - view.y) / view.k, view.k / this.unit);
    return found && { ...found, x, y };
  }

  private readonly clicked = (event: MouseEvent): void => {
    const found = this.find(event.offsetX, event.offsetY);
    if (!found) return;
    this.cursor = null;
    // A tile of several stacks opens into them.
    if (found.cluster) this.revealAll(found.cluster);
    else this.callbacks.pick(found, event.shiftKey);
  };
  private readonly asked = (event: MouseEvent): void => {
    event.preventDefault();
    const found = this.find(event.offsetX, event.offsetY);
    if (found) this.callbacks.ask(found);
  };
  /** With Shift held, or while boxes are drawn, a drag draws a box around counters. */
  private readonly boxFrom = (event: PointerEvent): void => {
    if (event.button !== 0 || (!event.shiftKey && !this.boxing)) return;
    const { offsetX: x, offsetY: y } = event;
    const band = document.createElement('div');
    band.className = 'band';
    const area = (to: PointerEvent): Rect => ({ x: Math.min(x, to.offsetX), y: Math.min(y, to.offsetY), w: Math.abs(to.offsetX - x), h: Math.abs(to.offsetY - y) });
    const draw = (to: PointerEvent): void => {
      const { x: left, y: top, w, h } = area(to);
      if (!band.isConnected && w + h > 8) this.stage.append(band);
      Object.assign(band.style, { left: `${left}px`, top: `${top}px`, width: `${w}px`, height: `${h}px` });
    };
    const end = (to: PointerEvent): void => {
      this.stage.removeEventListener('pointermove', draw);
      this.stage.removeEventListener('pointerup', end);
      this.stage.removeEventListener('pointercancel', end);
      if (!band.isConnected) return;
      band.remove();
      const { x: left, y: top, w, h } = area(to);
      const inside = (pile: Pile): boolean => {
        const [px, py] = this.toScreen([pile.x, pile.y]);
        return px >= left && px <= left + w && py >= top && py <= top + h;
      };
      const piles = [...this.scene.piles].filter(([id]) => this.scene.isHere(id)).flatMap(([, found]) => found.filter(inside));
      this.stage.addEventListener('click', (click) => click.stopImmediatePropagation(), { capture: true, once: true });
      setTimeout(() => this.callbacks.box(piles.flatMap((pile) => pile.counters.map((counter) => counter.id))));
    };
    this.stage.setPointerCapture(event.pointerId);
    this.stage.addEventListener('pointermove', draw);
    this.stage.addEventListener('pointerup', end);
    this.stage.addEventListener('pointercancel', end);
  };
  /** The counters under the pointer that a drag would carry: those that can act, and those in the hand. */
  private held(event: MouseEvent): Picked | null {
    const found = this.find(event.offsetX, event.offsetY);
    const { look } = this.scene;
    return found?.pile?.counters.some((c) => look?.litUnits.has(c.id) || look?.chosenUnits.has(c.id)) ? found : null;
  }
  /** Counters that can act are dragged to where they shall go; a finger moves the map. */
  private readonly dragFrom = (event: PointerEvent): void => {
    if (event.button !== 0 || event.shiftKey || event.ctrlKey || this.boxing || event.pointerType === 'touch') return;
    const from = this.held(event);
    const counter = from?.pile?.counters.at(-1);
    if (!from || !counter) return;
    const { offsetX: x, offsetY: y } = event;
    let ghost: HTMLElement | null = null;
    const pull = (to: PointerEvent): void => {
      if (!ghost) {
        if (Math.hypot(to.offsetX - x, to.offsetY - y) < 8) return;
        ghost = this.pictureOf(counter);
        this.stage.append(ghost);
        this.stage.classList.add('drags');
        this.callbacks.grab(from);
      }
      const half = ghost.clientWidth / 2;
      ghost.style.transform = `translate(${to.offsetX - half}px, ${to.offsetY - half}px)`;
      this.hover(this.find(to.offsetX, to.offsetY)?.space ?? null);
    };
    const end = (to: PointerEvent): void => {
      this.stage.removeEventListener('pointermove', pull);
      this.stage.removeEventListener('pointerup', end);
      this.stage.removeEventListener('pointercancel', end);
      if (!ghost) return;
      ghost.remove();
      this.stage.classList.remove('drags');
      if (to.type !== 'pointerup') return;
      this.stage.addEventListener('click', (click) => click.stopImmediatePropagation(), { capture: true, once: true });
      const target = this.find(to.offsetX, to.offsetY);
      if (target) setTimeout(() => this.callbacks.drop(target));
    };
    this.stage.setPointerCapture(event.pointerId);
    this.stage.addEventListener('pointermove', pull);
    this.stage.addEventListener('pointerup', end);
    this.stage.addEventListener('pointercancel', end);
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

  // ---- counters on their way
  /** How large a counter is that is on its way. */
  private carried(): number {
    return this.unit * Math.max(26, Math.min(64, 54 * (this.view.k / this.readable())));
  }
  /** A counter as an element of its own, to be moved over the map. */
  private pictureOf(counter: CounterFace, size = this.carried()): HTMLCanvasElement {
    const picture = document.createElement('canvas');
    const drawn = sprites.get(counter, this.paintOf(counter.side), size * this.ratio);
    picture.width = drawn.width;
    picture.height = drawn.height;
    picture.getContext('2d')?.drawImage(drawn, 0, 0);
    picture.className = 'layer glider';
    Object.assign(picture.style, { width: `${size}px`, height: `${size}px` });
    return picture;
  }
  /** Let counters glide along their ways over the map as it stands; the promise is kept when all have arrived. */
  async glide(moves: { counter: CounterFace; from: string; path: string[] }[], milliseconds: number): Promise<void> {
    const size = this.carried();
    await Promise.all(
      moves.map(async ({ counter, from, path }) => {
        const spots = [from, ...path].flatMap((id) => {
          const at = this.screenOf(id);
          return at ? [at] : [];
        });
        if (spots.length < 2) return;
        const picture = this.pictureOf(counter, size);
        this.stage.append(picture);
        const frames = spots.map(([x, y]) => ({ transform: `translate(${x - size / 2}px, ${y - size / 2}px)` }));
        await picture.animate(frames, { duration: milliseconds * Math.min(2, 0.6 + 0.4 * (spots.length - 1)), easing: 'ease-in-out' }).finished.catch(() => undefined);
        picture.remove();
      }),
    );
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
    drawThings(ctx, this.scene, rect, view.k / this.unit, ratio * this.unit);
  }
}
