// The painted ground under the counters. A finished picture is moved and scaled by the browser's compositor while the
// map is on the move; a new one is painted in the painter's thread when the hand rests.
import { DARK, LIGHT } from '../lib/palette';
import { visible, type Rect, type View } from './geometry';
import { Painter, type Picture } from './painter';
import type { Wish } from './pen';
import type { Scene } from './scene';

const MARGIN = 0.22;
/** Pixels of the longer side of the picture of a whole sheet. */
const WIDE = 1100;

/** The wish for a picture of the ground under a scene. */
export function groundOf(scene: Scene, rect: Rect, scale: number, ratio: number, plain = false): Wish {
  const { look, control, shades, values, sheet } = scene;
  const inks = look?.dark ? DARK : LIGHT;
  return {
    // The printed colours of countries are not made for colour-blind eyes; who holds a space still shows.
    sheet: sheet.id, rect, scale, ratio, inks: look?.safe ? { ...inks, tint: 0 } : inks, control, shades, values,
    language: look?.language ?? 'en', hexIds: Boolean(look?.hexIds) && !plain, labels: false, hatched: Boolean(look?.safe),
  };
}

export interface Window {
  view: View;
  width: number;
  height: number;
  ratio: number;
  /** The hand is still moving the map. */
  moving: boolean;
}

export class GroundLayers {
  private readonly painter: Painter;
  private readonly near: HTMLCanvasElement;
  private readonly far: HTMLCanvasElement;
  private picture: Wish | null = null;
  private readonly wide = new Map<string, ImageBitmap>();
  private readonly wideRevision = new Map<string, string>();
  private shown: ImageBitmap | null = null;
  private revision = '';
  private pictureRevision = '';
  private wished = '';
  private inkedAt = 0;
  private closed = false;

  constructor(
    private readonly scene: Scene,
    under: HTMLElement,
    private readonly arrived: () => void,
  ) {
    this.painter = new Painter(scene.map);
    this.far = layer(under);
    this.near = layer(under);
  }

  close(): void {
    this.closed = true;
    this.painter.close();
    this.near.remove();
    this.far.remove();
  }

  /** The whole sheet in small, for the overview. */
  overview(): ImageBitmap | undefined {
    return this.wide.get(this.scene.sheet.id);
  }

  refresh(): void {
    const { look, control, shades, values } = this.scene;
    this.revision = JSON.stringify([control, shades, look?.dark, look?.safe, look?.language, look?.hexIds, values]);
  }

  forget(): void {
    this.picture = null;
    this.wished = '';
    this.near.hidden = true;
  }

  /** Ask for a new picture where the one there is does not cover the window, is not sharp, or not of this position. */
  ask({ view, width, height, ratio, moving }: Window): void {
    const seen = visible(view, width, height);
    const have = this.picture;
    const covered = have !== null && inside(seen, have.rect);
    const off = have ? Math.abs(Math.log2(have.scale / (view.k * ratio))) : 9;
    const fresh = this.pictureRevision === this.revision;
    if (covered && off < 0.006 && fresh) return;
    // On the move the compositor makes do with what there is, as long as it is not too far off.
    if (moving && fresh && covered && off < 1) return;
    if (moving && have && performance.now() - this.inkedAt < 350) return;
    const rect = { x: seen.x - seen.w * MARGIN, y: seen.y - seen.h * MARGIN, w: seen.w * (1 + 2 * MARGIN), h: seen.h * (1 + 2 * MARGIN) };
    const { revision } = this;
    // What has been asked for already is on its way.
    const key = `${this.scene.sheet.id} ${Math.round(rect.x)} ${Math.round(rect.y)} ${Math.round(rect.w)} ${view.k.toFixed(4)} ${revision}`;
    if (key === this.wished) return;
    this.wished = key;
    this.inkedAt = performance.now();
    this.painter.paint(groundOf(this.scene, rect, view.k * ratio, ratio), (picture) => this.take(picture, revision));
    this.askForWide(revision);
  }

  private take({ bitmap, wish }: Picture, revision: string): void {
    if (this.closed || wish.sheet !== this.scene.sheet.id) return bitmap.close();
    put(this.near, bitmap, wish);
    this.picture = wish;
    this.pictureRevision = revision;
    this.arrived();
  }

  private askForWide(revision: string): void {
    const { id, size: [w, h] } = this.scene.sheet;
    if (this.wideRevision.get(id) === revision) return;
    this.wideRevision.set(id, revision);
    const scale = Math.min(1, WIDE / Math.max(w, h));
    this.painter.queue(groundOf(this.scene, { x: 0, y: 0, w, h }, scale, 1, true), ({ bitmap }) => {
      if (this.closed) return bitmap.close();
      this.wide.get(id)?.close();
      this.wide.set(id, bitmap);
      this.arrived();
    });
  }

  /** Lay the pictures where the view wants them. */
  place({ view, width, height, ratio }: Window): void {
    const { picture, scene } = this;
    const covered = picture !== null && inside(visible(view, width, height), picture.rect);
    const wide = this.overview();
    this.far.hidden = covered || !wide;
    if (wide && !this.far.hidden) {
      const [w, h] = scene.sheet.size;
      if (this.shown !== wide) {
        this.shown = wide;
        this.far.width = wide.width;
        this.far.height = wide.height;
        this.far.getContext('2d')?.drawImage(wide, 0, 0);
      }
      this.far.style.width = `${w}px`;
      this.far.style.height = `${h}px`;
      this.far.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
    }
    this.near.hidden = picture === null;
    if (picture) this.near.style.transform = transformOf(picture, view, ratio);
  }
}

/** Where a picture of a part of the map lies under a view: on whole device pixels where it is drawn to scale. */
export function transformOf(picture: { rect: Rect; scale: number }, view: View, ratio: number): string {
  const left = picture.rect.x * view.k + view.x;
  const top = picture.rect.y * view.k + view.y;
  const scale = (view.k * ratio) / picture.scale;
  const sharp = Math.abs(scale - 1) < 0.0005;
  const at = (value: number): number => (sharp ? Math.round(value * ratio) / ratio : value);
  return `translate(${at(left)}px, ${at(top)}px)${sharp ? '' : ` scale(${scale})`}`;
}

export function inside(part: Rect, whole: Rect): boolean {
  return part.x >= whole.x && part.y >= whole.y && part.x + part.w <= whole.x + whole.w && part.y + part.h <= whole.y + whole.h;
}

function layer(under: HTMLElement): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.className = 'layer';
  canvas.hidden = true;
  under.append(canvas);
  return canvas;
}

function put(canvas: HTMLCanvasElement, bitmap: ImageBitmap, wish: Wish): void {
  canvas.style.width = `${bitmap.width / wish.ratio}px`;
  canvas.style.height = `${bitmap.height / wish.ratio}px`;
  canvas.width = bitmap.width;
  canvas.height = bitmap.height;
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap);
}
