import { expect, test, vi } from 'vitest';

vi.mock('../src/lib/root', () => ({ root: '/games' }));

test('behind a proxy every address begins with the path under which the server is shown', async () => {
  const { hrefTo, place } = await import('../src/lib/routes');
  expect(hrefTo('', '', {}, false)).toBe('/games/');
  expect(hrefTo('m', 'x', {}, false)).toBe('/games/m/x');
  expect(place({ pathname: '/games/m/x', search: '', hash: '' }, false)).toMatchObject({ room: 'm', match: 'x' });
  expect(place({ pathname: '/games', search: '', hash: '' }, false)).toMatchObject({ room: '', match: '' });
  expect(place({ pathname: '/m/x', search: '', hash: '' }, false)).toMatchObject({ room: 'm', match: 'x' });
});
