// The hand over the map: what is taken, where it can go, and what a click on a space, a counter or a line of the log means.
import type { Picked } from '../map/board';
import type { CounterFace, Odds, OfferInfo, PlaceInfo } from '../lib/types';
import { t } from '../lib/i18n';
import { idsOf, type Candidate } from './choosing';
import { guesses } from './pointing';
import type { Session } from './session.svelte';
import { likeness, moversIn } from './taking';

/** What the hand needs of the map on the screen. */
export interface Ground {
  reveal: (id: string, near?: boolean) => void;
  openFan: (space: string, counters: CounterFace[]) => void;
  closeFan: () => void;
  screenOf: (space: string) => [number, number] | null;
}

const MOST_CHOICES = 40;
const FLASH = 3500;
/** So long the pointer rests on a place before its odds are asked for. */
const REST = 180;

/** Counters of one kind among those taken, and all of the kind that could be. */
export interface Kind {
  counter: CounterFace;
  taken: string[];
  all: string[];
}

export class Hand {
  selected = $state<string | null>(null);
  choices = $state.raw<{ candidates: Candidate[]; x: number; y: number } | null>(null);
  flash = $state.raw<ReadonlySet<string>>(new Set());
  /** The units in the hand. */
  taken = $state.raw<ReadonlySet<string>>(new Set());
  /** The units that could be in it: those of the stack, the box or the place they were taken from. */
  near = $state.raw<readonly string[]>([]);
  /** Which offer they are played by; null: each by whichever takes it there. */
  index = $state<number | null>(null);
  /** Where they can go. */
  places = $state.raw<PlaceInfo[]>([]);
  /** The place they were gathered for. */
  aim = $state<string | null>(null);
  /** What can be asked of a place: opened by the right button, a long press or a key. */
  asking = $state.raw<{ space: string; x: number; y: number } | null>(null);
  /** What the units in the hand would start at the place that is pointed at. */
  chance = $state.raw<{ place: string; odds: Odds } | null>(null);
  private weighing: ReturnType<typeof setTimeout> | undefined;
  private flashedTo = 0;
  private ticket = 0;
  private narrowed = false;
  private carried: Promise<void> = Promise.resolve();

  constructor(
    private readonly session: Session,
    private readonly ground: () => Ground | undefined,
  ) {}

  /** By unit: the offers by which it can be sent somewhere. */
  movers = $derived.by(() => moversIn(this.session.chooser.offers));
  /** The offers by which the units in the hand can be played, with how many. */
  verbs = $derived.by<[OfferInfo, number][]>(() => {
    const found = this.session.chooser.offers.map((offer): [OfferInfo, number] => [
      offer, this.near.filter((unit) => this.movers.get(unit)?.includes(offer.index)).length,
    ]);
    return found.filter(([, n]) => n > 0);
  });
  kinds = $derived.by<Kind[]>(() => {
    const found = new Map<string, Kind>();
    for (const unit of this.near) {
      const counter = this.session.namer.unit(unit);
      if (!counter || !this.fits(unit)) continue;
      const key = likeness(counter);
      const kind = found.get(key) ?? { counter, taken: [], all: [] };
      kind.all.push(unit);
      if (this.taken.has(unit)) kind.taken.push(unit);
      found.set(key, kind);
    }
    return [...found.values()];
  });
  /** Several are in the hand: they are sent together. */
  sends = $derived(this.taken.size > 1 || (this.taken.size > 0 && this.aim !== null));
  /** Where all of them can go. */
  goals = $derived(new Set(this.sends ? this.places.filter((place) => place.ways.length >= this.taken.size).map((one) => one.place) : []));
  /** Where some of them can go. */
  halves = $derived(new Set(this.sends ? this.places.filter((place) => place.ways.length < this.taken.size).map((one) => one.place) : []));
  /** Units that can still be sent somewhere. */
  able = $derived([...this.movers.keys()]);

  private fits(unit: string): boolean {
    const by = this.movers.get(unit);
    return by !== undefined && (this.index === null || by.includes(this.index));
  }

  /** The offer by which most of these units can go; the first of several. */
  private usual(units: readonly string[]): number | null {
    let best: number | null = null;
    let most = 0;
    for (const offer of this.session.chooser.offers) {
      const n = units.filter((unit) => this.movers.get(unit)?.includes(offer.index)).length;
      if (n > most) {
        most = n;
        best = offer.index;
      }
    }
    return best;
  }

  /** A new position: nothing is in the hand. */
  drop(): void {
    this.ticket++;
    this.chance = null;
    this.taken = new Set();
    this.near = [];
    this.index = null;
    this.places = [];
    this.aim = null;
    this.narrowed = false;
    this.asking = null;
  }

  /** Take units into the hand: all that can go by the offer by which most of them can. */
  async take(units: readonly string[], index?: number | null, only?: readonly string[]): Promise<void> {
    const { chooser } = this.session;
    const aim = this.aim;
    this.drop();
    this.aim = aim;
    this.choices = null;
    this.near = units.filter((unit) => this.movers.has(unit));
    this.index = index === undefined ? (chooser.active ? chooser.active.index : this.usual(this.near)) : index;
    await this.hold(new Set((only ?? this.near).filter((unit) => this.fits(unit))));
  }

  private async hold(units: ReadonlySet<string>): Promise<void> {
    const { chooser, session } = this;
    const mine = ++this.ticket;
    this.taken = units;
    this.chance = null;
    this.places = [];
    if (chooser.active) chooser.cancel();
    if (units.size === 0) return;
    if (units.size === 1 && this.aim === null) {
      const offer = chooser.offers.find((one) => one.index === (this.index ?? this.movers.get([...units][0] as string)?.[0]));
      if (offer && offer.fields[0]?.name === offer.gesture?.units) {
        await chooser.choose({ offer, kind: 'unit', value: [...units][0] as string, label: null, note: null });
        return;
      }
    }
    if (!session.role) return;
    try {
      const found = await session.ask<PlaceInfo[]>({ type: 'reach', role: session.role, units: [...units], to: '', index: this.index });
      if (mine !== this.ticket) return;
      this.places = found;
      if (this.aim) this.weigh(this.aim);
    } catch (error) {
      session.trouble(error);
    }
  }

  private get chooser() {
    return this.session.chooser;
  }

  /** Play the units by another offer. */
  playBy(index: number | null): void {
    void this.take(this.near, index);
  }

  /** A counter of the open stack: the first click picks it out, the next ones add and remove. */
  toggle(unit: string): void {
    const before = this.taken;
    const after = new Set(before);
    if (!this.narrowed && before.size > 1) {
      after.clear();
      after.add(unit);
    } else if (!after.delete(unit)) after.add(unit);
    this.narrowed = true;
    void this.hold(after);
  }

  /** So many of a kind. */
  setKind(kind: Kind, n: number): void {
    const others = [...this.taken].filter((unit) => !kind.all.includes(unit));
    const kept = [...kind.taken, ...kind.all.filter((unit) => !kind.taken.includes(unit))].slice(0, Math.max(0, n));
    this.narrowed = true;
    void this.hold(new Set([...others, ...kept]));
  }

  /** Add the units of a stack to those in the hand, or take them out again. */
  private add(units: string[]): void {
    const fresh = units.filter((unit) => this.movers.has(unit));
    if (fresh.length === 0) return;
    const whole = new Set(this.taken);
    const out = fresh.every((unit) => whole.has(unit));
    for (const unit of fresh) if (out) whole.delete(unit); else whole.add(unit);
    const near = [...new Set([...this.near, ...fresh])];
    void this.take(near, this.index ?? undefined, [...whole]);
  }

  /** Everything that can go to a place. */
  async gather(space: string): Promise<void> {
    const { session } = this;
    this.asking = null;
    if (!session.role) return;
    try {
      const found = await session.ask<PlaceInfo[]>({ type: 'reach', role: session.role, units: [], to: space, index: this.chooser.active?.index ?? null });
      const units = (found[0]?.ways ?? []).map((way) => way.unit);
      if (units.length === 0) return void session.toast(t('nobodyComes'));
      this.aim = space;
      await this.take(units);
    } catch (error) {
      session.trouble(error);
    }
  }

  /** Ask what all that is in the hand would start at a place, when the pointer has rested on it. */
  weigh(space: string | null): void {
    clearTimeout(this.weighing);
    const { role } = this.session;
    if (!space || !role || !this.goals.has(space) || this.chance?.place === space) return;
    const mine = this.ticket;
    this.weighing = setTimeout(() => {
      const units = [...this.taken];
      this.session.ask<Odds | null>({ type: 'weigh', role, units, to: space, index: this.index }).then(
        (odds) => {
          if (mine === this.ticket) this.chance = odds && { place: space, odds };
        },
        () => undefined, // odds that cannot be computed are not shown
      );
    }, REST);
  }

  /** Send what is in the hand. */
  async send(to: string): Promise<void> {
    const { session } = this;
    if (this.taken.size === 0) return;
    const units = [...this.taken];
    this.ground()?.closeFan();
    if ((await session.send(units, to, this.index)) === null) return;
    const there = units.filter((unit) => session.namer.whereIs(unit) === to).length;
    if (there < units.length && session.undoable === 0) session.toast(t('stopped', { n: units.length - there }));
  }

  /** Counters are pulled away from their stack: they are taken, unless they are in the hand. */
  grab(picked: Picked): void {
    const units = (picked.pile?.counters ?? []).map((counter) => counter.id).filter((unit) => this.movers.has(unit));
    if (units.length === 0 || units.some((unit) => this.taken.has(unit))) return;
    this.selected = picked.space;
    this.carried = this.take(units);
  }

  /** They are let go over a place: they go there, or the reason is told why not. */
  async dropOn(space: string): Promise<void> {
    await this.carried;
    if (this.taken.size === 0 || [...this.taken].every((unit) => this.session.namer.whereIs(unit) === space)) return;
    if (this.sends && (this.goals.has(space) || this.halves.has(space))) return this.send(space);
    const target = this.candidatesAt(space, null).find((candidate) => candidate.value === space || idsOf(candidate).includes(space));
    if (this.taken.size === 1 && target && this.chooser.active) return this.chooser.choose(target);
    this.whyNotThere(space);
  }

  private candidatesAt(space: string, units: string[] | null): Candidate[] {
    const here = units ?? (this.session.table?.stacks[space] ?? []).map((counter) => counter.id);
    const wanted = new Set(units && units.length ? [...here] : [space, ...here]);
    const { chooser, namer } = this.session;
    const country = units || !chooser.points ? null : namer.countryOf(space);
    return chooser.candidates.filter((one) => (one.kind === 'country' ? idsOf(one)[0] === country : idsOf(one).some((id) => wanted.has(id))));
  }

  private offer(found: Candidate[], x: number, y: number): void {
    this.choices = null;
    if (found.length === 1) void this.session.chooser.choose(found[0] as Candidate);
    else if (found.length > 1) this.choices = { candidates: found.slice(0, MOST_CHOICES), x, y };
  }

  /** Whether the choice in the making is about units that are sent: nothing more than the unit is chosen. */
  private get isTaking(): boolean {
    const { active, prefix } = this.chooser;
    return !active || (Boolean(active.gesture?.units) && prefix.length === 0);
  }

  pick(picked: Picked, more = false): void {
    const { chooser, namer } = this.session;
    this.choices = null;
    this.asking = null;
    this.selected = picked.space;
    if (chooser.ready) return;
    const pile = picked.pile?.counters.map((counter) => counter.id) ?? [];
    const stack = (this.session.table?.stacks[picked.space] ?? []).map((counter) => counter.id);
    if (more) return this.add(pile.length ? pile : stack);
    if (this.sends && (this.goals.has(picked.space) || this.halves.has(picked.space))) return void this.send(picked.space);
    let found = this.candidatesAt(picked.space, null);
    const target = found.find((candidate) => candidate.value === picked.space || idsOf(candidate).includes(picked.space));
    if (this.taken.size === 1 && target && chooser.active) return void chooser.choose(target);
    const able = (pile.length ? pile : stack).filter((unit) => this.movers.has(unit));
    if (able.length > 0 && (this.isTaking || this.taken.size > 0)) {
      if (stack.length > 1) this.ground()?.openFan(picked.space, this.session.table?.stacks[picked.space] ?? []);
      return void this.take(able);
    }
    if (this.taken.size > 0 && this.sends) return this.whyNotThere(picked.space);
    const onTop = picked.pile?.counters.at(-1);
    if (onTop && picked.pile?.counters.length === 1) {
      const exact = found.filter((candidate) => idsOf(candidate).includes(onTop.id));
      if (exact.length > 0) found = exact;
    }
    if (found.length > 0) {
      // A pile with several counters to choose from fans out; the map shows it.
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
    if (this.movers.has(unit) && (this.isTaking || this.taken.size > 0)) {
      if (this.near.includes(unit)) this.toggle(unit);
      else void this.take((this.session.table?.stacks[space] ?? []).map((counter) => counter.id), undefined, [unit]);
      return;
    }
    const found = this.candidatesAt(space, [unit]);
    const at = this.ground()?.screenOf(space);
    if (found.length > 0) this.offer(found, at?.[0] ?? 200, at?.[1] ?? 200);
    else this.whyNot([unit]);
  }

  /** All counters like this one in the open stack. */
  pickLike(space: string, counter: CounterFace): void {
    const stack = this.session.table?.stacks[space] ?? [];
    const alike = stack.filter((one) => likeness(one) === likeness(counter)).map((one) => one.id);
    this.narrowed = true;
    void this.take(stack.map((one) => one.id), undefined, alike);
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

  /** Why what is in the hand cannot go there: the host names the unit and the rule. */
  whyNotThere(space: string): void {
    this.asking = null;
    if (this.taken.size > 0) void this.session.send([...this.taken], space, this.index);
    else this.whyNot([space]);
  }

  /** The next unit that can still act, in the order of the map; its stack is taken. */
  next(order: readonly string[], back: boolean): string | null {
    const { namer } = this.session;
    const places = new Set(this.able.map((unit) => namer.whereIs(unit)).filter((at): at is string => at !== null));
    const spaces = order.filter((id) => places.has(id));
    if (spaces.length === 0) return null;
    const at = this.selected ? spaces.indexOf(this.selected) : -1;
    const space = spaces[(at + (back ? (at < 0 ? 0 : -1) : 1) + spaces.length) % spaces.length] as string;
    this.selected = space;
    this.aim = null;
    this.ground()?.reveal(space, true);
    const stack = this.session.table?.stacks[space] ?? [];
    if (stack.length > 1) this.ground()?.openFan(space, stack);
    void this.take(stack.map((counter) => counter.id));
    return space;
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
