// The hand over the map: what a click on a space, a counter or a line of the log means, and what it points at.
import type { Picked } from '../map/board';
import type { CounterFace } from '../lib/types';
import { idsOf, type Candidate } from './choosing';
import { guesses } from './pointing';
import type { Session } from './session.svelte';

/** What the hand needs of the map on the screen. */
export interface Ground {
  reveal: (id: string, near?: boolean) => void;
  openFan: (space: string, counters: CounterFace[]) => void;
  screenOf: (space: string) => [number, number] | null;
}

const MOST_CHOICES = 40;
const FLASH = 3500;

export class Hand {
  selected = $state<string | null>(null);
  choices = $state.raw<{ candidates: Candidate[]; x: number; y: number } | null>(null);
  flash = $state.raw<ReadonlySet<string>>(new Set());
  private flashedTo = 0;

  constructor(
    private readonly session: Session,
    private readonly ground: () => Ground | undefined,
  ) {}

  private candidatesAt(space: string, units: string[] | null): Candidate[] {
    const here = units ?? (this.session.table?.stacks[space] ?? []).map((counter) => counter.id);
    const wanted = new Set(units && units.length ? [...here] : [space, ...here]);
    return this.session.chooser.candidates.filter((candidate) => idsOf(candidate).some((id) => wanted.has(id)));
  }

  private offer(found: Candidate[], x: number, y: number): void {
    this.choices = null;
    if (found.length === 1) void this.session.chooser.choose(found[0] as Candidate);
    else if (found.length > 1) this.choices = { candidates: found.slice(0, MOST_CHOICES), x, y };
  }

  pick(picked: Picked): void {
    const { chooser, namer } = this.session;
    this.choices = null;
    this.selected = picked.space;
    if (chooser.ready) return;
    let found = this.candidatesAt(picked.space, null);
    const onTop = picked.pile?.counters.at(-1);
    if (onTop && picked.pile?.counters.length === 1) {
      const exact = found.filter((candidate) => idsOf(candidate).includes(onTop.id));
      if (exact.length > 0) found = exact;
    }
    if (found.length > 0) {
      // A pile with several movable counters fans out; the map shows it.
      const allUnits = found.every((candidate) => idsOf(candidate).some((id) => namer.isUnit(id)));
      const sameOffer = new Set(found.map((candidate) => candidate.offer.index)).size === 1;
      if (found.length > 1 && allUnits && sameOffer) {
        this.ground()?.openFan(picked.space, this.session.table?.stacks[picked.space] ?? []);
        return;
      }
      this.offer(found, picked.x, picked.y);
    } else if (chooser.candidates.length > 0) this.whyNot([picked.space, ...(onTop ? [onTop.id] : [])]);
  }

  pickUnit(space: string, unit: string): void {
    const found = this.candidatesAt(space, [unit]);
    const at = this.ground()?.screenOf(space);
    if (found.length > 0) this.offer(found, at?.[0] ?? 200, at?.[1] ?? 200);
    else this.whyNot([unit]);
  }

  /** Something in the panel: a card, a row of a sheet. */
  pickId(id: string): void {
    const found = this.session.chooser.candidates.filter((candidate) => idsOf(candidate).includes(id));
    if (found.length > 0) this.offer(found, 200, 120);
    else this.whyNot([id]);
  }

  private whyNot(ids: string[]): void {
    const { session } = this;
    if (session.isAsked) void session.explain(guesses(session.chooser, session.namer, ids));
  }

  private placesOf(refs: readonly string[]): string[] {
    const { namer } = this.session;
    return refs.map((ref) => namer.whereIs(ref) ?? ref).filter((id) => namer.isSpace(id));
  }

  /** Go to the first of these on the map. True where there is one. */
  go(refs: string[]): boolean {
    const ids = this.placesOf(refs);
    if (ids.length === 0) return false;
    this.selected = ids[0] as string;
    this.flash = new Set(ids);
    this.ground()?.reveal(ids[0] as string, true);
    return true;
  }

  /** Show on the map for a while what just happened; nothing on the first look. */
  showNews(): void {
    const lines = this.session.log;
    const last = lines.at(-1)?.number ?? 0;
    const from = this.flashedTo;
    this.flashedTo = last;
    if (from === 0 || last <= from) return;
    const fresh = lines.filter((line) => line.number > from && line.number > last - 3);
    const ids = new Set(this.placesOf(fresh.flatMap((line) => line.refs)));
    this.flash = ids;
    setTimeout(() => {
      if (this.flash === ids) this.flash = new Set();
    }, FLASH);
  }
}
