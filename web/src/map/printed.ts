// What is printed in the spaces: towns, forts, ports, values; and the boxes beside the map.
import type { MapMark, MapSpace } from '../lib/types';
import { write } from './lettering';
import type { Pen } from './pen';
import { circle, polygon, roundRect, star } from './shapes';

export function marks(pen: Pen): void {
  for (const { item } of pen.on.spaces) {
    for (const mark of item.marks ?? []) if (mark.kind !== 'value' || !pen.wish.values.includes(item.id)) printMark(pen, mark);
    if (item.kind === 'port') port(pen, item);
    const bare = item.value !== null && item.value !== undefined && item.value !== '' && !item.marks?.some((m) => m.kind === 'value');
    if (bare && !pen.wish.values.includes(item.id) && pen.k * item.r > 9) {
      valueBox(pen, item.at[0] + item.r * 0.8, item.at[1] - item.r * 0.8, String(item.value), Math.min(10, item.r * 0.32));
    }
  }
}

function port(pen: Pen, item: MapSpace): void {
  const { ctx, inks } = pen;
  const [x, y] = item.at;
  if (!pen.seesPoint(x, y, 60)) return;
  const path = new Path2D(item.d);
  ctx.fillStyle = inks.shoal;
  ctx.globalAlpha = 0.85;
  ctx.fill(path);
  ctx.globalAlpha = 1;
  ctx.strokeStyle = inks.seaName;
  ctx.lineWidth = pen.width(1.6, 0.6);
  ctx.stroke(path);
  anchor(pen, x, y, Math.min(item.r * 0.55, 14));
}

function printMark(pen: Pen, mark: MapMark): void {
  const { ctx, inks } = pen;
  const [x, y] = mark.at ?? [0, 0];
  if (mark.at && !pen.seesPoint(x, y, 40)) return;
  const least = 1.3 / pen.k;
  ctx.strokeStyle = inks.ink;
  ctx.fillStyle = inks.ink;
  switch (mark.kind) {
    case 'capital': {
      const r = Math.max(12, 3 / pen.k);
      ctx.fillStyle = inks.halo;
      ctx.lineWidth = pen.width(2, 0.7);
      circle(ctx, x, y, r);
      ctx.fill();
      ctx.stroke();
      ctx.fillStyle = inks.border;
      star(ctx, x, y, r * 0.86);
      ctx.fill();
      break;
    }
    case 'city':
      ctx.lineWidth = pen.width(2, 0.7);
      ctx.fillStyle = inks.halo;
      circle(ctx, x, y, Math.max(8, least * 1.7));
      ctx.fill();
      ctx.stroke();
      ctx.fillStyle = inks.ink;
      circle(ctx, x, y, Math.max(4, least));
      ctx.fill();
      break;
    case 'town':
      ctx.lineWidth = pen.width(1.8, 0.6);
      ctx.fillStyle = inks.halo;
      circle(ctx, x, y, Math.max(5.4, least));
      ctx.fill();
      ctx.stroke();
      break;
    case 'fort':
      ctx.lineWidth = pen.width(2.2, 0.7);
      ctx.fillStyle = inks.mountainShade;
      polygon(ctx, x, y, 15, 8, 0.62);
      ctx.fill();
      ctx.stroke();
      break;
    case 'entrenchment':
      if (mark.d) {
        ctx.strokeStyle = inks.rail;
        ctx.lineWidth = pen.width(2.4, 0.8);
        ctx.stroke(new Path2D(mark.d));
      }
      break;
    case 'objective':
      ctx.lineWidth = pen.width(1.6, 0.6);
      ctx.fillStyle = inks.border;
      star(ctx, x, y, 12);
      ctx.fill();
      break;
    case 'depot':
      ctx.lineWidth = pen.width(1.6, 0.6);
      ctx.fillStyle = inks.hill;
      ctx.fillRect(x - 9, y - 7, 18, 14);
      ctx.strokeRect(x - 9, y - 7, 18, 14);
      break;
    case 'port':
      anchor(pen, x, y, 12);
      break;
    case 'value':
      valueBox(pen, x, y, String(mark.value ?? ''), 13);
      break;
    default:
      if (mark.at) {
        circle(ctx, x, y, 5);
        ctx.fill();
      }
      if (mark.d) ctx.stroke(new Path2D(mark.d));
  }
}

function valueBox(pen: Pen, x: number, y: number, text: string, half: number): void {
  const { ctx, inks } = pen;
  if (!pen.seesPoint(x, y, 40) || half * pen.k < 3.5) return;
  ctx.fillStyle = inks.halo;
  ctx.strokeStyle = inks.ink;
  ctx.lineWidth = pen.width(1.6, 0.6);
  ctx.fillRect(x - half, y - half, 2 * half, 2 * half);
  ctx.strokeRect(x - half, y - half, 2 * half, 2 * half);
  write(pen, text, x, y, half * 1.5 * pen.k, { colour: inks.ink, font: 'bold', halo: false });
}

function anchor(pen: Pen, x: number, y: number, s: number): void {
  const { ctx, inks } = pen;
  if (s * pen.k < 2) return;
  ctx.strokeStyle = inks.seaName;
  ctx.lineWidth = pen.width(s * 0.2, 0.7);
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

export function boxes(pen: Pen): void {
  const { ctx, inks, on, wish } = pen;
  for (const box of pen.map.boxes ?? []) {
    if (box.sheet !== on.sheet.id) continue;
    const [x, y, w, h] = box.rect;
    if (!pen.sees({ x, y, w, h })) continue;
    ctx.fillStyle = inks.box;
    ctx.strokeStyle = inks.ink;
    ctx.lineWidth = pen.width(2.4, 0.8);
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
    const px = Math.min(Math.max(Math.min(h * 0.16, 30) * pen.k, 9), (w * pen.k * 1.6) / title.length, 22);
    if (px >= 7) {
      write(pen, title, x + w / 2, y + (px * 0.85) / pen.k, px, { colour: inks.ink, font: 'bold', halo: false });
    }
  }
}
