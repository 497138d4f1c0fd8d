// The inset: the whole sheet in small, with the frame of what is seen.
import type { Rect } from './geometry';
import type { Scene } from './scene';
import type { Pile } from './stacking';

export class Overview {
  private base: { canvas: HTMLCanvasElement; of: ImageBitmap; piles: Map<string, Pile[]>; hidden: boolean } | null = null;

  constructor(private readonly scene: Scene) {}

  draw(inset: HTMLCanvasElement, back: ImageBitmap, seen: Rect, ratio: number): void {
    const { scene } = this;
    const [w, h] = scene.sheet.size;
    // Where all is seen there is nothing to look over.
    const whole = seen.w >= w * 0.98 && seen.h >= h * 0.98;
    inset.classList.toggle('idle', whole);
    if (whole || inset.clientWidth === 0) return;
    const pw = Math.round(inset.clientWidth * ratio);
    const ph = Math.round(inset.clientHeight * ratio);
    if (inset.width !== pw || inset.height !== ph) {
      inset.width = pw;
      inset.height = ph;
    }
    const ctx = inset.getContext('2d') as CanvasRenderingContext2D;
    ctx.drawImage(this.ground(back, pw, ph, ratio), 0, 0);
    ctx.strokeStyle = '#c2410c';
    ctx.lineWidth = 1.5 * ratio;
    ctx.strokeRect((seen.x * pw) / w, (seen.y * ph) / h, (seen.w * pw) / w, (seen.h * ph) / h);
  }

  /** The sheet and its counters without the frame: made anew only when the position or the ink changes. */
  private ground(back: ImageBitmap, pw: number, ph: number, ratio: number): HTMLCanvasElement {
    const { scene, base } = this;
    const hidden = Boolean(scene.look?.hideCounters);
    const fresh = base && base.of === back && base.piles === scene.piles && base.hidden === hidden;
    if (fresh && base.canvas.width === pw && base.canvas.height === ph) return base.canvas;
    const canvas = base?.canvas ?? document.createElement('canvas');
    canvas.width = pw;
    canvas.height = ph;
    this.base = { canvas, of: back, piles: scene.piles, hidden };
    const ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
    ctx.imageSmoothingQuality = 'high';
    ctx.drawImage(back, 0, 0, pw, ph);
    const sx = pw / scene.sheet.size[0];
    const sy = ph / scene.sheet.size[1];
    const dot = 3 * ratio;
    for (const [id, piles] of hidden ? [] : scene.piles) {
      if (!scene.isHere(id)) continue;
      for (const pile of piles) {
        ctx.fillStyle = scene.lineOf(pile.side, '#333');
        ctx.fillRect(pile.x * sx - dot / 2, pile.y * sy - dot / 2, dot, dot);
      }
    }
    return canvas;
  }
}
