import { describe, expect, it } from 'vitest';
import type { LogLine } from '../src/lib/types';
import { placeOf } from '../src/play/reporter.svelte';

const line = (number: number, text: string): LogLine => ({ number, role: 'axis', text, kind: 'k', turn: '', dice: [], refs: [], scene: { kind: 'note' } });

describe('reports', () => {
  it('count the lines of a move, as the host does', () => {
    const log = [line(1, 'a'), line(2, 'b'), line(2, 'b'), line(2, 'c'), line(3, 'd')];
    expect(log.map((one) => placeOf(one, log))).toEqual([0, 0, 1, 2, 0]);
  });
});
