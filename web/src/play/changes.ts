// What differs between two tables: which counters went where, came, left or turned over, which spaces changed hands.
import type { Arrow, CounterFace, LogLine, Table } from '../lib/types';

export interface Gone {
  counter: CounterFace;
  from: string;
}
export interface Glide extends Gone {
  /** The spaces it goes through, the last is where it ends. */
  path: string[];
}
export interface Changes {
  moved: Glide[];
  came: string[];
  left: Gone[];
  owners: string[];
}

function whereAll(table: Table): Map<string, Gone> {
  const found = new Map<string, Gone>();
  for (const [from, stack] of Object.entries(table.stacks)) for (const counter of stack) found.set(counter.id, { counter, from });
  return found;
}

/** The way of a counter from one space to another: as a scene tells it, else straight. */
function wayOf(unit: string, from: string, to: string, lines: readonly LogLine[]): string[] {
  for (const { scene } of lines) {
    const path = scene.path ?? [];
    if (scene.kind !== 'move' || path.at(-1) !== to) continue;
    if (scene.units?.length && !scene.units.includes(unit)) continue;
    return path[0] === from ? path.slice(1) : [...path];
  }
  return [to];
}

export function changes(before: Table, after: Table, lines: readonly LogLine[]): Changes {
  const old = whereAll(before);
  const now = whereAll(after);
  const moved: Glide[] = [];
  const came: string[] = [];
  for (const [id, { counter, from: at }] of now) {
    const was = old.get(id);
    if (!was) came.push(at);
    else if (was.from !== at) moved.push({ counter, from: was.from, path: wayOf(id, was.from, at, lines) });
  }
  const left = [...old].filter(([id]) => !now.has(id)).map(([, gone]) => gone);
  const owners = Object.keys(after.spaces).filter((id) => after.spaces[id]?.side !== before.spaces[id]?.side);
  return { moved, came, left, owners };
}

/** The table while counters are on their way: they are not on it. */
export function without(table: Table, moved: readonly Glide[], arrows: Arrow[]): Table {
  const away = new Set(moved.map((one) => one.counter.id));
  const stacks = Object.fromEntries(Object.entries(table.stacks).map(([at, stack]) => [at, stack.filter((one) => !away.has(one.id))]));
  return { ...table, stacks, arrows: [...(table.arrows ?? []), ...arrows] };
}

/** Where a frame happens: the places that a map should show. */
export function placesOf(found: Changes, lines: readonly LogLine[]): string[] {
  const places = new Set<string>();
  for (const { from, path } of found.moved) for (const id of [from, ...path]) places.add(id);
  for (const { scene } of lines) if (scene.kind !== 'note') for (const id of scene.path ?? []) places.add(id);
  for (const id of [...found.came, ...found.owners, ...found.left.map((one) => one.from)]) places.add(id);
  return [...places];
}
