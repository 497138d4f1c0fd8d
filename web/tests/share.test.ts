import { expect, it } from 'vitest';
import { wilson } from '../src/lib/share';

it('an interval holds the share, and shrinks with the number counted', () => {
  expect(wilson(0, 0)).toEqual([0, 1]);
  const [low, high] = wilson(61, 100);
  expect(low).toBeCloseTo(0.512, 3);
  expect(high).toBeCloseTo(0.7, 3);
  const [lower, higher] = wilson(610, 1000);
  expect(higher - lower).toBeLessThan(high - low);
});
