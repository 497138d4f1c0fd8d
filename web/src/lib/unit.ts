/** How many pixels a pixel of the design has: more than one on a large screen. The style sheet says it. */
export function unit(): number {
  return parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--px')) || 1;
}
