// How sure a share is that was counted.

/** The 95 % Wilson interval of a share. */
export function wilson(wins: number, of: number, z = 1.959964): [number, number] {
  if (of === 0) return [0, 1];
  const share = wins / of;
  const spread = (z * z) / of;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (z / (1 + spread)) * Math.sqrt((share * (1 - share)) / of + spread / (4 * of));
  return [Math.max(0, middle - half), Math.min(1, middle + half)];
}
