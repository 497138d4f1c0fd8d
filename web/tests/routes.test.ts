import { expect, test } from 'vitest';
import { hrefTo, place } from '../src/lib/routes';

const SEAT = 'abcDEF_-0123456789xyz0';
const at = (pathname: string, search = '', hash = ''): Pick<Location, 'pathname' | 'search' | 'hash'> => ({ pathname, search, hash });

test('a server has a path for every room, and a secret stays in the fragment', () => {
  expect(hrefTo('', '', {}, false)).toBe('/');
  expect(hrefTo('m', 'a b', { seat: SEAT }, false)).toBe(`/m/a%20b#seat=${SEAT}`);
  expect(hrefTo('replay', 'x', { at: 3 }, false)).toBe('/replay/x?at=3');
  const here = place(at('/replay/a%20b', '?at=3', `#seat=${SEAT}`), false);
  expect([here.room, here.match, here.query.get('at'), here.seat]).toEqual(['replay', 'a b', '3', SEAT]);
});

test('a static site has one page, wherever it lies', () => {
  expect(hrefTo('', '', {}, true)).toBe('#/');
  expect(hrefTo('m', 'x', { seat: SEAT }, true)).toBe(`#/m/x?seat=${SEAT}`);
  for (const [room, match, words] of [['m', 'a b', { seat: SEAT }], ['replay', 'x', { at: 7 }], ['dice', 'x', {}]] as const) {
    const here = place(at('/some/where/', '?game=y', hrefTo(room, match, words, true)), true);
    expect([here.room, here.match]).toEqual([room, match]);
    expect(here.seat).toBe('seat' in words ? words.seat : null);
    expect(here.query.get('at')).toBe('at' in words ? String(words.at) : null);
  }
  expect(place(at('/some/where/'), true)).toMatchObject({ room: '', match: '', seat: null });
});

test('a story has a number, opens at a move, and is shown within other pages', () => {
  expect(hrefTo('story', 'x', { n: 2, at: 0 }, false)).toBe('/story/x?n=2&at=0');
  expect(hrefTo('story', 'x', { n: 1, embed: true }, false)).toBe('/story/x?n=1&embed=1');
  expect(hrefTo('report', 'x', {}, true)).toBe('#/report/x');
  const here = place(at('/', '', hrefTo('story', 'x', { n: 2, at: 7 }, true)), true);
  expect([here.room, here.match, here.query.get('n'), here.query.get('at')]).toEqual(['story', 'x', '2', '7']);
});
