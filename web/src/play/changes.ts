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

/** The record of the last battle that was fought: dice fell in it. One that is only announced is none yet. */
export function lastFightIn(lines: readonly LogLine[]): LogLine[] | null {
  for (let end = lines.length - 1; end >= 0; end--) {
    const { kind, path } = lines[end]?.scene ?? { kind: 'note' };
    if (kind !== 'fight') continue;
    const from = lines.findIndex(({ scene }) => scene.kind === 'fight' && scene.path?.[0] === path?.[0]);
    const record = lines.slice(from, end + 1);
    if (record.some((line) => line.dice.length > 0)) return record.filter((line) => line.text);
  }
  return null;
}

/** Lines one after the other that say the same, as one with their number. */
export function folded(lines: readonly LogLine[]): { line: LogLine; n: number }[] {
  const found: { line: LogLine; n: number }[] = [];
  for (const line of lines) {
    const last = found.at(-1);
    const alike = last && line.text && last.line.text === line.text && last.line.turn === line.turn && last.line.dice.length + line.dice.length === 0;
    if (alike) last.n++;
    else found.push({ line, n: 1 });
  }
  return found;
}
