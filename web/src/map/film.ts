// A film of some moves: each position is drawn on a canvas, and the browser records it as WebM.
import type { LogLine, Table } from '../lib/types';
import { Camera, type Frame } from './camera';
import type { Look } from './scene';

const TYPES = ['video/webm;codecs=vp9', 'video/webm;codecs=vp8', 'video/webm'];
const CAPTION = 46;

export interface Cut {
  table: Table;
  lines: LogLine[];
}

export function canFilm(): boolean {
  return typeof MediaRecorder !== 'undefined' && TYPES.some((type) => MediaRecorder.isTypeSupported(type));
}

/** Record positions one after the other; `cut` brings each of them, `done` is told how many are recorded. */
export async function film(
  camera: Camera,
  frame: Frame,
  moves: readonly number[],
  cut: (move: number) => Promise<Cut>,
  lookOf: (table: Table) => Look,
  done: (count: number) => void,
  milliseconds = 700,
): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = frame.width;
  canvas.height = frame.height + CAPTION;
  const ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
  const recorder = new MediaRecorder(canvas.captureStream(30), {
    mimeType: TYPES.find((type) => MediaRecorder.isTypeSupported(type)) as string, videoBitsPerSecond: 6_000_000,
  });
  const parts: Blob[] = [];
  recorder.addEventListener('dataavailable', (event) => parts.push(event.data));
  const ended = new Promise((over) => recorder.addEventListener('stop', over, { once: true }));
  const picture = document.createElement('canvas');
  try {
    for (const [place, move] of moves.entries()) {
      const { table, lines } = await cut(move);
      await camera.shot(lookOf(table), frame, 1, picture);
      // What takes long to draw is not seen: the film runs only while a finished picture is shown.
      if (place > 0) recorder.resume();
      ctx.drawImage(picture, 0, 0);
      caption(ctx, frame, `${move} · ${table.turn}`, lines.map((line) => line.text).filter(Boolean).join(' '));
      if (place === 0) recorder.start();
      await show(canvas, milliseconds);
      recorder.pause();
      done(place + 1);
    }
  } finally {
    recorder.stop();
    await ended;
  }
  return new Blob(parts, { type: 'video/webm' });
}

/** Keep a picture before the recorder: it takes one only when something is drawn. */
async function show(canvas: HTMLCanvasElement, milliseconds: number): Promise<void> {
  const ctx = canvas.getContext('2d') as CanvasRenderingContext2D;
  const end = performance.now() + milliseconds;
  while (performance.now() < end) {
    ctx.drawImage(canvas, 0, 0);
    await new Promise((next) => setTimeout(next, 33));
  }
}

function caption(ctx: CanvasRenderingContext2D, { width, height }: Frame, head: string, text: string): void {
  ctx.fillStyle = '#26221b';
  ctx.fillRect(0, height, width, CAPTION);
  ctx.textBaseline = 'middle';
  ctx.fillStyle = '#f2b705';
  ctx.font = 'bold 17px "Liberation Sans", Arial, sans-serif';
  ctx.fillText(head, 14, height + CAPTION / 2);
  const from = 14 + ctx.measureText(head).width + 16;
  ctx.fillStyle = '#fbf7ec';
  ctx.font = '16px "Liberation Sans", Arial, sans-serif';
  let shown = text;
  while (shown.length > 1 && ctx.measureText(shown).width > width - from - 14) shown = `${shown.slice(0, -2).trimEnd()}…`;
  ctx.fillText(shown, from, height + CAPTION / 2);
}
