// Takes pictures of positions without showing them: for files, for paper, for films.
import type { MapFile, MapSheet, Pair } from '../lib/types';
import { fit, grow, visible, type Rect, type View } from './geometry';
import { groundOf } from './layers';
import { Painter } from './painter';
import { Scene, type Look } from './scene';
import { sprites } from './sprites';
import { drawThings } from './things';

/** What a picture shows: a part of a sheet, in so many pixels. */
export interface Frame {
  sheet: string;
  view: View;
  width: number;
  height: number;
}

export class Camera {
  readonly scene: Scene;
  private readonly painter: Painter;

  constructor(map: MapFile) {
    this.scene = new Scene(map);
    this.painter = new Painter(map);
  }

  close(): void {
    this.painter.close();
  }

  /** The frame around these places; around all counters where there are none, or the whole sheet. */
  around(look: Look, places: readonly string[], width: number, height: number): Frame {
    const { scene } = this;
    scene.show(look);
    const known = places.filter((id) => scene.placeOf(id));
    const ids = known.length > 0 ? known : [...scene.piles.keys()].filter((id) => !scene.boxRect(id));
    const count = (sheet: MapSheet): number => ids.filter((id) => scene.sheetOf(id) === sheet.id).length;
    const sheet = [...scene.map.sheets].sort((a, b) => count(b) - count(a))[0] as MapSheet;
    const spots = ids.flatMap((id) => (scene.sheetOf(id) === sheet.id ? [scene.placeOf(id) as Pair] : []));
    const [w, h] = sheet.size;
    const whole = { x: 0, y: 0, w, h };
    if (spots.length === 0) return { sheet: sheet.id, view: fit(whole, width, height), width, height };
    const xs = spots.map(([x]) => x);
    const ys = spots.map(([, y]) => y);
    const rect = grow({ x: Math.min(...xs), y: Math.min(...ys), w: Math.max(...xs) - Math.min(...xs), h: Math.max(...ys) - Math.min(...ys) }, 260);
    const view = fit(rect, width, height, 4, 0.9);
    const least = fit(whole, width, height).k;
    return { sheet: sheet.id, view: view.k < least ? fit(whole, width, height) : view, width, height };
  }

  /** The printed ground of a frame. */
  async ground(look: Look, frame: Frame, ratio: number): Promise<ImageBitmap> {
    const rect = this.aim(look, frame);
    const wish = groundOf(this.scene, rect, frame.view.k * ratio, ratio);
    return new Promise((done) => this.painter.queue(wish, ({ bitmap }) => done(bitmap)));
  }

  /** A picture of a position; `ratio` is how many pixels of it there are to a pixel of the frame. */
  async shot(look: Look, frame: Frame, ratio = 1, canvas = document.createElement('canvas')): Promise<HTMLCanvasElement> {
    const [ground] = await Promise.all([this.ground(look, frame, ratio), symbols()]);
    const rect = this.aim(look, frame);
    canvas.width = Math.round(frame.width * ratio);
    canvas.height = Math.round(frame.height * ratio);
    const ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
    ctx.drawImage(ground, 0, 0, canvas.width, canvas.height);
    ground.close();
    const scale = frame.view.k * ratio;
    ctx.setTransform(scale, 0, 0, scale, frame.view.x * ratio, frame.view.y * ratio);
    drawThings(ctx, this.scene, rect, frame.view.k, ratio);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    return canvas;
  }

  /** Put the scene in front of the camera; returns the part of the sheet that is seen. */
  aim(look: Look, frame: Frame): Rect {
    this.scene.sheet = this.scene.map.sheets.find((sheet) => sheet.id === frame.sheet) ?? this.scene.sheet;
    this.scene.show(look);
    return visible(frame.view, frame.width, frame.height);
  }
}

/** Wait until counters can be drawn with their symbols. */
export function symbols(): Promise<void> {
  return new Promise((done) => {
    const stop = sprites.listen(() => ready());
    function ready(): void {
      if (!sprites.ready) return;
      stop();
      done();
    }
    queueMicrotask(ready);
  });
}

export function blobOf(canvas: HTMLCanvasElement, type = 'image/png', quality?: number): Promise<Blob> {
  return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error('no picture'))), type, quality));
}
