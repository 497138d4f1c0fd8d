// Checking the sealed dice in the browser, with nothing but the seed: what the server says is not taken on trust.
import type { DieFace } from './types';

export interface Checked {
  die: DieFace;
  right: boolean;
}

const SPACE = 1n << 64n;

export async function sha256(text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** 'a|40|b' is seed a for dice 0 to 39 and b from die 40 on: so it is written when a match branches off. */
export function segmentsOf(seed: string): [number, string][] {
  const parts = seed.split('|');
  const numbers = parts.filter((_, place) => place % 2 === 1);
  if (parts.length % 2 === 0 || !numbers.every((part) => /^\d+$/.test(part))) return [[0, seed]];
  const segments: [number, string][] = [[0, parts[0] as string]];
  for (let i = 1; i < parts.length; i += 2) segments.push([Number(parts[i]), parts[i + 1] as string]);
  return segments;
}

export async function dieValue(seed: string, number: number, sides: number): Promise<number> {
  const segments = segmentsOf(seed);
  const key = segments.reduce((found, [first, part]) => (number >= first ? part : found), segments[0]?.[1] ?? seed);
  const hmac = await crypto.subtle.importKey('raw', new TextEncoder().encode(key), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  const limit = SPACE - (SPACE % BigInt(sides));
  for (let attempt = 0; ; attempt++) {
    const digest = await crypto.subtle.sign('HMAC', hmac, new TextEncoder().encode(`${number}.${attempt}`));
    const x = new DataView(digest).getBigUint64(0);
    if (x < limit) return 1 + Number(x % BigInt(sides));
  }
}

export async function checkDice(seed: string, dice: DieFace[]): Promise<Checked[]> {
  return Promise.all(dice.map(async (die) => ({ die, right: (await dieValue(seed, die.n, die.sides)) === die.value })));
}
