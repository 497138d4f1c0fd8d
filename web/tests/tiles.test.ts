import { describe, expect, it } from 'vitest';
import type { CounterFace } from '../src/lib/types';
import { overlaps } from '../src/map/geometry';
import { tilesOf } from '../src/map/tiles';
import { strengthOf } from '../src/play/taking';

const unit = (id: string, numbers = '2-1', symbol = 'SFGPUCI----'): CounterFace => ({ id, side: 'red', numbers, symbol });
const pile = (space: string, side: string, x: number, n: number) => ({
  space, pile: { side, counters: Array.from({ length: n }, (_, i) => unit(`${space}${i}`)), x, y: 0, size: 50, lift: 3 },
});

describe('tiles far away', () => {
  it('take in the stacks beside them and open as one comes nearer', () => {
    const piles = [pile('a', 'red', 0, 3), pile('b', 'red', 60, 2), pile('c', 'red', 900, 1)];
    const far = tilesOf(piles, 0.2);
    expect(far.map((tile) => [tile.spaces.join(), tile.counters.length])).toEqual([['a,b', 5], ['c', 1]]);
    expect(tilesOf(piles, 1).map((tile) => tile.spaces.join())).toEqual(['a', 'b', 'c']);
  });
  it('of two sides stand beside each other', () => {
    const [a, b] = tilesOf([pile('a', 'red', 0, 3), pile('b', 'blue', 10, 3)], 0.2);
    expect(a && b && overlaps(a.rect, b.rect)).toBe(false);
  });
});

describe('the strength of a stack', () => {
  it('is that of its land units where there are any', () => {
    expect(strengthOf([unit('a'), unit('b', '3-1'), unit('c', '4-6', 'SFAPMFF----')])).toBe(5);
    expect(strengthOf([unit('c', '4-6', 'SFAPMFF----')])).toBe(4);
  });
  it('counts no rating in brackets, and what a counter says before what is printed on it', () => {
    expect(strengthOf([unit('a', '(4)'), unit('b')])).toBe(2);
    expect(strengthOf([{ ...unit('a', '5-3'), strength: 8 }])).toBe(8);
    expect(strengthOf([unit('a', '')])).toBeNull();
  });
});
