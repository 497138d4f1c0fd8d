// The map painter at work in its own thread, so that panning never waits for ink.
import type { MapFile } from '../lib/types';
import { Ground } from './ground';
import type { Ctx, Wish } from './pen';

interface Load {
  type: 'load';
  map: MapFile;
}
interface Paint {
  type: 'paint';
  ticket: number;
  wish: Wish;
}

let ground: Ground | null = null;
let spare: OffscreenCanvas | null = null;

function layer(w: number, h: number): Ctx {
  if (!spare || spare.width !== w || spare.height !== h) spare = new OffscreenCanvas(w, h);
  const ctx = spare.getContext('2d') as OffscreenCanvasRenderingContext2D;
  ctx.reset();
  return ctx;
}

self.addEventListener('message', (event: MessageEvent<Load | Paint>) => {
  const message = event.data;
  if (message.type === 'load') {
    ground = new Ground(message.map);
    return;
  }
  if (!ground) return;
  const { wish, ticket } = message;
  const w = Math.max(1, Math.round(wish.rect.w * wish.scale));
  const h = Math.max(1, Math.round(wish.rect.h * wish.scale));
  const canvas = new OffscreenCanvas(w, h);
  ground.paint(canvas.getContext('2d') as OffscreenCanvasRenderingContext2D, wish, layer);
  const bitmap = canvas.transferToImageBitmap();
  (self as unknown as Worker).postMessage({ ticket, bitmap }, [bitmap]);
});
