// Pure parts of taking units: which of them can be sent, which are alike, what they add up to.
import type { CounterFace, OfferInfo } from '../lib/types';
import { isLand } from '../map/stacking';

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

/** What a counter adds to the total of its stack; null where it says nothing. A number in brackets is no strength. */
function strengthIn(counter: CounterFace): number | null {
  if (typeof counter.strength === 'number') return counter.strength;
  const found = /^\(|\d+/.exec(counter.numbers ?? '');
  return found ? (Number(found[0]) || 0) * (counter.count ?? 1) : null;
}

/** The strengths of counters added up, of the land units alone where there are any; null where one has none. */
export function strengthOf(counters: readonly CounterFace[]): number | null {
  const land = counters.filter(isLand);
  const told = (land.length > 0 ? land : counters).map(strengthIn);
  return told.length === 0 || told.includes(null) ? null : told.reduce<number>((sum, one) => sum + (one ?? 0), 0);
}
