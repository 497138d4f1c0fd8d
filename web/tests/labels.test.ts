import { describe, expect, it } from 'vitest';
import { paintsOf } from '../src/lib/palette';
import { secretIn } from '../src/lib/seats';
import { placeLabels } from '../src/map/labels';
import { segmentsOf, dieValue } from '../src/lib/dice';

const DICE = [6, 1, 4, 2, 3];

const label = (text: string, x: number, rank: number, size = 30) => ({
  lettering: { text, at: [x, 0] as [number, number], size, rank }, style: 'city',
});

describe('names on the map', () => {
  it('leave out the unimportant when far away', () => {
    const found = placeLabels([label('Berlin', 0, 1), label('Dorf', 900, 5)], 0.2, 'en');
    expect(found.map((one) => one.text)).toEqual(['Berlin']);
  });
  it('never write two enlarged names on each other', () => {
    const found = placeLabels([label('Amsterdam', 0, 1), label('Rotterdam', 40, 1)], 0.15, 'en');
    expect(found).toHaveLength(1);
  });
  it('step aside for counters, to the nearest free spot', () => {
    const counter = { x: -40, y: -40, w: 80, h: 80 };
    const [name] = placeLabels([label('Berlin', 0, 1)], 0.4, 'en', [counter]);
    expect(name?.x).toBe(0);
    expect(Math.abs(name?.y ?? 0)).toBeGreaterThan(40);
    const [left] = placeLabels([label('Berlin', 300, 1)], 0.4, 'en', [counter]);
    expect([left?.x, left?.y]).toEqual([300, 0]);
  });
  it('give way where counters would hide them', () => {
    const everywhere = { x: -1000, y: -1000, w: 2000, h: 2000 };
    const [name] = placeLabels([label('Berlin', 0, 1)], 0.4, 'en', [everywhere]);
    expect(name).toBeUndefined();
  });
  it('are written as printed when near', () => {
    const found = placeLabels([label('A', 0, 1), label('B', 40, 5)], 0.7, 'en');
    expect(found).toHaveLength(2);
    expect(found[0]?.px).toBeCloseTo(21);
  });
});

describe('paints', () => {
  it('give sides different patterns where the game gives none', () => {
    const paints = paintsOf({ axis: { name: 'A', colour: 'grey' }, allies: { name: 'B', colour: 'tan' } });
    expect(paints['axis']?.pattern).not.toBe(paints['allies']?.pattern);
  });
  it('are others for colour-blind eyes, with the pattern that the game gives', () => {
    const sides = { red: { name: 'R', colour: 'red', pattern: 'cross' } } as const;
    expect(paintsOf(sides)['red']?.pattern).toBe('cross');
    expect(paintsOf(sides, true)['red']?.pattern).toBe('cross');
    expect(paintsOf(sides, true)['red']?.fill).not.toBe(paintsOf(sides)['red']?.fill);
  });
});

describe('seat links', () => {
  it('carry the secret in the fragment only', () => {
    expect(secretIn('#seat=abcDEF_-0123456789xyz0')).toBe('abcDEF_-0123456789xyz0');
    expect(secretIn('#seat=<script>')).toBeNull();
    expect(secretIn('')).toBeNull();
  });
});

describe('sealed dice', () => {
  it('fall as the seed says', async () => {
    // Worked out by the server's own code for the seed 'seed'.
    expect(await Promise.all([0, 1, 2, 3, 4].map((n) => dieValue('seed', n, 6)))).toEqual(DICE);
    expect(await dieValue('a|2|seed', 3, 6)).toBe(DICE[3]);
  });
  it('know branched seeds', () => {
    expect(segmentsOf('a|40|b')).toEqual([[0, 'a'], [40, 'b']]);
    expect(segmentsOf('plain')).toEqual([[0, 'plain']]);
  });
});
