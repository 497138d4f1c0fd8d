// Turning ids and values into what a person reads, for whatever a game calls its things.
import { term } from './terms';
import type { CounterFace, GameInfo, MapFile, MapSpace, Table, Value } from './types';

/** 'strategic-move' -> 'Strategic move', 'endMovement' -> 'End movement'. Ids with digits or capitals stay as they are. */
export function humanize(id: string): string {
  if (id === '' || /^[A-Z0-9][A-Z0-9 .'-]*$/.test(id)) return id;
  const spaced = id.replace(/[_-]+/g, ' ').replace(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a} ${b.toLowerCase()}`);
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

export class Namer {
  private readonly spaces = new Map<string, MapSpace>();
  private readonly boxes = new Map<string, string>();
  private readonly printed: ReadonlySet<string>;
  private readonly units = new Map<string, { counter: CounterFace; at: string }>();
  private readonly cards = new Map<string, string>();
  private readonly countries = new Map<string, string>();

  constructor(
    map: MapFile | null,
    private readonly table: Table | null,
    private readonly game: GameInfo | null,
    private readonly language: string,
    /** Words that the server named beside the choices. */
    private readonly words: ReadonlyMap<string, string> = new Map(),
  ) {
    for (const sheet of map?.sheets ?? []) for (const space of sheet.spaces) this.spaces.set(space.id, space);
    this.printed = new Set(map?.boxes?.map((box) => box.id));
    for (const box of map?.boxes ?? []) this.boxes.set(box.id, language === 'de' ? box.title.de : box.title.en);
    for (const box of table?.boxes ?? []) this.boxes.set(box.id, box.title);
    for (const country of map?.countries ?? []) {
      this.countries.set(country.id, (language === 'de' && country.name_de) || country.name);
    }
    for (const [at, stack] of Object.entries(table?.stacks ?? {})) {
      for (const counter of stack) this.units.set(counter.id, { counter, at });
    }
    for (const panel of table?.panels ?? []) for (const card of panel.cards ?? []) this.cards.set(card.id, card.title);
  }

  /** A key as people read it: the game's own word for it, or the usual one. */
  readonly term = (key: string): string => this.game?.terms?.[key] ?? term(key);

  isSpace(id: string): boolean {
    return this.spaces.has(id) || this.boxes.has(id) || id in (this.table?.spaces ?? {});
  }
  /** Whether a place is drawn on the map, and not only in a list. */
  isOnMap(id: string): boolean {
    return this.spaces.has(id) || this.printed.has(id);
  }
  isUnit(id: string): boolean {
    return this.units.has(id);
  }
  /** The spaces of a country. */
  landOf(country: string): string[] {
    return [...this.spaces.values()].filter((space) => space.country === country).map((space) => space.id);
  }
  countryOf(space: string): string | null {
    return this.spaces.get(space)?.country ?? null;
  }
  unit(id: string): CounterFace | null {
    return this.units.get(id)?.counter ?? null;
  }
  whereIs(unit: string): string | null {
    return this.units.get(unit)?.at ?? null;
  }

  space(id: string): string {
    const found = this.spaces.get(id);
    if (found) {
      const name = (this.language === 'de' && found.name_de) || found.name;
      return name === id || !/\d/.test(id) ? name : `${name} (${id})`;
    }
    return this.boxes.get(id) ?? humanize(id);
  }

  unitName(id: string): string {
    const found = this.units.get(id)?.counter;
    if (!found) return humanize(id);
    const name = found.label || firstLine(found.tooltip) || humanize(id);
    if (!found.numbers || name.includes(found.numbers)) return name;
    if (found.numbers.startsWith('(')) return `${name} ${found.numbers}`;
    return found.numbers.includes('(') ? `${name}: ${found.numbers}` : `${name} (${found.numbers})`;
  }

  role(id: string): string {
    return (
      this.game?.roles.find((role) => role.id === id)?.name ?? this.table?.sides[id]?.name ?? humanize(id)
    );
  }
  side(id: string): string {
    return this.table?.sides[id]?.name ?? this.role(id);
  }
  country(id: string): string {
    return this.countries.get(id) ?? humanize(id);
  }
  roles(ids: readonly string[]): string {
    return ids.map((id) => this.role(id)).join(', ');
  }

  /** A value of a field, in words. `kind` is what the field holds; when it says nothing, the value is looked up. */
  value(kind: string, value: Value): string {
    if (value === null) return '–';
    if (value === '') return this.language === 'de' ? 'keine' : 'none';
    if (typeof value === 'boolean') return this.language === 'de' ? (value ? 'ja' : 'nein') : value ? 'yes' : 'no';
    if (typeof value === 'number') return String(value);
    if (Array.isArray(value)) {
      if (value.length === 0) return '–';
      if (kind === 'amounts' || value.every(isPair)) {
        return value
          .map((pair) => (isPair(pair) ? `${pair[1]} × ${this.value('', pair[0])}` : this.value('', pair as Value)))
          .join(', ');
      }
      const singular = kind.replace(/s$/, '');
      const items = value.map((item) => this.value(kind === 'path' ? 'space' : singular, item));
      return kind === 'path' ? items.join(' → ') : counted(items).join(', ');
    }
    if (kind === 'space' || kind === 'path') return this.space(value);
    if (kind === 'unit') return this.units.has(value) ? this.unitName(value) : (this.words.get(value) ?? humanize(value));
    if (kind === 'role') return this.role(value);
    if (kind === 'card') return this.cards.get(value) ?? humanize(value);
    if (this.units.has(value)) return this.unitName(value);
    if (this.spaces.has(value) || this.boxes.has(value)) return this.space(value);
    if (this.cards.has(value)) return this.cards.get(value) as string;
    if (this.game?.roles.some((role) => role.id === value) || this.table?.sides[value]) return this.role(value);
    return this.words.get(value) ?? humanize(value);
  }
}

function isPair(value: unknown): value is [Value, number] {
  return Array.isArray(value) && value.length === 2 && typeof value[1] === 'number';
}

/** Like words counted, in the order they come: 'tank', '2 × infantry'. */
export function counted(words: readonly string[]): string[] {
  const found = new Map<string, number>();
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1);
  return [...found].map(([word, n]) => (n === 1 ? word : `${n} × ${word}`));
}

export function firstLine(text: string | undefined): string {
  return (text ?? '').split('\n', 1)[0] ?? '';
}

/** A note beside a value: a cost, a strength, a few named numbers. */
export function noteText(note: unknown): string {
  if (note === null || note === undefined || note === '') return '';
  if (typeof note === 'object' && !Array.isArray(note)) {
    return Object.entries(note as Record<string, unknown>)
      .map(([key, value]) => `${humanize(key).toLowerCase()} ${String(value)}`)
      .join(', ');
  }
  if (Array.isArray(note)) return note.map(noteText).join(', ');
  return String(note);
}

export function percent(share: number): string {
  const value = share * 100;
  if (value > 0 && value < 0.05) return '<0.1 %';
  if (value < 100 && value > 99.95) return '>99.9 %';
  return `${Math.abs(value - Math.round(value)) < 0.05 ? Math.round(value) : value.toFixed(1)} %`;
}

export function signed(value: number): string {
  return value > 0 ? `+${value}` : value < 0 ? `−${-value}` : '0';
}

/** With its sign, to a tenth. */
export function signedTenth(value: number): string {
  const round = Math.round(value * 10) / 10;
  return round > 0 ? `+${round.toFixed(1)}` : round < 0 ? `−${(-round).toFixed(1)}` : '0';
}

/** Seconds as a clock shows them. */
/** How long ago something was, in words. */
export function agoText(seconds: number, language: string, now = Date.now() / 1000): string {
  const past = Math.min(0, seconds - now);
  const words = new Intl.RelativeTimeFormat(language, { numeric: 'auto', style: 'short' });
  const unit = ([['day', 86_400], ['hour', 3600], ['minute', 60]] as const).find(([, size]) => -past >= size);
  return unit ? words.format(Math.ceil(past / unit[1]), unit[0]) : words.format(0, 'minute');
}

export function clockText(seconds: number): string {
  const left = Math.max(0, Math.floor(seconds));
  const days = Math.floor(left / 86400);
  const hours = Math.floor((left % 86400) / 3600);
  const minutes = Math.floor((left % 3600) / 60);
  const rest = left % 60;
  const two = (n: number): string => String(n).padStart(2, '0');
  if (days > 0) return `${days} d ${hours} h`;
  if (hours > 0) return `${hours}:${two(minutes)}:${two(rest)}`;
  return `${minutes}:${two(rest)}`;
}
