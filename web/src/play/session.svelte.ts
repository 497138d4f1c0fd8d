// A match at this screen: what the host says of it over its line.
import { ApiError, fileOf, games, mapOf } from '../lib/api';
import { t } from '../lib/i18n';
import { Line, type Ask } from '../lib/line';
import { hrefTo } from '../lib/routes';
import { keepSeat, keepSent } from '../lib/seats';
import { readStore, settings, writeStore } from '../lib/settings.svelte';
import { sound } from '../lib/sound';
import type { ActionData, ChatLine, GameInfo, LessonFace, LogLine, MapFile, MatchCreated, MatchInfo, Odds, OfferInfo, State, Table, WhyNotAnswer } from '../lib/types';
import { Namer, percent } from '../lib/words';
import { schematic } from '../map/schematic';
import { Chooser } from './chooser.svelte';
import { firstAction } from './choosing';
import type { Playback } from './playback.svelte';
import { download, Reporter, type Clicked } from './reporter.svelte';

export interface Toast {
  id: number;
  text: string;
  rule?: string;
  kind: 'info' | 'refusal' | 'trouble';
  /** What a player who disagrees with it reports. */
  clicked?: Clicked;
}

const SEEN = 'sandtable.seen';
/** The last so many moves are played back on the first look. */
const MOST_FRAMES = 150;

/** Whether a line tells more than that a step of the turn has begun. */
const tells = (line: LogLine, table: Table | null): boolean =>
  line.scene.kind !== 'note' || !table?.sequence.some((step) => line.text === `${step.title}.`);

export class Session {
  info = $state.raw<MatchInfo | null>(null);
  game = $state.raw<GameInfo | null>(null);
  map = $state.raw<MapFile | null>(null);
  table = $state.raw<Table | null>(null);
  log = $state.raw<LogLine[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  role = $state<string | null>(null);
  /** How many moves the role may take back, and how many of them one undo takes back together. */
  undoable = $state(0);
  undoStep = $state(0);
  /** The last move of each step that can be taken back. */
  /** All hits that are still to be taken, as the odds assume it. */
  losses = $state.raw<ActionData[]>([]);
  mine = $state.raw<number[]>([]);
  /** What is done again wherever it comes up at once. */
  repeats = $state<string | null>(null);
  /** The last thing done was to take back: nothing is answered by itself until something else is done. */
  private wentBack = false;
  connected = $state(true);
  failed = $state<string | null>(null);
  toasts = $state.raw<Toast[]>([]);
  seenTo = $state(0);
  unreadChat = $state(0);
  curtain = $state<string | null>(null);
  /** Plays on the map what the others did. */
  playback: Playback | null = null;
  /** Where the learner stands, in a lesson. */
  lesson = $state.raw<LessonFace | null>(null);
  /** Told what a lesson says to a move that it does not want. */
  lessonSays: (text: string, rule: string) => void = () => undefined;
  private line: Line | null = null;
  private toastCount = 0;
  private isGreeted = false;

  readonly chooser = new Chooser({
    ask: (request) => this.ask(request),
    role: () => this.role,
    act: (action) => this.act(action),
    trouble: (error, action) => this.trouble(error, action),
    nothing: (action) => this.refuse(t('leadsNowhere'), action),
    askFirst: () => settings.confirmAll,
    answerAlone: () => settings.answerAlone,
  });
  readonly reporter = new Reporter((request) => this.ask(request));
  namer = $derived(new Namer(this.map, this.table, this.game, settings.language, this.chooser.words));
  roles = $derived(this.info?.you ?? []);
  isSpectator = $derived(this.info !== null && this.roles.length === 0);
  asked = $derived(this.info?.asked ?? []);
  isAsked = $derived(this.role !== null && this.chooser.offers.length > 0 && !this.info?.over);
  /** What happened since this role last decided. */
  news = $derived(this.log.filter((line) => line.number > this.seenTo && tells(line, this.table)));
  hasSecrets = $derived(Boolean(this.table && hasHidden(this.table)));

  constructor(
    readonly match: string,
    readonly seat: string | null,
  ) {}

  /** Something is on its way to or from the host. */
  get busy(): boolean {
    return Boolean(this.line?.busy) || this.chooser.busy || this.chooser.weighing;
  }

  open(): void {
    const listed = games(settings.language);
    listed.catch(() => undefined); // told where it is waited for
    this.line = new Line(this.match, this.seat, settings.language, {
      state: (state) => {
        const isFirst = this.info === null;
        this.show(state);
        if (isFirst) void this.furnish(state, listed).then(() => this.catchUp(state));
      },
      chat: (lines) => this.hearChat(lines),
      seats: (seats) => {
        if (this.info) this.info = { ...this.info, seats };
      },
      up: (isUp) => {
        this.connected = isUp;
        if (this.info === null) this.failed = isUp ? null : t('unreachable');
      },
      refused: (error) => (this.failed = error.status === 404 ? t('noMatch') : error.message),
    });
  }

  close(): void {
    this.line?.close();
  }

  /** Fetch what does not change in a match: the game's names and its map. */
  private async furnish(state: State, listed: Promise<GameInfo[]>): Promise<void> {
    try {
      const [found, map] = await Promise.all([listed, mapOf(state.info.game)]);
      this.game = found.find((game) => game.id === state.info.game) ?? null;
      this.map = map ?? schematic(state.table);
    } catch (error) {
      this.failed = messageOf(error);
    }
  }

  ask<T>(request: Ask): Promise<T> {
    return this.line?.ask<T>(request) ?? Promise.reject(new ApiError(0, 'unreachable', 'unreachable'));
  }

  /** What the others did since the seat's last decision, as it is told on the first look. */
  private async catchUp(state: State): Promise<void> {
    if (this.playback === null || settings.playback === 'off' || this.roles.length === 0 || state.info.over) return;
    const numbers = [...new Set(state.events.filter((line) => line.number > this.seenTo).map((line) => line.number))].slice(-MOST_FRAMES);
    if (numbers.length === 0 || state.events.every((line) => this.roles.includes(line.role) || line.number <= this.seenTo)) return;
    try {
      const at = (number: number): Promise<Table> => this.ask<Table>({ type: 'table', at: number, role: state.role });
      const from = await at((numbers[0] as number) - 1);
      for (const number of numbers) {
        const frame = { table: await at(number), lines: state.events.filter((line) => line.number === number) };
        this.playback.queue(from, [frame]);
        if (!this.playback.plays) return; // skipped, or switched off
      }
    } catch {
      this.playback.skip(); // what cannot be played back is still in the log
    }
  }

  private show(state: State): void {
    const others = state.events.filter((line) => !state.info.you.includes(line.role) && tells(line, state.table));
    if (this.table && this.info && others.length && state.role === this.role && state.info.you.length < rolesOf(state)) {
      this.playback?.queue(this.table, [{ table: state.table, lines: state.events }]);
    }
    if (this.info === null) this.recall(state.role);
    else if (this.mustHide(state.role)) this.curtain = state.role;
    if (state.acted !== null) this.noteSeen(state.acted);
    else if (state.last > this.seenTo) this.seenTo = state.last;
    this.info = state.info;
    this.role = state.role;
    this.table = state.table;
    this.undoable = state.undo;
    this.lesson = state.lesson;
    this.undoStep = state.undo_step;
    this.mine = state.mine;
    this.losses = state.losses;
    if (state.events.length || state.gone.length) {
      const gone = new Set(state.gone);
      this.log = [...this.log.filter((line) => !gone.has(line.number)), ...state.events];
    }
    this.chooser.set(state.offers);
    if (state.acted !== null) sound(state.events.some((line) => line.dice.length > 0) ? 'dice' : 'move');
    this.notify(state);
    void this.goOn(state);
  }

  private wasAsked = true;
  /** Tell who looks elsewhere that it is their move. */
  private notify(state: State): void {
    const isAsked = state.offers.length > 0 && !state.info.over;
    if (isAsked && !this.wasAsked) sound('turn');
    if (isAsked && !this.wasAsked && settings.tellMe && document.hidden && 'Notification' in window && Notification.permission === 'granted') {
      new Notification(t('yourTurn'), { body: `${this.game?.title ?? ''} ${state.info.turn}`.trim(), tag: this.match });
    }
    this.wasAsked = isAsked;
  }

  /** Answer what can be answered in one way, and what was asked to be done again. */
  private async goOn(state: State): Promise<void> {
    if (this.curtain || state.info.over || state.offers.length === 0) return;
    const again = state.offers.find((offer) => offer.verb === this.repeats && offer.gesture?.repeats);
    const action = again ? firstAction(again) : settings.answerAlone && !this.wentBack && !state.lesson ? state.only : null;
    if (!again) this.repeats = null;
    if (action) await this.act(action, true);
  }
  openCurtain(): void {
    this.curtain = null;
    if (this.table && this.info) void this.ask({ type: 'look', role: this.role }).catch((error: unknown) => this.trouble(error));
  }

  private seenKey(role: string | null): string {
    return `${this.match}:${role ?? ''}`;
  }

  private recall(role: string | null): void {
    this.seenTo = readStore<Record<string, number>>(SEEN, {})[this.seenKey(role)] ?? 0;
  }

  private noteSeen(number: number): void {
    this.seenTo = number;
    const all = readStore<Record<string, number>>(SEEN, {});
    writeStore(SEEN, { ...all, [this.seenKey(this.role)]: number });
  }

  async lookAs(role: string): Promise<void> {
    this.recall(role);
    await this.ask({ type: 'look', role }).catch((error: unknown) => this.trouble(error));
  }

  /** The next one at this screen must not see what the last one saw. Allies look into one another's hands. */
  private mustHide(next: string | null): boolean {
    if (next === null || this.role === null || next === this.role || !this.hasSecrets) return false;
    const side = (role: string): string => this.game?.roles.find((one) => one.id === role)?.alliance ?? role;
    return side(next) !== side(this.role);
  }

  private hearChat(lines: ChatLine[]): void {
    const last = this.chat.at(-1)?.id ?? 0;
    const fresh = lines.filter((line) => line.id > last);
    if (this.isGreeted) this.unreadChat += fresh.length; // what was said before is no news
    this.isGreeted = true;
    this.chat = [...this.chat, ...fresh];
  }

  /** Make a move. The state that answers it brings all that changed. */
  async act(action: ActionData, forced = false): Promise<boolean> {
    if (!this.role || !this.table) return false;
    this.wentBack = action.do === 'undo';
    const request: Ask = { type: 'act', role: this.role, action, answers: this.table.number, forced };
    return (await this.make(request, action)) !== null;
  }

  /** Make moves; the number of moves that were made, null where they were refused. */
  private async make(request: Ask & { answers: number }, action: ActionData | null): Promise<number | null> {
    const started = performance.now();
    this.playback?.skip();
    try {
      const state = await this.ask<State>(request);
      this.clicks.push(performance.now() - started);
      return (state.acted ?? request.answers) - request.answers;
    } catch (error) {
      this.repeats = null;
      if (error instanceof ApiError && error.status === 409) this.toast(t('stale'), 'info');
      else this.trouble(error, action);
      this.chooser.cancel();
      return null;
    }
  }

  /** Send units to a place, all or none; the number of moves it took. */
  async send(units: string[], to: string, index: number | null): Promise<number | null> {
    if (!this.role || !this.table) return null;
    this.wentBack = false;
    return this.make({ type: 'send', role: this.role, units, to, index, answers: this.table.number }, null);
  }

  /** Several actions as one. */
  async actAll(actions: ActionData[]): Promise<number | null> {
    if (!this.role || !this.table) return null;
    this.wentBack = actions.every((action) => action.do === 'undo');
    return this.make({ type: 'act-all', role: this.role, actions, answers: this.table.number }, null);
  }

  /** Take back one step and leave those after it as they are. */
  async takeBack(number: number): Promise<void> {
    if (!this.role || !this.table) return;
    this.wentBack = true;
    await this.make({ type: 'take-back', role: this.role, number, answers: this.table.number }, null);
  }

  /** Do this now and wherever it comes up again at once. */
  async repeat(offer: OfferInfo): Promise<void> {
    const action = firstAction(offer);
    if (!action) return;
    this.repeats = offer.verb;
    await this.act(action);
  }
  /** Milliseconds from a confirmed move to the new position on the screen. */
  readonly clicks: number[] = [];

  async undo(all = false): Promise<void> {
    const n = all ? this.undoable : this.undoStep;
    if (n > 0) await this.actAll(Array.from({ length: n }, () => ({ do: 'undo' })));
  }

  async say(text: string, allies = false): Promise<void> {
    try {
      await this.ask({ type: 'say', text, allies });
      this.unreadChat = 0;
    } catch (error) {
      this.trouble(error);
    }
  }

  /** Ask the host why something cannot be done, for each of the actions that a click might have meant. */
  async explain(actions: ActionData[]): Promise<void> {
    if (!this.role) return;
    for (const action of actions.slice(0, 4)) {
      try {
        const answer = await this.ask<WhyNotAnswer>({ type: 'why-not', role: this.role, action });
        if (!answer.allowed && answer.message) {
          this.refuse(answer.message, action, answer.rule ?? undefined);
          return;
        }
      } catch (error) {
        if (this.heardLesson(error)) return;
        // An action that is not whole cannot be judged; the next one may be.
      }
    }
    this.refuse(t('notNow'), actions[0] ?? null);
  }

  /** Give up for all roles of my side that I hold, or speak for or against a draw for all of mine. */
  async resign(): Promise<void> {
    const side = (role: string): string => this.game?.roles.find((one) => one.id === role)?.alliance ?? role;
    const given = new Set(this.info?.resigned);
    await this.forRoles({ do: 'resign' }, this.roles.filter((role) => side(role) === side(this.role ?? '') && !given.has(role)));
  }
  async speakForDraw(agree = true): Promise<void> {
    await this.forRoles({ do: 'draw', agree }, this.roles.filter((role) => this.info?.draw.includes(role) !== agree));
  }
  private async forRoles(action: ActionData, roles: readonly string[]): Promise<void> {
    for (const role of roles) {
      if (this.info?.over) return;
      if ((await this.make({ type: 'act', role, action, answers: this.table?.number ?? 0 }, action)) === null) return;
    }
  }

  // ---- among the players
  /** Ask for something that changes seats; the answer, or null where it was refused. */
  async settle<T>(request: Ask): Promise<T | null> {
    try {
      return await this.ask<T>(request);
    } catch (error) {
      this.trouble(error);
      return null;
    }
  }
  async rematch(swap: boolean): Promise<void> {
    const made = await this.settle<MatchCreated>({ type: 'rematch', swap });
    if (!made) return;
    for (const seat of made.seats) {
      if (seat.invitation) keepSent({ match: made.match, roles: seat.roles, secret: seat.secret });
      else keepSeat({ match: made.match, secret: seat.secret, roles: seat.roles, added: Date.now() });
    }
    location.assign(hrefTo('m', made.match));
  }
  /** Play on from here in a match of my own, beside this one. */
  async branchHere(): Promise<void> {
    const made = await this.settle<MatchCreated>({ type: 'branch', at: this.table?.number ?? 0 });
    const own = made?.seats[0];
    if (!made || !own) return;
    keepSeat({ match: made.match, secret: own.secret, roles: own.roles, added: Date.now() });
    location.assign(hrefTo('m', made.match, { seat: own.secret }));
  }
  async giveOrders(ask: string[]): Promise<void> {
    await this.act({ do: 'order', ask });
  }

  /** Save the match file. */
  async download(): Promise<void> {
    try {
      download(`${this.info?.game ?? 'match'}-${this.match.slice(0, 8)}.sandtable`, await fileOf(this.match, this.seat));
    } catch (error) {
      this.trouble(error);
    }
  }

  toast(text: string, kind: Toast['kind'] = 'info', rule?: string, clicked?: Clicked): void {
    const id = ++this.toastCount;
    this.toasts = [...this.toasts.filter((other) => other.kind !== kind), { id, text, kind, rule, clicked }];
    setTimeout(() => this.dismiss(id), kind === 'info' ? 5000 : 9000);
  }
  dismiss(id: number): void {
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
  }
  /** Say that the rules forbid it. */
  private refuse(text: string, action: ActionData | null, rule?: string): void {
    this.toast(text, 'refusal', rule, { about: 'refusal', at: this.table?.number ?? 0, role: this.role, action, text });
  }
  reportOdds(action: ActionData, odds: Odds): void {
    const text = `${odds.title}: ${percent(odds.success)}`;
    this.reporter.open({ about: 'odds', at: this.table?.number ?? 0, role: this.role, action, text });
  }
  private heardLesson(error: unknown): boolean {
    if (!(error instanceof ApiError) || error.code !== 'lesson') return false;
    this.lessonSays(error.message, error.rule ?? '');
    return true;
  }
  trouble(error: unknown, action: ActionData | null = null): void {
    if (this.heardLesson(error)) return;
    if (error instanceof ApiError && error.rule) {
      const text = error.unit ? `${this.namer.value('unit', error.unit)}: ${error.message}` : error.message;
      this.refuse(text, action, error.rule);
    }
    else this.toast(t('failed', { why: messageOf(error) }), 'trouble');
  }
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'unreachable') return t('unreachable');
  if (error instanceof ApiError && error.code === 'no-room') return t('noRoom');
  return error instanceof Error ? error.message : String(error);
}

function rolesOf(state: State): number {
  return state.info.seats.reduce((sum, seat) => sum + seat.roles.length, 0);
}

/** Whether the table shows that something is hidden from somebody. */
export function hasHidden(table: Table): boolean {
  if (table.extra?.['hidden'] === true) return true;
  if ((table.panels ?? []).some((panel) => (panel.cards ?? []).length > 0)) return true;
  return Object.values(table.stacks).some((stack) => stack.some((counter) => counter.state?.includes('hidden')));
}
