// A match to look back on, as it stood when it was opened: its moves, its log, and the table after any of them.
import { games as fetchGames, mapOf } from '../lib/api';
import { t } from '../lib/i18n';
import { Line, type Ask } from '../lib/line';
import '../lib/me.svelte'; // who has no seat's secret here may be known by their own key
import { settings } from '../lib/settings.svelte';
import type { GameInfo, LogLine, MapFile, MatchInfo, MoveInfo, State, Table } from '../lib/types';
import { schematic } from '../map/schematic';
import type { Drawing, Look } from '../map/scene';
import { engine } from '../page/engine.svelte';
import { messageOf } from '../play/session.svelte';

const KEPT = 200;
const NOTHING: ReadonlySet<string> = new Set();

export class Archive {
  info = $state.raw<MatchInfo | null>(null);
  game = $state.raw<GameInfo | null>(null);
  map = $state.raw<MapFile | null>(null);
  moves = $state.raw<MoveInfo[]>([]);
  log = $state.raw<LogLine[]>([]);
  trouble = $state('');
  /** Kept when everything is there, or cannot be. */
  readonly ready: Promise<void>;
  private readonly line: Line;
  private readonly tables = new Map<string, Promise<Table>>();

  constructor(match: string, seat: string | null) {
    engine.start();
    let done: () => void;
    this.ready = new Promise((over) => (done = over));
    let isFurnished = false;
    this.line = new Line(match, seat, settings.language, {
      state: (state) => {
        if (isFurnished) return;
        isFurnished = true;
        void this.furnish(state).then(done);
      },
      refused: (error) => {
        this.trouble = error.status === 404 ? t('noMatch') : error.message;
        done();
      },
    });
  }

  close(): void {
    this.line.close();
  }
  readonly ask = <T>(request: Ask): Promise<T> => this.line.ask<T>(request);

  get last(): number {
    return this.moves.at(-1)?.n ?? 0;
  }
  /** The moves after which a turn begins. */
  get turnStarts(): number[] {
    return this.moves.filter((move, place) => place === 0 || move.turn !== this.moves[place - 1]?.turn).map((move) => move.n - 1);
  }
  /** Everybody may see everything. */
  get isOpen(): boolean {
    return Boolean(this.info?.over) || this.info?.kind === 'import';
  }

  /** The table after a move through the eyes of a role; null: as everybody may know it. */
  table(number: number, eyes: string | null): Promise<Table> {
    const key = `${eyes ?? ''}@${number}`;
    let found = this.tables.get(key);
    if (!found) {
      found = this.ask<Table>({ type: 'table', at: number, role: eyes });
      found.catch(() => this.tables.delete(key));
      this.tables.set(key, found);
      if (this.tables.size > KEPT) this.tables.delete(this.tables.keys().next().value as string);
    }
    return found;
  }

  private async furnish(state: State): Promise<void> {
    try {
      const [found, drawn, list] = await Promise.all([
        fetchGames(settings.language), mapOf(state.info.game), this.ask<MoveInfo[]>({ type: 'moves' }),
      ]);
      this.game = found.find((one) => one.id === state.info.game) ?? null;
      this.moves = list;
      this.log = state.events;
      this.map = drawn ?? schematic(state.table);
      this.info = state.info;
    } catch (error) {
      this.trouble = messageOf(error);
    }
  }
}

/** How a table looks on paper or in a picture. */
export function lookOf(table: Table, drawn: Drawing | undefined, dark = false): Look {
  return {
    table, dark, safe: settings.safeColours, language: settings.language, control: settings.control, hexIds: settings.hexIds,
    labels: true, hideCounters: false, overlays: [], litSpaces: NOTHING, paleSpaces: NOTHING, litUnits: NOTHING,
    chosenSpaces: NOTHING, chosenUnits: NOTHING, notes: new Map(), path: [], selected: null, flash: NOTHING, drawn,
  };
}
