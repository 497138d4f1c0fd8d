// Lines on the map: the grid, borders, rivers at hex sides, railways, straits and sea lanes.
import type { MapEdge } from '../lib/types';
import { parsePath } from './geometry';
import { write } from './lettering';
import type { Pen } from './pen';
import { dashes, endsOf } from './shapes';

export function lines(pen: Pen): void {
  const { ctx, inks, on } = pen;
  ctx.strokeStyle = inks.grid;
  ctx.globalAlpha = pen.map.grid ? 0.42 : 0.7;
  ctx.lineWidth = pen.width(pen.map.grid ? 1.5 : 2.2, 0.55);
  ctx.stroke(on.landGrid);
  ctx.globalAlpha = 1;
  for (const { kind, path } of on.borders) {
    if (kind === 'country') {
      ctx.strokeStyle = inks.border;
      ctx.globalAlpha = 0.2;
      ctx.lineWidth = pen.width(11, 3);
      ctx.stroke(path);
      ctx.globalAlpha = 0.85;
      ctx.lineWidth = pen.width(2.6, 0.9);
      ctx.setLineDash(dashes([12, 5, 3, 5], pen.k));
      ctx.stroke(path);
      ctx.setLineDash([]);
    } else if (kind === 'front') {
      ctx.strokeStyle = inks.ink;
      ctx.globalAlpha = 0.5;
      ctx.lineWidth = pen.width(3.2, 1.3);
      ctx.setLineDash(dashes([16, 10], pen.k));
      ctx.stroke(path);
      ctx.setLineDash([]);
    } else {
      ctx.strokeStyle = kind === 'impassable' ? inks.mountain : inks.ink;
      ctx.globalAlpha = 0.8;
      ctx.lineWidth = pen.width(7, 2.2);
      ctx.stroke(path);
    }
    ctx.globalAlpha = 1;
  }
  for (const [kind, path] of on.edges) edge(pen, kind, path);
  for (const edge of on.sheet.edges ?? []) edgeExtras(pen, edge);
  if (on.outside) {
    ctx.fillStyle = inks.outside;
    ctx.fill(on.outside, 'evenodd');
  }
  if (on.frame) {
    ctx.strokeStyle = inks.ink;
    ctx.globalAlpha = 0.65;
    ctx.lineWidth = pen.width(3, 1);
    ctx.stroke(on.frame);
    ctx.globalAlpha = 1;
  }
}

function edge(pen: Pen, kind: string, path: Path2D): void {
  const { ctx, inks } = pen;
  const line = (colour: string, units: number, least: number, dash: number[] = [], alpha = 1): void => {
    ctx.strokeStyle = colour;
    ctx.globalAlpha = alpha;
    ctx.lineWidth = pen.width(units, least);
    ctx.lineCap = dash.length ? 'butt' : 'round';
    ctx.setLineDash(dashes(dash, pen.k));
    ctx.stroke(path);
    ctx.setLineDash([]);
    ctx.lineCap = 'round';
    ctx.globalAlpha = 1;
  };
  switch (kind) {
    case 'river':
    case 'bridge':
      line(inks.shore, 8, 1.6, [], 0.45);
      line(inks.river, 6, 1.2);
      break;
    case 'canal':
      line(inks.river, 5, 1.4);
      line(inks.ink, 8, 2, [3, 9], 0.7);
      break;
    case 'lake':
      line(inks.river, 9, 2);
      break;
    case 'rail':
      line(inks.halo, 5.4, 1.8, [], 0.6);
      line(inks.rail, 2.4, 0.7, [], 0.9);
      line(inks.rail, 8, 2.4, [2, 13], 0.75);
      break;
    case 'sea':
    case 'all_sea':
    case 'blue':
      line(inks.river, 6, 1.6, [], 0.85);
      break;
    case 'partial':
      line(inks.river, 3.4, 0.9, [7, 6], 0.9);
      break;
    case 'strait':
    case 'crossing':
      line(inks.halo, 8, 2.6, [], 0.7);
      line(inks.strait, 4.5, 1.6);
      break;
    case 'sea_border':
      line(inks.seaName, 6, 1.8, [10, 8], 0.8);
      break;
    case 'lane':
    case 'map_switch':
      line(inks.seaName, 2.8, 1, [3, 9], 0.75);
      break;
    case 'sea_arrow':
      line(inks.seaName, 3.6, 1.1, [14, 9], 0.85);
      break;
    case 'mountain':
    case 'range':
      line(inks.mountain, 7, 2, [], 0.8);
      break;
    default:
      line(inks.ink, 3, 1, [8, 6], 0.6);
  }
}

function edgeExtras(pen: Pen, edge: MapEdge): void {
  const { ctx, inks } = pen;
  if (edge.kind === 'bridge' && edge.d && pen.k > 0.12) {
    const [start, end] = endsOf(edge.d);
    if (!start || !end) return;
    const x = (start[0] + end[0]) / 2;
    const y = (start[1] + end[1]) / 2;
    if (!pen.seesPoint(x, y, 20)) return;
    const angle = Math.atan2(end[1] - start[1], end[0] - start[0]) + Math.PI / 2;
    ctx.save();
    ctx.translate(x, y);
    ctx.rotate(angle);
    ctx.strokeStyle = inks.ink;
    ctx.lineWidth = pen.width(2, 0.6);
    ctx.beginPath();
    for (const side of [-4.5, 4.5]) {
      ctx.moveTo(-13, side + Math.sign(side) * 3);
      ctx.lineTo(-9, side);
      ctx.lineTo(9, side);
      ctx.lineTo(13, side + Math.sign(side) * 3);
    }
    ctx.stroke();
    ctx.restore();
  }
  if (edge.kind === 'sea_arrow' && edge.d) {
    const points = parsePath(edge.d)[0] ?? [];
    const tip = points.at(-1);
    const before = points.at(-2);
    if (tip && before && pen.seesPoint(tip[0], tip[1], 40)) {
      const angle = Math.atan2(tip[1] - before[1], tip[0] - before[0]);
      ctx.save();
      ctx.translate(tip[0], tip[1]);
      ctx.rotate(angle);
      ctx.fillStyle = inks.seaName;
      ctx.beginPath();
      ctx.moveTo(10, 0);
      ctx.lineTo(-14, -10);
      ctx.lineTo(-14, 10);
      ctx.fill();
      ctx.restore();
    }
  }
  if (edge.label && edge.label.size * pen.k > 6.5) {
    write(pen, edge.label.text, edge.label.at[0], edge.label.at[1], Math.min(edge.label.size * pen.k, 24), {
      colour: inks.seaName, font: 'bold', angle: ((edge.label.angle ?? 0) * Math.PI) / 180,
    });
  }
}
