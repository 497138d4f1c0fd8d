// A board for a game without a map of its own: its spaces as cards on a table, neighbours unknown.
import type { MapFile, MapSpace, Table } from '../lib/types';
import { humanize } from '../lib/words';

const WIDE = 300;
const HIGH = 230;
const GAP = 40;

export function schematic(table: Table): MapFile {
  const boxes = new Set((table.boxes ?? []).map((box) => box.id));
  const ids = [...new Set([...Object.keys(table.spaces), ...Object.keys(table.stacks)])].filter((id) => !boxes.has(id));
  const columns = Math.max(1, Math.ceil(Math.sqrt(ids.length * 1.5)));
  const rows = Math.max(1, Math.ceil(ids.length / columns));
  const spaces: MapSpace[] = ids.map((id, place) => {
    const x = GAP + (place % columns) * (WIDE + GAP);
    const y = GAP + Math.floor(place / columns) * (HIGH + GAP);
    return {
      id,
      name: humanize(id),
      kind: 'land',
      d: `M${x} ${y}h${WIDE}v${HIGH}h${-WIDE}z`,
      at: [x + WIDE / 2, y + HIGH / 2 - 14],
      r: 62,
      terrain: null,
      label: { text: humanize(id), at: [x + WIDE / 2, y + HIGH - 30], size: 28, rank: 1 },
    };
  });
  const size: [number, number] = [GAP + columns * (WIDE + GAP), GAP + rows * (HIGH + GAP)];
  const title = { en: humanize(table.game), de: humanize(table.game) };
  const land = spaces.map((space) => space.d);
  return { format: 1, game: table.game, sheets: [{ id: 'main', title, size, land, spaces }], boxes: [] };
}
