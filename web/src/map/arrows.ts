// Arrows: moves, attacks, retreats, convoys and lanes.
import type { Arrow, Pair } from '../lib/types';
import { toldColour, type Art } from './art';

export function drawArrow(art: Art, arrow: Arrow): void {
  const points = arrow.path.flatMap((id) => {
    const at = art.scene.isHere(id) ? art.scene.placeOf(id) : null;
    return at ? [at] : [];
  });
  if (points.length < 2) return;
  const { ctx } = art;
  const colour = arrow.kind === 'chosen' ? '#2f7fd1' : arrow.kind === 'told' ? toldColour(art.look.dark) : art.scene.lineOf(arrow.side, '#a8321f');
  const width = Math.min(Math.max(13, art.px(4)), art.px(8));
  const halo = art.look.dark ? 'rgba(18,16,12,0.85)' : 'rgba(255,250,235,0.9)';
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
  for (const [paint, grown] of [[halo, 1.45], [colour, 1]] as const) {
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
    ctx.font = `bold ${Math.min(Math.max(26, art.px(12)), art.px(15))}px "Liberation Sans", Arial, sans-serif`;
    // A name that is longer than its arrow would hide what lies around it.
    if (arrow.label.length > 3 && ctx.measureText(arrow.label).width > length * 0.7) return;
    ctx.textAlign = 'center';
    ctx.textBaseline = 'middle';
    ctx.lineWidth = art.px(4);
    ctx.strokeStyle = halo;
    ctx.strokeText(arrow.label, x, y);
    ctx.fillStyle = art.look.dark ? '#f4ecd8' : '#1d1a15';
    ctx.fillText(arrow.label, x, y);
  }
}
