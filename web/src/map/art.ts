// What is drawn over the ground works with this: a canvas in map units, the scene, and the part that is seen.
import type { Rect } from './geometry';
import type { Look, Scene } from './scene';

export interface Art {
  ctx: CanvasRenderingContext2D;
  scene: Scene;
  look: Look;
  seen: Rect;
  /** Screen pixels to a map unit. */
  k: number;
  /** Device pixels to a screen pixel. */
  ratio: number;
  /** So many screen pixels in map units. */
  px: (pixels: number) => number;
}

export const LIT = '#f2b705';
export const LIT_EDGE = '#5c4300';
/** The colour of what a story has drawn. */
export function toldColour(dark: boolean): string {
  return dark ? '#e59be2' : '#8e2a8b';
}
