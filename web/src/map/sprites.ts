// Counters as pictures, made once for each face and size.
import type { Paint } from '../lib/palette';
import type { CounterFace } from '../lib/types';
import { drawIcon, silhouetteOf } from './icons';

type Symbols = typeof import('./symbols');

const SIZES = [20, 28, 40, 56, 80, 112, 160, 224];

export class Sprites {
  private readonly cache = new Map<string, HTMLCanvasElement>();
  private symbols: Symbols | null = null;
  private readonly drawn = new Map<string, HTMLCanvasElement | null>();

  private readonly listeners = new Set<() => void>();
  private asked = false;

  /** Call back when the symbols have come and counters look better than before. */
  listen(changed: () => void): () => void {
    this.listeners.add(changed);
    if (!this.asked) {
      this.asked = true;
      void import('./symbols').then((found) => {
        this.symbols = found;
        this.cache.clear();
        for (const listener of this.listeners) listener();
      });
    }
    return () => this.listeners.delete(changed);
  }

  get ready(): boolean {
    return this.symbols !== null;
  }

  clear(): void {
    this.cache.clear();
  }

  /** The picture of a counter for `px` device pixels: the next larger size that is kept. */
  get(counter: CounterFace, paint: Paint, px: number): HTMLCanvasElement {
    const size = SIZES.find((one) => one >= px * 0.94) ?? (SIZES.at(-1) as number);
    const key = [
      size, paint.fill, paint.deep, paint.pattern, counter.symbol, counter.icon, counter.size, counter.label,
      counter.numbers, counter.count, counter.state?.join(' '),
    ].join('|');
    let sprite = this.cache.get(key);
    if (!sprite) {
      sprite = this.draw(counter, paint, size);
      this.cache.set(key, sprite);
    }
    return sprite;
  }

  private symbol(code: string, px: number, ink: string, ground: string): HTMLCanvasElement | null {
    const key = `${code}|${px}|${ink}|${ground}`;
    const known = this.drawn.get(key);
    if (known !== undefined) return known;
    const made = this.symbols?.drawSymbol(code, px, ink, ground) ?? null;
    if (this.symbols) this.drawn.set(key, made);
    return made;
  }

  private draw(counter: CounterFace, paint: Paint, size: number): HTMLCanvasElement {
    const canvas = document.createElement('canvas');
    canvas.width = size;
    canvas.height = size;
    const ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
    const u = size / 100;
    ctx.scale(u, u);
    const states = new Set(counter.state ?? []);
    const hidden = states.has('hidden');
    face(ctx, paint, states);
    if (hidden) {
      write(ctx, '?', 50, 54, 52, paint.deep, 'bold');
    } else {
      const large = size >= 40;
      const hasFoot = Boolean(counter.numbers);
      const middle = hasFoot ? 43 : 52;
      // Ships and aircraft are drawn as such: the frames of their symbols hold letters only.
      const icon = counter.icon || silhouetteOf(counter.symbol ?? '');
      const symbol = counter.symbol && !icon ? this.symbol(counter.symbol, Math.round(size * 0.5), '#1d1a15', '#fdf9ee') : null;
      let drawn = false;
      if (symbol) {
        const scale = Math.min(76 / symbol.width, (hasFoot ? 43 : 52) / symbol.height);
        const w = symbol.width * scale;
        const h = symbol.height * scale;
        ctx.drawImage(symbol, 50 - w / 2, middle - h / 2, w, h);
        drawn = true;
      } else if (icon) {
        drawn = drawIcon(ctx, icon, 50, middle + 1, hasFoot ? 29 : 33, paint.ink);
      }
      if (!drawn && (counter.label || counter.numbers)) {
        const text = counter.label || '';
        if (text) fitText(ctx, text, 50, hasFoot ? 42 : 52, 84, 30, paint.ink, 'bold');
      }
      if (counter.size && large) write(ctx, counter.size, 50, 15, counter.size.length > 4 ? 11 : 14, paint.ink, 'bold');
      if (hasFoot) fitText(ctx, counter.numbers as string, 50, 83, 88, size < 40 ? 34 : 28, paint.ink, 'bold');
      if (drawn && counter.label && large && !counter.size) fitText(ctx, counter.label, 50, 14, 86, 15, paint.ink, 'bold');
    }
    marks(ctx, states);
    if ((counter.count ?? 1) > 1) badge(ctx, `×${counter.count}`, 80, 80);
    return canvas;
  }
}

function face(ctx: CanvasRenderingContext2D, paint: Paint, states: Set<string>): void {
  ctx.save();
  ctx.beginPath();
  ctx.roundRect(2, 2, 96, 96, 11);
  ctx.fillStyle = paint.fill;
  ctx.fill();
  ctx.clip();
  // The side's pattern runs along the left edge, where no number hides it.
  ctx.fillStyle = paint.deep;
  ctx.globalAlpha = 0.9;
  ctx.fillRect(0, 0, 9, 100);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = paint.fill;
  ctx.lineWidth = 3.4;
  ctx.beginPath();
  switch (paint.pattern) {
    case 'stripes':
      for (let y = -8; y < 110; y += 13) {
        ctx.moveTo(-1, y + 9);
        ctx.lineTo(10, y - 2);
      }
      break;
    case 'backstripes':
      for (let y = -8; y < 110; y += 13) {
        ctx.moveTo(-1, y - 2);
        ctx.lineTo(10, y + 9);
      }
      break;
    case 'cross':
      for (let y = -8; y < 110; y += 16) {
        ctx.moveTo(-1, y + 9);
        ctx.lineTo(10, y - 2);
        ctx.moveTo(-1, y - 2);
        ctx.lineTo(10, y + 9);
      }
      break;
    case 'dots':
      for (let y = 6; y < 100; y += 13) {
        ctx.moveTo(5, y);
        ctx.arc(5, y, 1.4, 0, 6.3);
      }
      break;
    case 'lines':
      for (let y = 4; y < 100; y += 10) {
        ctx.moveTo(0, y);
        ctx.lineTo(10, y);
      }
      break;
  }
  ctx.stroke();
  const light = ctx.createLinearGradient(0, 0, 0, 100);
  light.addColorStop(0, 'rgba(255,255,255,0.28)');
  light.addColorStop(0.25, 'rgba(255,255,255,0)');
  light.addColorStop(0.85, 'rgba(0,0,0,0)');
  light.addColorStop(1, 'rgba(0,0,0,0.16)');
  ctx.fillStyle = light;
  ctx.fillRect(0, 0, 100, 100);
  if (states.has('reduced')) {
    ctx.fillStyle = 'rgba(255,255,255,0.85)';
    ctx.beginPath();
    ctx.moveTo(100, 0);
    ctx.lineTo(70, 0);
    ctx.lineTo(100, 30);
    ctx.fill();
  }
  ctx.restore();
  ctx.beginPath();
  ctx.roundRect(2, 2, 96, 96, 11);
  ctx.strokeStyle = paint.deep;
  ctx.lineWidth = 3;
  ctx.stroke();
  if (states.has('moved') || states.has('exhausted')) {
    ctx.save();
    ctx.fillStyle = 'rgba(40,36,28,0.26)';
    ctx.beginPath();
    ctx.roundRect(2, 2, 96, 96, 11);
    ctx.fill();
    ctx.restore();
  }
}

const KNOWN_MARKS: Record<string, (ctx: CanvasRenderingContext2D, x: number, y: number) => void> = {
  moved: (ctx, x, y) => {
    disc(ctx, x, y, '#3b5d3a');
    stroke(ctx, [[x - 5, y], [x - 1, y + 4], [x + 5, y - 4]]);
  },
  exhausted: (ctx, x, y) => {
    disc(ctx, x, y, '#6b5b3c');
    stroke(ctx, [[x - 5, y - 3], [x + 5, y - 3], [x - 5, y + 4], [x + 5, y + 4]]);
  },
  'out-of-supply': (ctx, x, y) => {
    disc(ctx, x, y, '#a8321f');
    stroke(ctx, [[x - 5, y - 5], [x + 5, y + 5]]);
    stroke(ctx, [[x + 5, y - 5], [x - 5, y + 5]]);
  },
  isolated: (ctx, x, y) => {
    disc(ctx, x, y, '#a8321f');
    write(ctx, '!', x, y + 0.5, 15, '#fff', 'bold');
  },
  carried: (ctx, x, y) => {
    disc(ctx, x, y, '#2c5f7d');
    stroke(ctx, [[x - 5, y + 3], [x, y - 4], [x + 5, y + 3]]);
  },
  retreated: (ctx, x, y) => {
    disc(ctx, x, y, '#8a5a1d');
    stroke(ctx, [[x + 5, y], [x - 5, y], [x - 1, y - 4]]);
  },
};

function marks(ctx: CanvasRenderingContext2D, states: Set<string>): void {
  let place = 0;
  for (const state of states) {
    if (state === 'hidden' || state === 'reduced') continue;
    const x = 88 - place * 22;
    const known = KNOWN_MARKS[state];
    if (known) known(ctx, x, 13);
    else {
      disc(ctx, x, 13, '#57534a');
      write(ctx, state.charAt(0).toUpperCase(), x, 13.6, 13, '#fff', 'bold');
    }
    if (++place === 3) return;
  }
}

function disc(ctx: CanvasRenderingContext2D, x: number, y: number, colour: string): void {
  ctx.beginPath();
  ctx.arc(x, y, 10, 0, 6.3);
  ctx.fillStyle = colour;
  ctx.fill();
  ctx.strokeStyle = 'rgba(255,255,255,0.9)';
  ctx.lineWidth = 1.6;
  ctx.stroke();
}
function stroke(ctx: CanvasRenderingContext2D, points: [number, number][]): void {
  ctx.strokeStyle = '#fff';
  ctx.lineWidth = 2.4;
  ctx.lineCap = 'round';
  ctx.lineJoin = 'round';
  ctx.beginPath();
  for (const [x, y] of points) ctx.lineTo(x, y);
  ctx.stroke();
}
function badge(ctx: CanvasRenderingContext2D, text: string, x: number, y: number): void {
  ctx.fillStyle = '#1d1a15';
  ctx.beginPath();
  ctx.roundRect(x - 19, y - 12, 38, 24, 12);
  ctx.fill();
  write(ctx, text, x, y + 1, 19, '#fff', 'bold');
}

const FONT = '"Liberation Sans", "Helvetica Neue", Arial, sans-serif';
function write(
  ctx: CanvasRenderingContext2D, text: string, x: number, y: number, px: number, colour: string, weight = '',
): void {
  ctx.font = `${weight} ${px}px ${FONT}`;
  ctx.textAlign = 'center';
  ctx.textBaseline = 'middle';
  ctx.fillStyle = colour;
  ctx.fillText(text, x, y);
}
function fitText(
  ctx: CanvasRenderingContext2D, text: string, x: number, y: number, wide: number, px: number, colour: string, weight: string,
): void {
  ctx.font = `${weight} ${px}px ${FONT}`;
  const width = ctx.measureText(text).width;
  let size = px;
  let shown = text;
  if (width > wide) size = Math.max(11, (px * wide) / width);
  ctx.font = `${weight} ${size}px ${FONT}`;
  if (ctx.measureText(shown).width > wide + 4) {
    // The first word says most; where even that is too long, the initials.
    const words = text.split(/\s+/);
    if (words.length > 1) {
      shown = words[0] as string;
      if (ctx.measureText(shown).width > wide + 4) shown = words.map((word) => word.charAt(0)).join('');
    }
    while (shown.length > 2 && ctx.measureText(shown).width > wide + 4) shown = shown.slice(0, -1);
  }
  write(ctx, shown, x, y, size, colour, weight);
}

/** One set of pictures for map, panel and fan. */
export const sprites = new Sprites();
