// Between the map and the choice: the route in the making, what stands beside the spaces, what a click may have meant.
import type { ActionData, MapFile, MapSpace } from '../lib/types';
import { noteText, type Namer } from '../lib/words';
import type { Chooser } from './chooser.svelte';
import { actionOf, idsOf } from './choosing';

/** The spaces an arrow goes through: from where the chosen unit stands to the last step. */
export function routeOf(chooser: Chooser, namer: Namer): string[] {
  const from = chooser.prefix.filter((value): value is string => typeof value === 'string');
  const route = chooser.path.length ? chooser.path : chooser.ready ? from.filter((id) => namer.isSpace(id)) : [];
  const unit = from.find((id) => namer.isUnit(id));
  const start = unit ? namer.whereIs(unit) : chooser.path.length ? from.find((id) => namer.isSpace(id)) : undefined;
  const list = chooser.prefix.find((value) => Array.isArray(value) && value.every((one) => typeof one === 'string' && namer.isSpace(one)));
  if (route.length === 0 && Array.isArray(list)) return [...(start ? [start] : []), ...(list as string[])];
  return start && route.length && route[0] !== start ? [start, ...route] : route;
}

/** The spaces of a map from the north-west to the south-east, band by band, then its boxes: front by front. */
export function orderOf(map: MapFile): string[] {
  const spaces = map.sheets.flatMap((sheet) => {
    const band = sheet.size[1] / 8;
    const row = (space: MapSpace): number => Math.floor(space.at[1] / band);
    return [...sheet.spaces].sort((a, b) => row(a) - row(b) || a.at[0] - b.at[0]);
  });
  return [...spaces.map((space) => space.id), ...(map.boxes ?? []).map((box) => box.id)];
}

/** Costs and the like, by the space they belong to. */
export function notesOf(chooser: Chooser, namer: Namer): Map<string, string> {
  const found = new Map<string, string>();
  for (const candidate of chooser.candidates) {
    const id = idsOf(candidate).at(-1);
    const text = candidate.action ? '' : noteText(candidate.note);
    if (id && text && text.length < 12 && namer.isSpace(id)) found.set(id, text);
  }
  return found;
}

/** Actions that a click on these things may have meant, as far as they can be put together. */
export function guesses(chooser: Chooser, namer: Namer, ids: string[]): ActionData[] {
  const actions: ActionData[] = [];
  for (const offer of chooser.active ? [chooser.active] : chooser.offers) {
    const prefix = chooser.active ? chooser.prefix : [];
    const kind = offer.fields[prefix.length]?.kind ?? '';
    for (const id of ids) {
      const fits = namer.isUnit(id) ? kind !== 'space' && kind !== 'path' : kind !== 'unit' && kind !== 'units';
      if (!fits) continue;
      const plural = kind.endsWith('s') || kind === 'path';
      actions.push(actionOf(offer, [...prefix, plural ? [...chooser.walk, id] : id]));
    }
  }
  return actions;
}
