import { describe, expect, it } from 'vitest';
import { changedOptions, seatsOf, usualLevel } from '../src/lib/setup';

describe('the lobby', () => {
  it('offers the captain, and what there is where there is none', () => {
    expect(usualLevel(['recruit', 'captain', 'colonel'])).toBe('captain');
    expect(usualLevel(['recruit'])).toBe('recruit');
  });
  it('gives all my roles one seat and everybody else one each', () => {
    const level = 'captain';
    const plan = { a: { kind: 'me', level }, b: { kind: 'friend', level }, c: { kind: 'computer', level }, d: { kind: 'me', level } } as const;
    expect(seatsOf(plan, ['a', 'b', 'c', 'd'], { name: 'Al', colour: 'teal' })).toEqual([
      { roles: ['a', 'd'], kind: 'person', name: 'Al', colour: 'teal' }, { roles: ['b'], kind: 'person', invite: true }, { roles: ['c'], kind: 'computer', level: 'captain' },
    ]);
  });
  it('sends only options that were changed', () => {
    const options = [{ id: 'fog', name: '', blurb: '', default: false, choices: [], scenarios: [], rule: '', even: {} }];
    expect(changedOptions(options, { fog: false })).toEqual({});
    expect(changedOptions(options, { fog: true })).toEqual({ fog: true });
  });
});
