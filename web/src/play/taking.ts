// Pure parts of taking units: which of them can be sent, which are alike, what they add up to.
import type { CounterFace, OfferInfo } from '../lib/types';

/** By unit: the offers by which it can be sent to a place. */
export function moversIn(offers: readonly OfferInfo[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const offer of offers) {
    if (!offer.gesture?.units || !offer.gesture.place) continue;
    const first = offer.fields[0]?.name === offer.gesture.units && offer.next?.type === 'one' ? offer.next.values : [];
    const units = offer.units?.length ? offer.units : first.filter((value): value is string => typeof value === 'string');
    for (const unit of units) found.set(unit, [...(found.get(unit) ?? []), offer.index]);
  }
  return found;
}

/** Counters with the same face are alike. */
export function likeness(counter: CounterFace): string {
  return [counter.side, counter.symbol, counter.icon, counter.label, counter.numbers, (counter.state ?? []).join()].join('|');
}

/** The first number on each counter added up; null where one has none. */
export function strengthOf(counters: readonly CounterFace[]): number | null {
  let sum = 0;
  for (const counter of counters) {
    const found = /\d+/.exec(counter.numbers ?? '');
    if (!found) return null;
    sum += Number(found[0]) * (counter.count ?? 1);
  }
  return counters.length ? sum : null;
}
