// A match at this screen: what the server says of it, kept fresh by the live line.
import { ApiError, games, Live, mapOf, MatchApi, rulesOf, type LiveMessage } from '../lib/api';
import { t } from '../lib/i18n';
import { readStore, settings, writeStore } from '../lib/settings.svelte';
import type {
  ActionData, ChatLine, GameInfo, LogLine, MapFile, MatchInfo, OffersAnswer, RuleInfo, Table,
} from '../lib/types';
import { Namer } from '../lib/words';
import { schematic } from '../map/schematic';
import { Chooser } from './chooser.svelte';

export interface Toast {
  id: number;
  text: string;
  rule?: string;
  kind: 'info' | 'refusal' | 'trouble';
}

const SEEN = 'sandtable.seen';

export class Session {
  info = $state.raw<MatchInfo | null>(null);
  game = $state.raw<GameInfo | null>(null);
  map = $state.raw<MapFile | null>(null);
  table = $state.raw<Table | null>(null);
  answer = $state.raw<OffersAnswer | null>(null);
  log = $state.raw<LogLine[]>([]);
  chat = $state.raw<ChatLine[]>([]);
  rules = $state.raw<RuleInfo[] | null>(null);
  role = $state<string | null>(null);
  connected = $state(true);
  failed = $state<string | null>(null);
  toasts = $state.raw<Toast[]>([]);
  seenTo = $state(0);
  unreadChat = $state(0);
  curtain = $state<string | null>(null);
  private api: MatchApi;
  private live: Live | null = null;
  private toastCount = 0;
  private refreshing: Promise<void> | null = null;
  private again = false;
  /** The move up to which the position is here or on its way. */
  private fetchedTo = 0;
  /** A move of mine is on its way to the server; its answer brings the new position. */
  private acting = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  readonly chooser = new Chooser({
    api: () => this.api,
    role: () => this.role,
    act: (action) => this.act(action),
    trouble: (error) => this.trouble(error),
    nothing: () => this.toast(t('leadsNowhere'), 'refusal'),
    askFirst: () => settings.confirmAll,
  });
  namer = $derived(new Namer(this.map, this.table, this.game, settings.language, this.chooser.words));
  roles = $derived(this.info?.you ?? []);
  isSpectator = $derived(this.info !== null && this.roles.length === 0);
  asked = $derived(this.table?.asked ?? this.info?.asked ?? []);
  isAsked = $derived(this.role !== null && (this.answer?.offers.length ?? 0) > 0 && !this.info?.over);
  /** What happened since this role last decided. */
  news = $derived(this.log.filter((line) => line.number > this.seenTo));
  hasSecrets = $derived(Boolean(this.table && hasHidden(this.table)));

  constructor(
    readonly match: string,
    readonly seat: string | null,
  ) {
    this.api = new MatchApi(match, seat, settings.language);
  }

  /** Something is on its way to or from the server. */
  get busy(): boolean {
    return this.refreshing !== null || this.chooser.busy || this.chooser.weighing;
  }

  get server(): MatchApi {
    return this.api;
  }

  async open(): Promise<void> {
    try {
      this.info = await this.api.info();
      const role = await this.whoDecides(this.info.asked, null, null);
      this.seenTo = readStore<Record<string, number>>(SEEN, {})[this.seenKey(role)] ?? 0;
      const [found, map] = await Promise.all([games(settings.language), this.loadMap(this.info.game), this.loadPosition(role)]);
      this.game = found.find((game) => game.id === this.info?.game) ?? null;
      if (map) this.map = map;
      else if (this.table) this.map = schematic(this.table);
      this.log = await this.api.log();
      this.chat = await this.api.talk();
      this.live = new Live(this.match, this.seat, settings.language, (m) => this.heard(m), (up) => this.lineIs(up));
    } catch (error) {
      this.failed = error instanceof ApiError && error.status === 404 ? t('noMatch') : messageOf(error);
    }
  }

  close(): void {
    this.live?.close();
    clearTimeout(this.timer);
  }

  private async loadMap(game: string): Promise<MapFile | null> {
    try {
      return await mapOf(game);
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) return null;
      throw error;
    }
  }

  private seenKey(role: string | null): string {
    return `${this.match}:${role ?? ''}`;
  }

  /** Whose eyes: a role of mine that is asked, or the one I looked through last. */
  private pickRole(asked: readonly string[] = this.info?.asked ?? []): string | null {
    const mine = this.info?.you ?? [];
    if (mine.length === 0) return null;
    if (this.role && mine.includes(this.role) && asked.includes(this.role)) return this.role;
    return mine.find((role) => asked.includes(role)) ?? this.role ?? mine[0] ?? null;
  }

  async lookAs(role: string): Promise<void> {
    this.role = role;
    this.seenTo = readStore<Record<string, number>>(SEEN, {})[this.seenKey(role)] ?? 0;
    await this.loadPosition(role);
  }

  private fetchPosition(role: string | null): Promise<[Table, OffersAnswer | null]> {
    return Promise.all([
      this.api.table(role),
      role ? this.api.offers(role).catch((error: unknown) => this.noOffers(error)) : Promise.resolve(null),
    ]);
  }

  private showPosition(role: string | null, [table, answer]: [Table, OffersAnswer | null]): void {
    this.role = role;
    this.table = table;
    this.answer = answer;
    this.chooser.set(answer?.offers ?? []);
  }

  private async loadPosition(role: string | null): Promise<void> {
    this.showPosition(role, await this.fetchPosition(role));
  }

  private noOffers(error: unknown): null {
    // A role that is not asked has no offers; anything else is worth a word.
    if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) this.trouble(error);
    return null;
  }

  /** Fetch the position anew; calls that come meanwhile are answered by one more fetch. */
  refresh(): Promise<void> {
    if (this.refreshing) {
      this.again = true;
      return this.refreshing;
    }
    this.refreshing = (async () => {
      try {
        do {
          this.again = false;
          const last = this.log.at(-1)?.number ?? 0;
          // Mostly the same role looks on, so its position is asked for at once with the rest.
          const before = this.role;
          const [info, fresh, position] = await Promise.all([
            this.api.info(), this.api.log(Math.max(0, last - 1)), this.fetchPosition(before),
          ]);
          this.info = info;
          const role = await this.whoDecides(info.asked, before, position[1]);
          if (this.mustHide(role)) this.curtain = role;
          if (role === before) this.showPosition(role, position);
          else await this.loadPosition(role);
          await this.mergeLog(fresh, last);
          // The answers may be of different moments, when somebody moved between them: ask once more.
          if (!this.isAt(info.number)) this.again = true;
        } while (this.again);
      } catch (error) {
        this.fetchedTo = 0;
        this.trouble(error);
      } finally {
        this.refreshing = null;
      }
    })();
    return this.refreshing;
  }

  /**
   * Which of my roles looks on. The server tells in public only who might be asked (who holds a card is nobody's
   * business), so a role of mine that has nothing to choose makes room for one that has.
   */
  private async whoDecides(asked: readonly string[], before: string | null, answer: OffersAnswer | null): Promise<string | null> {
    const role = this.pickRole(asked);
    const rivals = this.roles.filter((other) => other !== role && asked.includes(other));
    if (role === null || rivals.length === 0 || !asked.includes(role)) return role;
    const own = role === before ? answer : await this.api.offers(role).catch((error: unknown) => this.noOffers(error));
    if (own?.offers.length) return role;
    const others = await Promise.all(rivals.map((other) => this.api.offers(other).catch((error: unknown) => this.noOffers(error))));
    return rivals[others.findIndex((one) => one?.offers.length)] ?? role;
  }

  /** The next one at this screen must not see what the last one saw. Allies look into one another's hands. */
  private mustHide(next: string | null): boolean {
    if (next === null || this.role === null || next === this.role || !this.hasSecrets) return false;
    const side = (role: string): string => this.game?.roles.find((one) => one.id === role)?.alliance ?? role;
    return side(next) !== side(this.role);
  }

  private async mergeLog(fresh: LogLine[], last: number): Promise<void> {
    const number = this.table?.number ?? 0;
    const told = this.log.filter((line) => line.number < Math.max(0, last));
    const next = [...told, ...fresh.filter((line) => line.number >= last)];
    // After something was taken back the log is shorter: read it whole.
    const undone = next.some((line) => line.kind === 'undone') || number < last;
    this.log = undone ? await this.api.log() : next;
  }

  /** Whether table and offers are those after this move. */
  private isAt(number: number): boolean {
    return this.table?.number === number && (this.answer?.number ?? number) === number;
  }

  private heard(message: LiveMessage): void {
    if (message.type === 'move') {
      if (message.taken_back) {
        this.log = [];
        this.fetchedTo = 0;
      }
      const number = message.number ?? 0;
      const untold = !this.refreshing && Boolean(message.events?.length) && number > (this.log.at(-1)?.number ?? 0);
      if (!this.acting && (untold || number > Math.max(this.fetchedTo, this.table?.number ?? 0))) void this.refresh();
    } else if (message.type === 'hello') {
      if (!this.isAt(message.number ?? 0)) void this.refresh();
    } else if (message.type === 'chat') {
      void this.loadChat();
    } else if (message.type === 'seat') {
      clearTimeout(this.timer);
      this.timer = setTimeout(() => void this.api.info().then((info) => (this.info = info)).catch(() => undefined), 300);
    }
  }

  private async loadChat(): Promise<void> {
    const before = this.chat.length;
    this.chat = await this.api.talk();
    this.unreadChat += Math.max(0, this.chat.length - before);
  }

  private lineIs(up: boolean): void {
    if (up && !this.connected) void this.refresh();
    this.connected = up;
  }

  async act(action: ActionData): Promise<void> {
    if (!this.role || !this.table) return;
    const started = performance.now();
    try {
      this.acting = true;
      const done = await this.api
        .act(this.role, action, this.answer?.number ?? this.table.number)
        .finally(() => (this.acting = false));
      this.noteSeen(done.number);
      this.fetchedTo = done.number; // the live line tells of this move, too: once is enough
      await this.refresh();
      this.clicks.push(performance.now() - started);
    } catch (error) {
      if (error instanceof ApiError && error.status === 409) {
        this.toast(t('stale'), 'info');
        await this.refresh();
      } else {
        this.trouble(error);
        this.chooser.cancel();
        await this.refresh(); // what was heard meanwhile
      }
    }
  }
  /** Milliseconds from a confirmed move to the new position on the screen. */
  readonly clicks: number[] = [];

  private noteSeen(number: number): void {
    this.seenTo = number;
    const all = readStore<Record<string, number>>(SEEN, {});
    writeStore(SEEN, { ...all, [this.seenKey(this.role)]: number });
  }

  async undo(all = false): Promise<void> {
    let left = all ? (this.answer?.undo ?? 0) : 1;
    while (left-- > 0 && this.role && this.table && (this.answer?.undo ?? 0) > 0) {
      try {
        await this.api.undo(this.role, this.answer?.number ?? this.table.number);
        this.log = [];
        this.fetchedTo = 0;
        await this.refresh();
      } catch (error) {
        this.trouble(error);
        return;
      }
    }
  }

  async say(text: string): Promise<void> {
    try {
      await this.api.chat(text);
      await this.loadChat();
      this.unreadChat = 0;
    } catch (error) {
      this.trouble(error);
    }
  }

  /** Ask the server why something cannot be done, for each of the actions that a click might have meant. */
  async explain(actions: ActionData[]): Promise<void> {
    if (!this.role) return;
    for (const action of actions.slice(0, 4)) {
      try {
        const answer = await this.api.whyNot(this.role, action);
        if (!answer.allowed && answer.message) {
          this.toast(answer.message, 'refusal', answer.rule ?? undefined);
          return;
        }
      } catch {
        // An action that is not whole cannot be judged; the next one may be.
      }
    }
    this.toast(t('notNow'), 'refusal');
  }

  async resign(): Promise<void> {
    await this.simply((api, role, number) => api.resign(role, number));
  }
  async offerDraw(): Promise<void> {
    await this.simply((api, role, number) => api.draw(role, number, true));
  }
  async giveOrders(ask: string[]): Promise<void> {
    await this.simply((api, role, number) => api.orders(role, number, ask));
  }
  private async simply(what: (api: MatchApi, role: string, number: number) => Promise<unknown>): Promise<void> {
    if (!this.role || !this.table) return;
    try {
      await what(this.api, this.role, this.table.number);
      await this.refresh();
    } catch (error) {
      this.trouble(error);
    }
  }

  async loadRules(): Promise<void> {
    if (this.rules || !this.info) return;
    try {
      this.rules = await rulesOf(this.info.game, settings.language);
    } catch (error) {
      this.trouble(error);
    }
  }

  toast(text: string, kind: Toast['kind'] = 'info', rule?: string): void {
    const id = ++this.toastCount;
    this.toasts = [...this.toasts.slice(-2), { id, text, kind, rule }];
    setTimeout(() => this.dismiss(id), kind === 'info' ? 5000 : 9000);
  }
  dismiss(id: number): void {
    this.toasts = this.toasts.filter((toast) => toast.id !== id);
  }
  trouble(error: unknown): void {
    if (error instanceof ApiError && error.rule) this.toast(error.message, 'refusal', error.rule);
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
