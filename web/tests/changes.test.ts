import { describe, expect, it } from 'vitest';
import type { LogLine, Scene } from '../src/lib/types';
import { folded, lastFightIn } from '../src/play/changes';

const line = (text: string, kind: Scene['kind'], place: string, dice = 0): LogLine => ({
  number: 1, role: '', text, kind: '', turn: 'one', refs: [], scene: { kind, path: [place] },
  dice: Array.from({ length: dice }, (_, n) => ({ n, value: 1, sides: 6, why: '' })),
});

describe('the last battle', () => {
  it('is the last in which dice fell', () => {
    const fought = [line('attack', 'fight', 'Minsk'), line('round', 'fight', 'Minsk', 2), line('loss', 'hit', 'Minsk')];
    const announced = [line('attack', 'fight', 'Odessa'), line('attack', 'fight', 'Minsk')];
    expect(lastFightIn(fought)?.map((one) => one.text)).toEqual(['attack', 'round']);
    expect(lastFightIn([...fought, line('attack', 'fight', 'Odessa')])?.at(-1)?.text).toBe('round');
    expect(lastFightIn(announced)).toBeNull();
    expect(lastFightIn([])).toBeNull();
  });
});

describe('lines that say the same', () => {
  it('are one where they follow each other and no dice fell', () => {
    const lines = [line('march', 'move', 'a'), line('march', 'move', 'b'), line('roll', 'note', 'c', 1), line('roll', 'note', 'c', 1), line('march', 'move', 'a')];
    expect(folded(lines).map(({ line: one, n }) => `${n} ${one.text}`)).toEqual(['2 march', '1 roll', '1 roll', '1 march']);
  });
});
