// One choice in the making: which offer, which values so far, what comes next. Knows fields and domains, no rules.
import { ApiError } from '../lib/api';
import type { Ask } from '../lib/line';
import type { ActionData, Domain, Odds, OfferInfo, Value } from '../lib/types';
import {
  actionOf, amountsValue, candidatesIn, fieldAt, firstCandidates, idsOf, inOrder, isComplete, isDead, keyOf, namesIn, onlyValue, type Candidate,
} from './choosing';

export interface Hooks {
  ask: <T>(request: Ask) => Promise<T>;
  role: () => string | null;
  act: (action: ActionData) => Promise<unknown>;
  trouble: (error: unknown, action: ActionData | null) => void;
  /** What was chosen leads nowhere. */
  nothing: (action: ActionData) => void;
  askFirst: () => boolean;
  /** Whether a question with one answer answers itself. */
  answerAlone: () => boolean;
}

/** A choice with its odds, kept to be compared with others. */
export interface Plan {
  key: string;
  title: string;
  action: ActionData;
  odds: Odds;
}
const MOST_PLANS = 3;

export class Chooser {
  offers = $state.raw<OfferInfo[]>([]);
  active = $state.raw<OfferInfo | null>(null);
  prefix = $state.raw<Value[]>([]);
  domain = $state.raw<Domain | null>(null);
  some = $state.raw<Value[]>([]);
  amounts = $state.raw<ReadonlyMap<string, number>>(new Map());
  walk = $state.raw<Value[]>([]);
  number = $state(0);
  ready = $state.raw<ActionData | null>(null);
  odds = $state.raw<Odds | null>(null);
  /** Plans that were pinned at this position, to be compared. */
  pins = $state.raw<Plan[]>([]);
  /** The choice is whole and waits for a yes. */
  waits = $state(false);
  busy = $state(false);
  /** The odds are being asked for. */
  weighing = $state(false);
  /** What values are called, as far as the server has told. */
  readonly words = new Map<string, string>();
  private ticket = 0;
  /** Somebody has chosen something: what answers itself after that need not wait for a yes. */
  private byHand = false;
  /** Fields that had one possible value and were filled without asking. */
  private readonly forced = new Set<number>();

  constructor(private readonly hooks: Hooks) {}

  field = $derived(this.active ? fieldAt(this.active, this.prefix.length) : null);
  candidates = $derived.by<Candidate[]>(() => {
    if (this.ready) return [];
    if (this.active) {
      return this.active.actions ? firstCandidates(this.active) : candidatesIn(this.active, this.prefix.length, this.domain);
    }
    return this.offers.flatMap(firstCandidates);
  });
  litIds = $derived(new Set(this.candidates.flatMap(idsOf)));
  /** Countries are pointed at on the map while one is chosen, or where nothing else is. */
  points = $derived(this.active !== null || this.candidates.every((one) => one.kind === 'country' || one.offer.gesture?.ends));
  chosenIds = $derived.by(() => {
    const ids = new Set<string>();
    const add = (value: Value): void => {
      if (typeof value === 'string') ids.add(value);
      else if (Array.isArray(value)) value.forEach(add);
    };
    this.prefix.forEach(add);
    this.some.forEach(add);
    this.walk.forEach(add);
    for (const [key, n] of this.amounts) if (n > 0) ids.add(key);
    return ids;
  });
  /** The route in the making: from what was chosen before to the last step. */
  path = $derived.by<string[]>(() => this.walk.filter((value): value is string => typeof value === 'string'));
  complete = $derived(this.domain ? isComplete(this.domain, this.some, this.amounts, this.walk) : false);
  begun = $derived(this.active !== null && (this.prefix.length > 0 || this.ready !== null || this.offers.length > 1));

  private learn(domain: Domain | null): void {
    for (const [value, name] of namesIn(domain)) this.words.set(value, name);
  }

  /** New offers from the server. A single one with fields is begun at once: there is nothing else to do. */
  set(offers: OfferInfo[]): void {
    this.ticket++;
    for (const offer of offers) {
      this.learn(offer.next ?? null);
      for (const [value, name] of Object.entries(offer.words ?? {})) this.words.set(value, name);
    }
    this.offers = offers;
    this.pins = [];
    this.clear();
    const only = offers.length === 1 ? offers[0] : undefined;
    if (only && only.fields.length > 0) this.begin(only);
    this.byHand = false;
  }

  private clear(): void {
    this.active = null;
    this.prefix = [];
    this.forced.clear();
    this.ready = null;
    this.odds = null;
    this.waits = false;
    this.enter(null);
  }

  private enter(domain: Domain | null): void {
    this.learn(domain);
    this.domain = domain;
    this.some = [];
    this.amounts = new Map();
    this.walk = [];
    this.number = domain?.type === 'number' ? domain.least : 0;
  }

  begin(offer: OfferInfo): void {
    this.ticket++;
    this.byHand = true;
    this.clear();
    this.active = offer;
    if (offer.actions) {
      if (offer.actions.length === 1) void this.finish(offer.actions[0] as ActionData, true);
      return;
    }
    if (offer.fields.length === 0) {
      void this.finish(actionOf(offer, []), true);
      return;
    }
    this.enter(offer.next ?? null);
    if (offer.next) void this.answerAlone(offer.next);
  }

  /** One step back; with nothing chosen, back to the list of offers. */
  async back(): Promise<void> {
    if (this.walk.length > 0 && !this.ready) return this.walkTo(this.walk.slice(0, -1));
    this.ready = null;
    this.odds = null;
    this.waits = false;
    if (!this.active) return;
    if (this.prefix.length === 0 || this.active.actions) {
      if (this.offers.length > 1) this.clear();
      else this.enter(this.active.next ?? null);
      return;
    }
    await this.goTo(this.before(this.prefix));
  }

  cancel(): void {
    this.set(this.offers);
  }

  async choose(candidate: Candidate): Promise<void> {
    this.byHand = true;
    if (candidate.action) {
      this.active = candidate.offer;
      return this.finish(candidate.action, false);
    }
    if (this.active !== candidate.offer) this.begin(candidate.offer);
    const domain = this.domain;
    if (!domain) return;
    switch (domain.type) {
      case 'one':
        return this.push(candidate.value);
      case 'some':
        return this.toggle(candidate.value);
      case 'amounts':
        return this.give(candidate.value, 1);
      case 'walk':
        return domain.paths?.length ? this.push(candidate.value) : this.walkTo([...this.walk, candidate.value]);
      case 'number':
        return;
    }
  }

  toggle(value: Value): void {
    if (this.domain?.type !== 'some') return;
    const key = keyOf(value);
    const without = this.some.filter((other) => keyOf(other) !== key);
    if (without.length !== this.some.length) this.some = without;
    else if (this.domain.most === 1 && this.domain.least === 1) return void this.push([value]);
    else if (this.domain.most === 1) this.some = [value];
    else if (this.some.length < this.domain.most) this.some = inOrder(this.domain.values, [...this.some, value]);
  }
  chooseAll(): void {
    if (this.domain?.type === 'some') this.some = this.domain.values.slice(0, this.domain.most);
  }
  chooseNone(): void {
    this.some = [];
    this.amounts = new Map();
  }

  give(value: Value, by: number): void {
    if (this.domain?.type !== 'amounts') return;
    const limit = this.domain.limits.find(([item]) => keyOf(item) === keyOf(value))?.[1] ?? 0;
    const total = [...this.amounts.values()].reduce((sum, n) => sum + n, 0);
    const now = this.amounts.get(keyOf(value)) ?? 0;
    const room = this.domain.most - total;
    const next = Math.max(0, Math.min(limit, now + Math.min(by, room)));
    this.amounts = new Map(this.amounts).set(keyOf(value), next);
  }

  async walkTo(walk: Value[]): Promise<void> {
    const { active } = this;
    if (!active) return;
    const mine = ++this.ticket;
    if (walk.length === 0) {
      await this.goTo(this.prefix);
      return;
    }
    this.walk = walk;
    const answer = await this.fetchNext(this.prefix, walk);
    if (mine !== this.ticket || !answer) return;
    if (isDead(answer)) {
      this.hooks.nothing(actionOf(active, [...this.prefix, walk]));
      return this.walkTo(walk.slice(0, -1));
    }
    this.learn(answer);
    this.domain = answer;
    if (answer.type === 'walk' && answer.next.length === 0 && answer.may_stop) await this.push(walk);
  }

  /** Take what has been put together in this field. */
  async commitField(): Promise<void> {
    const { domain } = this;
    if (!domain) return;
    if (domain.type === 'number') return this.push(this.number);
    if (!this.complete) return;
    if (domain.type === 'some') return this.push(inOrder(domain.values, this.some));
    if (domain.type === 'amounts') return this.push(amountsValue(domain.limits, this.amounts));
    if (domain.type === 'walk') return this.push(this.walk);
  }

  /** What was chosen before the last choice that was one. */
  private before(prefix: Value[]): Value[] {
    let length = prefix.length - 1;
    while (length > 0 && this.forced.has(length)) length--;
    return prefix.slice(0, Math.max(0, length));
  }

  private async push(value: Value): Promise<void> {
    await this.goTo([...this.prefix, value]);
  }

  private async goTo(prefix: Value[]): Promise<void> {
    const { active } = this;
    if (!active) return;
    const mine = ++this.ticket;
    this.prefix = prefix;
    for (const place of this.forced) if (place >= prefix.length) this.forced.delete(place);
    if (prefix.length >= active.fields.length) {
      this.enter(null);
      await this.finish(actionOf(active, prefix), false);
      return;
    }
    if (prefix.length === 0) {
      this.enter(active.next ?? null);
      return;
    }
    this.enter(null);
    const domain = await this.fetchNext(prefix);
    if (mine !== this.ticket) return;
    if (!domain) {
      this.prefix = prefix.slice(0, -1);
      if (this.prefix.length === 0) this.enter(active.next ?? null);
      else await this.goTo(this.prefix);
      return;
    }
    if (isDead(domain) && prefix.length > 0) {
      this.hooks.nothing(actionOf(active, prefix));
      await this.goTo(this.before(prefix));
      return;
    }
    this.enter(domain);
    await this.answerAlone(domain);
  }

  /** A field with one possible value is not a choice. */
  private async answerAlone(domain: Domain): Promise<void> {
    const only = this.hooks.answerAlone() ? onlyValue(domain) : undefined;
    if (only === undefined) return;
    this.forced.add(this.prefix.length);
    await this.push(only);
  }

  /** Choose the way step by step instead of the end alone. */
  async stepByStep(): Promise<void> {
    if (this.domain?.type === 'walk') this.domain = { ...this.domain, paths: [] };
  }

  private async fetchNext(prefix: Value[], soFar?: Value[]): Promise<Domain | null> {
    const role = this.hooks.role();
    if (!role || !this.active) return null;
    this.busy = true;
    try {
      const { index } = this.active;
      const answer = await this.hooks.ask<OfferInfo>({ type: 'next', role, index, prefix, so_far: soFar ?? null });
      return answer.next ?? null;
    } catch (error) {
      this.hooks.trouble(error, this.active && actionOf(this.active, soFar ? [...prefix, soFar] : prefix));
      return null;
    } finally {
      this.busy = false;
    }
  }

  /** Keep the plan that is ready beside others; of more than three the oldest goes. */
  pin(title: string): void {
    if (!this.ready || !this.odds) return;
    const plan = { key: JSON.stringify(this.ready), title, action: this.ready, odds: this.odds };
    this.pins = [...this.pins.filter((one) => one.key !== plan.key), plan].slice(-MOST_PLANS);
  }

  unpin(key: string): void {
    this.pins = this.pins.filter((one) => one.key !== key);
  }

  /** Fill in a whole choice that somebody proposes. It waits for a yes. */
  async propose(action: ActionData): Promise<void> {
    const offer = this.offers.find((one) => one.verb === action.do);
    if (!offer) return;
    this.clear();
    this.active = offer;
    if (!offer.actions) this.prefix = offer.fields.map((field) => (action[field.name] ?? null) as Value);
    await this.finish(action, false, true);
  }

  private async finish(action: ActionData, atOnce: boolean, asks = !atOnce && (this.hooks.askFirst() || !this.byHand)): Promise<void> {
    const mine = ++this.ticket;
    this.ready = action;
    this.odds = null;
    this.waits = asks;
    const role = this.hooks.role();
    if (!role) return;
    this.weighing = true;
    try {
      const odds = await this.hooks.ask<Odds | null>({ type: 'odds', role, action });
      if (mine !== this.ticket) return;
      this.odds = odds;
    } catch (error) {
      if (mine !== this.ticket) return;
      if (error instanceof ApiError && error.status === 422) {
        this.hooks.trouble(error, action);
        await this.back();
        return;
      }
    } finally {
      this.weighing = false;
    }
    if (this.odds || asks) this.waits = true;
    else await this.confirm();
  }

  async confirm(): Promise<void> {
    if (!this.ready || this.busy) return;
    this.busy = true;
    try {
      await this.hooks.act(this.ready);
    } finally {
      this.busy = false;
    }
  }
}
