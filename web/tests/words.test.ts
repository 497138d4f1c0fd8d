import { describe, expect, it } from 'vitest';
import { de } from '../src/lib/de';
import { en } from '../src/lib/en';
import { fill } from '../src/lib/i18n';
import type { MapFile, Table } from '../src/lib/types';
import { clockText, counted, humanize, Namer, noteText, percent, signed } from '../src/lib/words';

const table: Table = {
  game: 'g', scenario: 's', role: 'axis', number: 0, prompt: '', asked: [], turn: '', sequence: [],
  sides: { axis: { name: 'Achse', colour: 'grey' } }, spaces: {},
  stacks: { Q15: [{ id: 'agn', side: 'axis', label: 'Army Group North', numbers: '8-6' }], pool: [{ id: 'x1', side: 'axis' }] },
  boxes: [{ id: 'pool', title: 'Pool' }], panels: [{ id: 'hand', title: 'Hand', cards: [{ id: 'c1', title: 'Ambush' }] }],
};
const map: MapFile = {
  format: 1, game: 'g',
  sheets: [{ id: 'main', title: { en: 'M', de: 'M' }, size: [10, 10], spaces: [
    { id: 'Q15', name: 'Warsaw', name_de: 'Warschau', kind: 'land', d: '', at: [0, 0], r: 1 },
    { id: 'crete', name: 'Crete', name_de: 'Kreta', kind: 'land', d: '', at: [0, 0], r: 1 },
  ] }],
};

describe('words', () => {
  it('makes ids readable and leaves numbers alone', () => {
    expect(humanize('end-movement')).toBe('End movement');
    expect(humanize('out_of_supply')).toBe('Out of supply');
    expect(humanize('Q15')).toBe('Q15');
  });
  it('names spaces in the language, with the number where the id is one', () => {
    expect(new Namer(map, table, null, 'en').space('Q15')).toBe('Warsaw (Q15)');
    expect(new Namer(map, table, null, 'de').space('crete')).toBe('Kreta');
  });
  it('names values of every kind', () => {
    const namer = new Namer(map, table, null, 'en');
    expect(namer.value('unit', 'agn')).toBe('Army Group North (8-6)');
    expect(namer.value('path', ['Q15', 'crete'])).toBe('Warsaw (Q15) → Crete');
    expect(namer.value('amounts', [['crete', 2]])).toBe('2 × Crete');
    expect(namer.value('card', 'c1')).toBe('Ambush');
    expect(namer.value('choice', 'axis')).toBe('Achse');
    expect(namer.value('choice', true)).toBe('yes');
    expect(namer.value('units', [])).toBe('–');
    expect(namer.space('pool')).toBe('Pool');
  });
  it('writes shares without pretending certainty', () => {
    expect(percent(1)).toBe('100 %');
    expect(percent(0.9999)).toBe('>99.9 %');
    expect(percent(0.0001)).toBe('<0.1 %');
    expect(percent(5 / 6)).toBe('83.3 %');
    expect(signed(-2)).toBe('−2');
    expect(signed(1)).toBe('+1');
  });
  it('shows clocks', () => {
    expect(clockText(59.9)).toBe('0:59');
    expect(clockText(3661)).toBe('1:01:01');
    expect(clockText(90000)).toBe('1 d 1 h');
    expect(clockText(-4)).toBe('0:00');
  });
  it('writes notes', () => {
    expect(noteText({ move_cost: 3, rail: 1 })).toBe('move cost 3, rail 1');
    expect(noteText(null)).toBe('');
    expect(noteText(4)).toBe('4');
  });
});

describe('both languages', () => {
  it('say everything, with the same blanks', () => {
    expect(Object.keys(de).sort()).toEqual(Object.keys(en).sort());
    for (const key of Object.keys(en) as (keyof typeof en)[]) {
      const blanks = (text: unknown): string[] => (String(text).match(/\{\w+\}/g) ?? []).sort();
      expect(blanks(de[key]), key).toEqual(blanks(en[key]));
    }
  });
  it('fill blanks', () => {
    expect(fill('{n} of {all}', { n: 1, all: 2 })).toBe('1 of 2');
  });
});

describe('counted', () => {
  it('counts like words and keeps the order', () => {
    expect(counted(['tank', 'infantry', 'infantry'])).toEqual(['tank', '2 × infantry']);
    expect(counted([])).toEqual([]);
  });
});
