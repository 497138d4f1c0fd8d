import { describe, expect, it } from 'vitest';
import type { CounterFace } from '../src/lib/types';
import { pilesInBox } from '../src/map/boxes';
import { extentOf, fanColumns, howMany, layersOf, MOST_LAYERS, pileAt, pilesOf, topOf } from '../src/map/stacking';

const counter = (id: string, side: string, count = 1): CounterFace => ({ id, side, count });
const many = (n: number, side: string): CounterFace[] => Array.from({ length: n }, (_, i) => counter(`${side}${i}`, side));

describe('piles', () => {
  it('covers all its layers', () => {
    const [pile] = pilesOf(many(6, 'x'), [0, 0], { size: 80 });
    if (!pile) throw new Error('no pile');
    const all = extentOf(pile);
    const top = topOf(pile);
    expect(all.x).toBeLessThan(top.x);
    expect(all.x + all.w).toBeCloseTo(top.x + top.w);
    expect(all.y).toBeCloseTo(top.y);
    expect(all.y + all.h).toBeGreaterThan(top.y + top.h);
  });
  it('puts one side in the middle of its space', () => {
    const [pile] = pilesOf([counter('a', 'x')], [100, 200], { size: 80 });
    expect(pile).toMatchObject({ x: 100, y: 200, size: 80 });
    expect(topOf(pile!)).toEqual({ x: 60, y: 160, w: 80, h: 80 });
  });
  it('keeps two sides beside each other without overlap', () => {
    const [left, right] = pilesOf([...many(2, 'x'), ...many(1, 'y')], [0, 0], { size: 80 });
    expect(left!.x + left!.size / 2).toBeLessThan(right!.x - right!.size / 2);
  });
  it('puts many sides in rows that stay near the middle', () => {
    const piles = pilesOf([...many(1, 'a'), ...many(1, 'b'), ...many(1, 'c')], [0, 0], { size: 60 });
    expect(piles).toHaveLength(3);
    expect(piles[2]!.x).toBeCloseTo(0);
    expect(Math.max(...piles.map((pile) => Math.hypot(pile.x, pile.y)))).toBeLessThan(60);
  });
  it('draws at most a few layers', () => {
    const [pile] = pilesOf(many(9, 'x'), [0, 0], { size: 80 });
    expect(layersOf(pile!)).toBe(MOST_LAYERS);
  });
  it('finds the pile under a point', () => {
    const piles = pilesOf([...many(2, 'x'), ...many(1, 'y')], [0, 0], { size: 80 });
    expect(pileAt(piles, piles[1]!.x, piles[1]!.y)?.side).toBe('y');
    expect(pileAt(piles, 0, 300)).toBeNull();
  });
  it('counts what a counter stands for', () => {
    expect(howMany([counter('a', 'x', 3), counter('b', 'x')])).toBe(4);
  });
});

describe('fans and boxes', () => {
  it('keeps small fans in one row and large ones wide', () => {
    expect(fanColumns(3)).toBe(3);
    expect(fanColumns(12)).toBeGreaterThan(3);
    expect(fanColumns(100)).toBe(8);
  });
  it('keeps every counter inside its box, however full', () => {
    for (const n of [1, 7, 30]) {
      const box = { x: 30, y: 40, w: 420, h: 250 };
      for (const pile of pilesInBox(many(n, 'x'), box)) {
        expect(pile.x - pile.size / 2).toBeGreaterThanOrEqual(box.x);
        expect(pile.x + pile.size / 2).toBeLessThanOrEqual(box.x + box.w);
        expect(pile.y + pile.size / 2).toBeLessThanOrEqual(box.y + box.h);
      }
    }
  });
});
