// A picture of the map as SVG. The ground is a picture in it; marked spaces, names, counters and arrows are elements.
import { DARK, LIGHT } from '../lib/palette';
import type { Namer } from '../lib/words';
import { toldColour } from './art';
import { blobOf, symbols, type Camera, type Frame } from './camera';
import { grow, type Rect } from './geometry';
import { SANS, SERIF } from './lettering';
import type { Placed } from './labels';
import type { Look, Scene } from './scene';
import { sprites } from './sprites';
import { howMany, layersOf, topOf } from './stacking';

const RATIO = 2;

export async function svgOf(camera: Camera, look: Look, frame: Frame, namer: Namer, title: string): Promise<string> {
  const [ground] = await Promise.all([camera.ground(look, frame, RATIO), symbols()]);
  const seen = camera.aim(look, frame);
  const { scene } = camera;
  const { view, width, height } = frame;
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
    `<title>${escaped(title)}</title>`,
    `<image id="ground" width="${width}" height="${height}" xlink:href="${await dataOf(ground)}"/>`,
    `<g transform="translate(${short(view.x)} ${short(view.y)}) scale(${short(view.k)})">`,
    group('names', scene.namesAt(view.k).filter((name) => isIn(name, grow(seen, 300))).map((name) => nameOf(name, view.k, look))),
    group('counters', look.hideCounters ? [] : countersOf(scene, seen, view.k, namer)),
    group('marked', (look.drawn?.spaces ?? []).flatMap((id) => markOf(scene, id, view.k, toldColour(look.dark)))),
    group('arrows', [...(look.table.arrows ?? []), ...(look.drawn?.arrows ?? []).map((path) => ({ path, kind: 'told', side: '' }))].flatMap((arrow) =>
      arrowOf(scene, arrow.path, view.k, arrow.kind === 'told' ? toldColour(look.dark) : scene.lineOf(arrow.side, '#a8321f')),
    )),
    '</g></svg>',
  ];
  return parts.join('\n');
}

const short = (n: number): string => String(Math.round(n * 1000) / 1000);
export const escaped = (text: string): string => text.replace(/[&<>"]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' })[one] as string);
const group = (id: string, parts: string[]): string => `<g id="${id}">${parts.join('\n')}</g>`;
const isIn = ({ x, y }: { x: number; y: number }, rect: Rect): boolean => x >= rect.x && x <= rect.x + rect.w && y >= rect.y && y <= rect.y + rect.h;

async function dataOf(picture: ImageBitmap | HTMLCanvasElement): Promise<string> {
  let canvas = picture;
  if (!(canvas instanceof HTMLCanvasElement)) {
    canvas = document.createElement('canvas');
    canvas.width = picture.width;
    canvas.height = picture.height;
    canvas.getContext('2d')?.drawImage(picture, 0, 0);
  }
  const blob = await blobOf(canvas);
  return new Promise((done) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => done(String(reader.result)));
    reader.readAsDataURL(blob);
  });
}

function nameOf(name: Placed, k: number, look: Look): string {
  const inks = look.dark ? DARK : LIGHT;
  const colour = { sea: inks.seaName, country: inks.countryName, river: inks.riverName, city: inks.ink }[name.style] ?? inks.mountain;
  const isCity = name.style === 'city';
  const weight = name.style === 'country' || (isCity && name.rank <= 2) ? 'bold' : 'normal';
  const slant = isCity || name.style === 'country' ? 'normal' : 'italic';
  const turn = name.angle ? ` rotate(${short((name.angle * 180) / Math.PI)})` : '';
  const halo = name.style === 'sea' ? '' : ` paint-order="stroke" stroke="${inks.halo}" stroke-width="${short(Math.max(2, name.px * 0.24))}" stroke-linejoin="round"`;
  return (
    `<text transform="translate(${short(name.x)} ${short(name.y)})${turn} scale(${short(1 / k)})" fill="${colour}"${halo} ` +
    `font-family="${escaped(isCity ? SANS : SERIF)}" font-size="${short(name.px)}" font-weight="${weight}" font-style="${slant}" ` +
    `letter-spacing="${short(name.spacing)}" text-anchor="middle" dominant-baseline="central">${escaped(name.text)}</text>`
  );
}

/** Every counter that is drawn; those of a pile in a group that names them all. */
function countersOf(scene: Scene, seen: Rect, k: number, namer: Namer): string[] {
  const parts: string[] = [];
  for (const [id, raw] of scene.piles) {
    if (!scene.isHere(id)) continue;
    for (const pile of scene.grown(id, raw, k)) {
      if (!isIn(pile, grow(seen, 120))) continue;
      const layers = layersOf(pile);
      const shift = ((layers - 1) * pile.lift) / 2;
      const pictures = pile.counters.slice(-layers).map((counter, place) => {
        const x = short(pile.x - pile.size / 2 - shift + place * pile.lift);
        const y = short(pile.y - pile.size / 2 + shift - place * pile.lift);
        const sprite = sprites.get(counter, scene.paintOf(pile.side), pile.size * k * RATIO);
        return `<image x="${x}" y="${y}" width="${short(pile.size)}" height="${short(pile.size)}" xlink:href="${sprite.toDataURL()}"/>`;
      });
      const names = pile.counters.map((counter) => namer.unitName(counter.id)).join(', ');
      const top = topOf(pile);
      const many = pile.counters.length > 1 ? badge(top, String(howMany(pile.counters)), k) : '';
      parts.push(`<g><title>${escaped(`${namer.space(id)}: ${names}`)}</title>${pictures.join('')}${many}</g>`);
    }
  }
  return parts;
}

function badge(top: Rect, text: string, k: number): string {
  const r = Math.min(Math.max(top.w * 0.15, 6.5 / k), top.w * 0.34);
  const [x, y] = [short(top.x + top.w - r * 0.4), short(top.y + top.h - r * 0.4)];
  return (
    `<circle cx="${x}" cy="${y}" r="${short(r)}" fill="#1d1a15" stroke="#fbf7ec" stroke-width="${short(1.2 / k)}"/>` +
    `<text x="${x}" y="${y}" fill="#fbf7ec" font-family="sans-serif" font-weight="bold" font-size="${short(r * 1.2)}" text-anchor="middle" dominant-baseline="central">${text}</text>`
  );
}

function markOf(scene: Scene, id: string, k: number, colour: string): string[] {
  const space = scene.isHere(id) ? scene.space(id) : undefined;
  return space ? [`<path d="${escaped(space.d)}" fill="${colour}" fill-opacity="0.16" stroke="${colour}" stroke-width="${short(3.4 / k)}"/>`] : [];
}

function arrowOf(scene: Scene, path: readonly string[], k: number, colour: string): string[] {
  const points = path.flatMap((id) => (scene.isHere(id) ? [scene.placeOf(id)] : [])).filter((at) => at !== null);
  const tip = points.at(-1);
  const before = points.at(-2);
  if (!tip || !before) return [];
  const width = Math.min(Math.max(13, 4 / k), 8 / k);
  const length = Math.hypot(tip[0] - before[0], tip[1] - before[1]) || 1;
  const [ux, uy] = [(tip[0] - before[0]) / length, (tip[1] - before[1]) / length];
  const stop = [tip[0] - ux * width * 2.4, tip[1] - uy * width * 2.4] as const;
  const head = width * 1.5;
  const line = [...points.slice(0, -1), stop].map(([x, y]) => `${short(x)} ${short(y)}`).join('L');
  const corners = [tip, [stop[0] - uy * head, stop[1] + ux * head], [stop[0] + uy * head, stop[1] - ux * head]] as const;
  return [
    `<path d="M${line}" fill="none" stroke="${colour}" stroke-width="${short(width)}" stroke-linecap="round" stroke-linejoin="round"/>` +
      `<path d="M${corners.map(([x, y]) => `${short(x)} ${short(y)}`).join('L')}Z" fill="${colour}"/>`,
  ];
}
