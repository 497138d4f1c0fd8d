// Which lessons and puzzles this browser has finished.
import { readStore, writeStore } from '../lib/settings.svelte';

const KEY = 'sandtable.learned';

export function learned(game: string): Set<string> {
  return new Set(readStore<Record<string, string[]>>(KEY, {})[game] ?? []);
}

export function noteLearned(game: string, lesson: string): void {
  const all = readStore<Record<string, string[]>>(KEY, {});
  writeStore(KEY, { ...all, [game]: [...new Set([...(all[game] ?? []), lesson])] });
}

const BRIEFED = 'sandtable.briefed';
const MOST_BRIEFED = 100;

/** Whether a match has not shown its briefing in this browser yet; from now on it has. */
export function firstBriefing(match: string): boolean {
  const known = readStore<string[] | 'never'>(BRIEFED, []);
  if (known === 'never' || known.includes(match)) return false;
  writeStore(BRIEFED, [match, ...known].slice(0, MOST_BRIEFED));
  return true;
}
