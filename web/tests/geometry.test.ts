import { describe, expect, it } from 'vitest';
import { boundsOf, contains, fit, HitIndex, nearestTowards, overlaps, parsePath, visible, within } from '../src/map/geometry';

const SQUARE = 'M0 0l10 0 0 10-10 0z';

describe('paths', () => {
  it('reads relative lines with squeezed minus signs', () => {
    expect(parsePath('M3092 4200l104 60 0 120-104 60-104-60 0-120z')).toEqual([
      [[3092, 4200], [3196, 4260], [3196, 4380], [3092, 4440], [2988, 4380], [2988, 4260]],
    ]);
  });
  it('reads absolute, horizontal and vertical lines and several rings', () => {
    const rings = parsePath('M0 0H10V10H0ZM2 2h2v2h-2z');
    expect(rings).toHaveLength(2);
    expect(rings[1]).toEqual([[2, 2], [4, 2], [4, 4], [2, 4]]);
  });
  it('goes on from the start of a ring after z', () => {
    expect(parsePath('M5 5l1 0 0 1zm2 2l1 1')[1]?.[0]).toEqual([7, 7]);
  });
  it('bounds all rings', () => {
    expect(boundsOf(parsePath('M-2 3l4 0 0 6zM10 0l1 1'))).toEqual({ x: -2, y: 0, w: 13, h: 9 });
  });
});

describe('pointing', () => {
  it('knows inside, outside and holes', () => {
    const rings = parsePath('M0 0h10v10h-10zM4 4h2v2h-2z');
    expect(contains(rings, 1, 1)).toBe(true);
    expect(contains(rings, 5, 5)).toBe(false);
    expect(contains(rings, 11, 5)).toBe(false);
  });
  it('finds the smallest of shapes that lie on each other', () => {
    const index = new HitIndex([{ id: 'sea', d: 'M0 0h500v500h-500z' }, { id: 'port', d: 'M240 240h20v20h-20z' }], 100);
    index.addRect('box', { x: 600, y: 0, w: 50, h: 50 });
    expect(index.at(250, 250)).toBe('port');
    expect(index.at(10, 10)).toBe('sea');
    expect(index.at(620, 20)).toBe('box');
    expect(index.at(900, 900)).toBeNull();
  });
  it('tells whether rectangles meet', () => {
    const bounds = boundsOf(parsePath(SQUARE));
    expect(overlaps(bounds, { x: 9, y: 9, w: 5, h: 5 })).toBe(true);
    expect(overlaps(bounds, { x: 10, y: 0, w: 5, h: 5 })).toBe(false);
  });
});

describe('views', () => {
  it('fits a sheet into a window, whole and centred, and finds it visible', () => {
    const view = fit({ x: 0, y: 0, w: 1000, h: 500 }, 800, 800);
    expect(view.k).toBeCloseTo(0.8);
    const seen = visible(view, 800, 800);
    expect(seen.x).toBeCloseTo(0);
    expect(seen.w).toBeCloseTo(1000);
    expect(seen.y).toBeCloseTo(-250);
  });
  it('walks to the nearest space in a direction and not sideways', () => {
    const places = [{ id: 'near', at: [100, 10] as [number, number] }, { id: 'aside', at: [60, 90] as [number, number] }, { id: 'left', at: [-50, 0] as [number, number] }];
    expect(nearestTowards([0, 0], 'right', places)).toBe('near');
    expect(nearestTowards([0, 0], 'left', places)).toBe('left');
    expect(nearestTowards([0, 0], 'up', places)).toBeNull();
  });
});

describe('within', () => {
  it('lets a long sheet fill the window and lays a short one in its middle', () => {
    expect(within(40, 1000, 600)).toBe(0);
    expect(within(-900, 1000, 600)).toBe(-400);
    expect(within(-100, 1000, 600)).toBe(-100);
    expect(within(77, 400, 600)).toBe(100);
  });
});
