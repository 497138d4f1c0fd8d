// Terrain as it is drawn on maps: hills, woods, marsh, desert and mountains.
import type { Ctx, Pen } from './pen';

export function terrain(pen: Pen): void {
  const { earth: ctx, inks, on } = pen;
  const sheet = on.sheet;
  for (const [x, y, s] of visibleOf(pen, sheet.hills)) {
    ctx.strokeStyle = inks.hill;
    ctx.lineWidth = pen.width(2, 0.5);
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
  for (const [x, y, s] of visibleOf(pen, sheet.forests)) {
    ctx.fillStyle = inks.forestDeep;
    ctx.globalAlpha = 0.5;
    ctx.beginPath();
    ctx.ellipse(x + s * 0.3, y + s * 0.62, s * 0.75, s * 0.24, 0, 0, 6.3);
    ctx.fill();
    ctx.globalAlpha = 1;
    ctx.fillStyle = inks.forest;
    ctx.strokeStyle = inks.forestDeep;
    ctx.lineWidth = pen.width(1.2, 0.3);
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
  for (const [x, y, s] of visibleOf(pen, sheet.marsh)) {
    ctx.strokeStyle = inks.marsh;
    ctx.lineWidth = pen.width(2, 0.5);
    ctx.beginPath();
    ctx.moveTo(x - s, y + s * 0.3);
    ctx.lineTo(x + s, y + s * 0.3);
    for (const [dx, lean] of [[-0.4, -0.55], [0, 0], [0.4, 0.55]] as const) {
      ctx.moveTo(x + s * dx * 0.6, y + s * 0.2);
      ctx.lineTo(x + s * (dx * 0.6 + lean * 0.4), y - s * 0.55);
    }
    ctx.stroke();
  }
  for (const [x, y, s] of visibleOf(pen, sheet.desert)) {
    ctx.fillStyle = inks.desert;
    for (const [dx, dy] of [[-0.6, 0.2], [0, -0.3], [0.5, 0.4], [0.7, -0.2], [-0.2, 0.6]] as const) {
      ctx.fillRect(x + dx * s, y + dy * s, pen.width(2.6, 0.7), pen.width(2.6, 0.7));
    }
  }
  for (const [x, y, s] of visibleOf(pen, sheet.mountains)) mountain(pen, ctx, x, y, s);
}

function mountain(pen: Pen, ctx: Ctx, x: number, y: number, s: number): void {
  const { inks } = pen;
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
  ctx.lineWidth = pen.width(2, 0.5);
  ctx.beginPath();
  ctx.moveTo(x - s, y + s * 0.55);
  ctx.quadraticCurveTo(x - s * 0.45, y + s * 0.1, px, py);
  ctx.quadraticCurveTo(x + s * 0.5, y, x + s, y + s * 0.55);
  ctx.stroke();
}

function* visibleOf(pen: Pen, list: number[][] | undefined): Generator<[number, number, number]> {
  for (const [x, y, s] of (list ?? []) as [number, number, number][]) {
    if (pen.seesPoint(x, y, s * 2)) yield [x, y, s];
  }
}

/** A number that looks random and is the same each time the map is drawn. */
function hash(text: string): number {
  let sum = 2166136261;
  for (let i = 0; i < text.length; i++) sum = Math.imul(sum ^ text.charCodeAt(i), 16777619);
  return sum >>> 0;
}
