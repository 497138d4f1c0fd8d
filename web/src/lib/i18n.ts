import { de } from './de';
import { en, type Words } from './en';
import { settings, type Language } from './settings.svelte';

type Key = { [K in keyof Words]: Words[K] extends string ? K : never }[keyof Words];

export function words(language: Language): Words {
  return language === 'de' ? de : en;
}

/** A word or sentence of the client in the reader's language, its blanks filled. */
export function t(key: Key, facts: Record<string, string | number> = {}): string {
  return fill(words(settings.language)[key], facts);
}

/** What an alliance is called. */
export function allianceName(alliance: string): string {
  return alliance === 'axis' || alliance === 'allies' ? t(alliance) : alliance.charAt(0).toUpperCase() + alliance.slice(1);
}

const LEVELS = ['recruit', 'captain', 'colonel', 'general', 'marshal'] as const;
/** What a level of the computer is called. */
export function levelName(level: string): string {
  return (LEVELS as readonly string[]).includes(level) ? t(level as (typeof LEVELS)[number]) : level;
}

/** How a level plays, in a sentence; '' for one that came from elsewhere. */
export function levelPlays(level: string): string {
  return (LEVELS as readonly string[]).includes(level) ? t(`${level as (typeof LEVELS)[number]}Plays`) : '';
}

export function fill(sentence: string, facts: Record<string, string | number>): string {
  return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => (name in facts ? String(facts[name]) : whole));
}
