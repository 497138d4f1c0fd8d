// What the others did, played on the map: oldest first, from the position of the player's last decision.
import type { LogLine, Table } from '../lib/types';
import { settings } from '../lib/settings.svelte';
import { sound } from '../lib/sound';
import { changes, placesOf, without, type Glide } from './changes';

export interface Frame {
  /** The table after the move. */
  table: Table;
  lines: LogLine[];
}

/** What playback needs of the map on the screen. */
export interface Screen {
  glide: (moves: Glide[], milliseconds: number) => Promise<void>;
  look: (places: string[]) => void;
}

const PACE = { off: 0, slow: 2, normal: 1, fast: 0.4 };
/** A playback is not to take longer than this at normal speed, in milliseconds. */
const LONGEST = 24_000;
const wait = (ms: number): Promise<void> => new Promise((on) => setTimeout(on, ms));
const still = (): boolean => typeof matchMedia !== 'undefined' && matchMedia('(prefers-reduced-motion: reduce)').matches;

export class Playback {
  /** The table on the screen; null: the present one. */
  shown = $state.raw<Table | null>(null);
  now = $state.raw<Frame | null>(null);
  flash = $state.raw<ReadonlySet<string>>(new Set());
  paused = $state(false);
  /** Something lies over the map: it waits. */
  held = $state(false);
  place = $state(0);
  total = $state(0);
  private waiting: Frame[] = [];
  private run = 0;
  /** The last playback, for 'again'. */
  private kept = $state.raw<{ from: Table; frames: Frame[] } | null>(null);

  constructor(private readonly screen: () => Screen | undefined) {}

  plays = $derived(this.now !== null || this.shown !== null);
  canAgain = $derived(this.kept !== null);

  /** Show these moves after what is being shown; `from` is the table before them. */
  queue(from: Table, frames: Frame[]): void {
    if (settings.playback === 'off' || frames.length === 0) return;
    if (this.plays) {
      this.waiting.push(...frames);
      this.total += frames.length;
      if (this.kept) this.kept = { ...this.kept, frames: [...this.kept.frames, ...frames] };
      return;
    }
    this.kept = { from, frames };
    void this.start(from, frames);
  }

  again(): void {
    if (this.kept) void this.start(this.kept.from, this.kept.frames);
  }

  skip(): void {
    this.run++;
    this.waiting = [];
    this.shown = null;
    this.now = null;
    this.paused = false;
    this.flash = new Set();
  }

  /** One step on, where it goes step by step. */
  step(): void {
    this.paused = false;
  }

  private async start(from: Table, frames: Frame[]): Promise<void> {
    const mine = ++this.run;
    this.waiting = [...frames];
    this.place = 0;
    this.total = frames.length;
    this.shown = from;
    this.paused = false;
    for (let frame = this.waiting.shift(); frame; frame = this.waiting.shift()) {
      while (this.held && mine === this.run) await wait(60);
      if (mine !== this.run) return;
      this.place++;
      await this.show(frame, mine);
      if (mine !== this.run) return;
    }
    this.skip();
  }

  private async show(frame: Frame, mine: number): Promise<void> {
    const from = this.shown;
    if (!from) return;
    const found = changes(from, frame.table, frame.lines);
    const places = placesOf(found, frame.lines);
    const words = frame.lines.some((line) => line.text);
    if (!words && places.length === 0) {
      this.shown = frame.table;
      return;
    }
    this.now = frame;
    const pace = PACE[settings.playback] * Math.min(1, LONGEST / (this.total * 800));
    const dice = frame.lines.some((line) => line.dice.length > 0);
    if (places.length) this.screen()?.look(places);
    if (dice || found.moved.length > 0) sound(dice ? 'dice' : 'move');
    this.flash = new Set(frame.lines.filter((line) => line.scene.kind === 'fight' || line.scene.kind === 'owner').flatMap((line) => line.scene.path ?? []));
    if (still()) {
      this.shown = frame.table;
      this.paused = true; // step by step
    } else {
      if (found.moved.length > 0) {
        const arrows = found.moved.map((one) => ({ path: [one.from, ...one.path], kind: 'move', side: one.counter.side }));
        this.shown = without(from, found.moved, arrows);
        await this.screen()?.glide(found.moved, 400 * pace);
        if (mine !== this.run) return;
      }
      this.shown = frame.table;
      await wait((dice ? 900 : words ? 400 : 100) * pace);
    }
    while (this.paused && mine === this.run) await wait(60);
  }
}
