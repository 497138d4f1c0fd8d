// A match at this screen: what the host says of it over its line.
import { ApiError, games, mapOf, rulesOf } from '../lib/api';
import { t } from '../lib/i18n';
import { Line, type Ask } from '../lib/line';
import { readStore, settings, writeStore } from '../lib/settings.svelte';
import type { ActionData, ChatLine, GameInfo, LogLine, MapFile, MatchInfo, Odds, RuleInfo, State, Table, WhyNotAnswer } from '../lib/types';
import { Namer, percent } from '../lib/words';
import { schematic } from '../map/schematic';
import { Chooser } from './chooser.svelte';
import { Reporter, type Clicked } from './reporter.svelte';

export interface Toast {
  id: number;
  text: string;
  rule?: string;
  kind: 'info' | 'refusal' | 'trouble';
  /** What a player who disagrees with it reports. */
  clicked?: Clicked;
}

const SEEN = 'sandtable.seen';

export class Session {
  info = $state.raw<MatchInfo | null>(null);
  game = $state.raw<GameInfo | null>(null);
  map = $state.raw<MapFile | null>(null);
  table = $state.raw<Table | null>(null);
  log = $state.raw<LogLine[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  rules = $state.raw<RuleInfo[] | null>(null);
  role = $state<string | null>(null);
  /** How many moves the role may take back. */
  undoable = $state(0);
  connected = $state(true);
  failed = $state<string | null>(null);
  toasts = $state.raw<Toast[]>([]);
  seenTo = $state(0);
  unreadChat = $state(0);
  curtain = $state<string | null>(null);
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
  });
  readonly reporter = new Reporter((request) => this.ask(request));
  namer = $derived(new Namer(this.map, this.table, this.game, settings.language, this.chooser.words));
  roles = $derived(this.info?.you ?? []);
  isSpectator = $derived(this.info !== null && this.roles.length === 0);
  asked = $derived(this.info?.asked ?? []);
  isAsked = $derived(this.role !== null && this.chooser.offers.length > 0 && !this.info?.over);
  /** What happened since this role last decided. */
  news = $derived(this.log.filter((line) => line.number > this.seenTo));
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
        if (isFirst) void this.furnish(state, listed);
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

  private show(state: State): void {
    if (this.info === null) this.recall(state.role);
    else if (this.mustHide(state.role)) this.curtain = state.role;
    if (state.acted !== null) this.noteSeen(state.acted);
    this.info = state.info;
    this.role = state.role;
    this.table = state.table;
    this.undoable = state.undo;
    if (state.events.length || state.gone.length) {
      const gone = new Set(state.gone);
      this.log = [...this.log.filter((line) => !gone.has(line.number)), ...state.events];
    }
    this.chooser.set(state.offers);
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
  async act(action: ActionData): Promise<boolean> {
    if (!this.role || !this.table) return false;
    const started = performance.now();
    try {
      await this.ask<State>({ type: 'act', role: this.role, action, answers: this.table.number });
      this.clicks.push(performance.now() - started);
      return true;
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) this.toast(t('stale'), 'info');
      else this.trouble(error, action);
      this.chooser.cancel();
      return false;
    }
  }
  /** Milliseconds from a confirmed move to the new position on the screen. */
  readonly clicks: number[] = [];

  async undo(all = false): Promise<void> {
    let left = all ? this.undoable : 1;
    while (left-- > 0 && this.undoable > 0) if (!(await this.act({ do: 'undo' }))) return;
  }

  async say(text: string): Promise<void> {
    try {
      await this.ask({ type: 'say', text });
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
      } catch {
        // An action that is not whole cannot be judged; the next one may be.
      }
    }
    this.refuse(t('notNow'), actions[0] ?? null);
  }

  async resign(): Promise<void> {
    await this.act({ do: 'resign' });
  }
  async offerDraw(): Promise<void> {
    await this.act({ do: 'draw', agree: true });
  }
  async giveOrders(ask: string[]): Promise<void> {
    await this.act({ do: 'order', ask });
  }

  async loadRules(): Promise<void> {
    if (this.rules || !this.info) return;
    try {
      this.rules = await rulesOf(this.info.game);
    } catch (error) {
      this.trouble(error);
    }
  }

  toast(text: string, kind: Toast['kind'] = 'info', rule?: string, clicked?: Clicked): void {
    const id = ++this.toastCount;
    this.toasts = [...this.toasts.slice(-2), { id, text, kind, rule, clicked }];
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
  trouble(error: unknown, action: ActionData | null = null): void {
    if (error instanceof ApiError && error.rule) this.refuse(error.message, action, error.rule);
    else this.toast(t('failed', { why: messageOf(error) }), 'trouble');
  }
}

export function messageOf(error: unknown): string {
  if (error instanceof ApiError && error.code === 'unreachable') return t('unreachable');
  return error instanceof Error ? error.message : String(error);
}

/** Whether the table shows that something is hidden from somebody. */
export function hasHidden(table: Table): boolean {
  if (table.extra?.['hidden'] === true) return true;
  if ((table.panels ?? []).some((panel) => (panel.cards ?? []).length > 0)) return true;
  return Object.values(table.stacks).some((stack) => stack.some((counter) => counter.state?.includes('hidden')));
}
