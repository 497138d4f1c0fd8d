// Pure parts of choosing: which things on the table an offer speaks of, and how a choice becomes an action.
import type { ActionData, Domain, FieldInfo, OfferInfo, Value } from '../lib/types';

export interface Candidate {
  offer: OfferInfo;
  kind: string;
  value: Value;
  label: string | null;
  note: unknown;
  /** For offers that simply list their actions. */
  action?: ActionData;
}

export function fieldAt(offer: OfferInfo, depth: number): FieldInfo | null {
  return offer.fields[depth] ?? null;
}

/** The values that can be chosen in a domain, one by one. */
export function candidatesIn(offer: OfferInfo, depth: number, domain: Domain | null | undefined): Candidate[] {
  const kind = fieldAt(offer, depth)?.kind ?? '';
  if (!domain) return [];
  switch (domain.type) {
    case 'one':
    case 'some':
      return domain.values.map((value, place) => ({
        offer, kind: singular(kind), value, label: domain.labels?.[place] ?? null, note: domain.notes?.[place] ?? null,
      }));
    case 'walk':
      // Where the ways are known, the end alone is chosen.
      if (domain.paths?.length) return domain.paths.map((path) => ({ offer, kind: 'path', value: path, label: null, note: null }));
      return domain.next.map((value, place) => ({
        offer, kind: kind === 'path' ? 'space' : singular(kind), value, label: domain.labels?.[place] ?? null,
        note: domain.notes?.[place] ?? null,
      }));
    case 'amounts':
      return domain.limits.map(([value, most], place) => ({
        offer, kind: '', value, label: domain.labels?.[place] ?? null, note: domain.notes?.[place] ?? most,
      }));
    case 'number':
      return [];
  }
}

/** The candidates of an offer nobody has begun with. */
export function firstCandidates(offer: OfferInfo): Candidate[] {
  if (offer.actions) {
    return offer.actions.map((action) => ({
      offer, kind: 'action', value: null, label: null, note: null, action,
    }));
  }
  return candidatesIn(offer, 0, offer.next);
}

/** The first of an offer's actions, where it has one field or none. */
export function firstAction(offer: OfferInfo): ActionData | null {
  if (offer.actions) return offer.actions[0] ?? null;
  if (offer.fields.length === 0) return actionOf(offer, []);
  const domain = offer.next;
  return offer.fields.length === 1 && domain?.type === 'one' && domain.values.length > 0 ? actionOf(offer, [domain.values[0] as Value]) : null;
}

/** The value of a domain that has only one; undefined where there is a choice. */
export function onlyValue(domain: Domain): Value | undefined {
  switch (domain.type) {
    case 'one':
      return domain.values.length === 1 ? domain.values[0] : undefined;
    case 'number':
      return domain.least === domain.most ? domain.least : undefined;
    case 'some':
      return domain.values.length === domain.least ? domain.values : undefined;
    case 'amounts':
      return domain.limits.reduce((sum, [, most]) => sum + most, 0) === domain.least ? domain.limits.map(([item, most]) => [item, most] as Value) : undefined;
    case 'walk':
      return undefined;
  }
}

function singular(kind: string): string {
  return kind.endsWith('s') ? kind.slice(0, -1) : kind;
}

/** Ids on the table that light up for a candidate: the value itself, the end of a route, the things in an action. */
export function idsOf(candidate: Candidate): string[] {
  if (candidate.action) {
    return Object.entries(candidate.action).flatMap(([key, value]) => (key === 'do' ? [] : stringsIn(value)));
  }
  const { value } = candidate;
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) {
    const last = value.at(-1);
    return typeof last === 'string' ? [last] : [];
  }
  return [];
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(stringsIn);
  return [];
}

export function actionOf(offer: OfferInfo, values: readonly Value[]): ActionData {
  const action: ActionData = { do: offer.verb };
  offer.fields.forEach((field, place) => {
    if (place < values.length) action[field.name] = values[place] ?? null;
  });
  return action;
}

/** Keep the order that the domain gives: subsets are ordered. */
export function inOrder(values: readonly Value[], chosen: readonly Value[]): Value[] {
  const keys = new Set(chosen.map(keyOf));
  return values.filter((value) => keys.has(keyOf(value)));
}

export function keyOf(value: Value): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Amounts as an action wants them: pairs in the domain's order, none that is 0. */
export function amountsValue(limits: readonly [Value, number][], given: ReadonlyMap<string, number>): Value[] {
  return limits.flatMap(([item]) => {
    const number = given.get(keyOf(item)) ?? 0;
    return number > 0 ? [[item, number] as Value] : [];
  });
}

export function isComplete(domain: Domain, some: readonly Value[], amounts: ReadonlyMap<string, number>, walk: readonly Value[]): boolean {
  switch (domain.type) {
    case 'some':
      return some.length >= domain.least && some.length <= domain.most;
    case 'amounts': {
      const total = [...amounts.values()].reduce((sum, n) => sum + n, 0);
      return total >= domain.least && total <= domain.most;
    }
    case 'walk':
      return walk.length > 0 && domain.may_stop === true;
    default:
      return false;
  }
}

/** Nothing in the domain can be chosen, and choosing nothing is not allowed either. */
export function isDead(domain: Domain): boolean {
  switch (domain.type) {
    case 'one':
      return domain.values.length === 0;
    case 'some':
      return domain.values.length < domain.least;
    case 'amounts':
      return domain.limits.reduce((sum, [, most]) => sum + most, 0) < domain.least;
    case 'walk':
      return domain.next.length === 0 && domain.may_stop !== true;
    case 'number':
      return domain.most < domain.least;
  }
}

/** The names that come with a choice, by value. */
export function namesIn(domain: Domain | null): [string, string][] {
  if (!domain || domain.type === 'number' || !domain.labels) return [];
  const values = domain.type === 'walk' ? domain.next : domain.type === 'amounts' ? domain.limits.map(([value]) => value) : domain.values;
  return values.flatMap((value, place) => {
    const label = domain.labels?.[place];
    return typeof value === 'string' && label ? [[value, label] as [string, string]] : [];
  });
}
