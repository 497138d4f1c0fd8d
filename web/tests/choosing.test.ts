import { describe, expect, it } from 'vitest';
import type { OfferInfo } from '../src/lib/types';
import { actionOf, amountsValue, firstCandidates, idsOf, inOrder, isComplete, isDead, namesIn } from '../src/play/choosing';

const move: OfferInfo = {
  verb: 'move', label: 'Move', rule: 'r', index: 0, fields: [{ name: 'army', kind: 'unit' }, { name: 'to', kind: 'space' }],
  next: { type: 'one', values: ['a', 'b'], notes: [2, null] },
};

describe('offers', () => {
  it('light up their first values, with notes', () => {
    const found = firstCandidates(move);
    expect(found.map((candidate) => candidate.value)).toEqual(['a', 'b']);
    expect(found[0]?.note).toBe(2);
    expect(found.flatMap(idsOf)).toEqual(['a', 'b']);
  });
  it('light up the end of a route and the things in a listed action', () => {
    const routes: OfferInfo = { ...move, fields: [{ name: 'route', kind: 'path' }], next: { type: 'one', values: [['A1', 'A2', 'A3']] } };
    expect(firstCandidates(routes).flatMap(idsOf)).toEqual(['A3']);
    const listed: OfferInfo = { verb: 'x', label: 'X', rule: 'r', index: 1, fields: [], actions: [{ do: 'x', unit: 'u1', to: ['A1'] }] };
    expect(firstCandidates(listed).flatMap(idsOf)).toEqual(['u1', 'A1']);
  });
  it('become actions field by field', () => {
    expect(actionOf(move, ['a'])).toEqual({ do: 'move', army: 'a' });
    expect(actionOf(move, ['a', 'Q15'])).toEqual({ do: 'move', army: 'a', to: 'Q15' });
  });
});

describe('compound fields', () => {
  it('keep the order of the domain', () => {
    expect(inOrder(['a', 'b', 'c'], ['c', 'a'])).toEqual(['a', 'c']);
  });
  it('leave out what was not given', () => {
    expect(amountsValue([['x', 3], ['y', 2]], new Map([['y', 1], ['x', 0]]))).toEqual([['y', 1]]);
  });
  it('are complete only within their bounds', () => {
    const some = { type: 'some', values: ['a', 'b'], least: 1, most: 1 } as const;
    expect(isComplete({ ...some, values: ['a', 'b'] }, [], new Map(), [])).toBe(false);
    expect(isComplete({ ...some, values: ['a', 'b'] }, ['a'], new Map(), [])).toBe(true);
    const amounts = { type: 'amounts' as const, limits: [['x', 3]] as [string, number][], least: 2, most: 2 };
    expect(isComplete(amounts, [], new Map([['x', 2]]), [])).toBe(true);
    expect(isComplete({ type: 'walk', next: [], may_stop: true }, [], new Map(), ['a'])).toBe(true);
    expect(isComplete({ type: 'walk', next: [], may_stop: false }, [], new Map(), ['a'])).toBe(false);
  });
});

describe('dead ends', () => {
  it('are domains in which nothing can be chosen', () => {
    expect(isDead({ type: 'one', values: [] })).toBe(true);
    expect(isDead({ type: 'one', values: ['a'] })).toBe(false);
    expect(isDead({ type: 'some', values: [], least: 0, most: 2 })).toBe(false);
    expect(isDead({ type: 'some', values: ['a'], least: 2, most: 2 })).toBe(true);
    expect(isDead({ type: 'amounts', limits: [['a', 1]], least: 2, most: 3 })).toBe(true);
    expect(isDead({ type: 'walk', next: [], may_stop: true })).toBe(false);
    expect(isDead({ type: 'walk', next: [] })).toBe(true);
    expect(isDead({ type: 'number', least: 2, most: 1 })).toBe(true);
  });
});

describe('names beside values', () => {
  it('are learned by value, whatever the kind of domain', () => {
    expect(namesIn({ type: 'one', values: ['a', 'b'], labels: ['Air', null] })).toEqual([['a', 'Air']]);
    expect(namesIn({ type: 'amounts', limits: [['inf', 3]], least: 0, most: 3, labels: ['Infantry'] })).toEqual([['inf', 'Infantry']]);
    expect(namesIn({ type: 'number', least: 0, most: 1 })).toEqual([]);
    expect(namesIn(null)).toEqual([]);
  });
});
