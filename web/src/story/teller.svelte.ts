// Writes a story: the note of the move that is looked at, with what is drawn on the map, kept as it is written.
import type { Ask } from '../lib/line';
import type { NoteFace, StoryFace } from '../lib/types';
import type { Drawing } from '../map/scene';

export type Tool = '' | 'mark' | 'arrow';
export const EMPTY: Omit<NoteFace, 'at'> = { text: '', arrows: [], spaces: [], variations: [] };

export class Teller {
  face = $state.raw<StoryFace | null>(null);
  tool = $state<Tool>('');
  /** Where the arrow begins that is being drawn. */
  from = $state<string | null>(null);
  /** The note as it is being written. */
  text = $state('');
  arrows = $state.raw<string[][]>([]);
  spaces = $state.raw<string[]>([]);
  at = $state(0);
  saved = $state(false);
  private saving: Promise<void> = Promise.resolve();
  /** What was written and is on its way to be kept, by move. */
  private readonly drafts = new Map<number, Pick<NoteFace, 'text' | 'arrows' | 'spaces'>>();

  constructor(
    private readonly ask: <T>(request: Ask) => Promise<T>,
    private readonly failed: (error: unknown) => void,
  ) {}

  get note(): NoteFace {
    return this.face?.notes.find((one) => one.at === this.at) ?? { at: this.at, ...EMPTY };
  }
  get drawn(): Drawing {
    return { arrows: this.arrows, spaces: this.spaces };
  }

  async load(): Promise<void> {
    this.face = await this.ask<StoryFace>({ type: 'story' });
    this.take();
  }
  private take(): void {
    const { text, arrows, spaces } = this.drafts.get(this.at) ?? this.note;
    this.text = text;
    this.arrows = arrows;
    this.spaces = spaces;
  }

  /** Look at another move; what was written about the last one is kept. */
  turnTo(at: number): void {
    if (at === this.at) return;
    void this.save();
    this.at = at;
    this.from = null;
    this.saved = false;
    this.take();
  }

  /** A click on a space, while something is drawn. */
  pick(space: string): void {
    if (this.tool === 'mark') {
      this.spaces = this.spaces.includes(space) ? this.spaces.filter((one) => one !== space) : [...this.spaces, space];
    } else if (this.tool === 'arrow') {
      if (this.from === null || this.from === space) {
        this.from = this.from === space ? null : space;
        return;
      }
      this.arrows = [...this.arrows, [this.from, space]];
      this.from = null;
    }
    void this.save();
  }
  dropSpace(space: string): void {
    this.spaces = this.spaces.filter((one) => one !== space);
    void this.save();
  }
  dropArrow(place: number): void {
    this.arrows = this.arrows.filter((_, at) => at !== place);
    void this.save();
  }

  /** Keep the note of this move, if it has changed. */
  save(): Promise<void> {
    const { at, text, arrows, spaces } = this;
    const draft = { text, arrows, spaces };
    this.drafts.set(at, draft);
    return this.change((face) => {
      const before = face.notes.find((one) => one.at === at) ?? { at, ...EMPTY };
      const same = before.text === text.trim() && JSON.stringify([before.arrows, before.spaces]) === JSON.stringify([arrows, spaces]);
      return same ? null : { type: 'annotate', at, ...draft, version: face.version };
    }).then(() => {
      if (this.drafts.get(at) === draft) this.drafts.delete(at);
    });
  }
  publish(title: string, eyes: string, published: boolean): Promise<void> {
    return this.change(({ version }) => ({ type: 'publish', title, eyes, published, version }));
  }
  addVariation(branch: string, seat: string, text: string): Promise<void> {
    return this.change(({ version }) => ({ type: 'add-variation', branch, seat, text, version }));
  }
  dropVariation(at: number, place: number): Promise<void> {
    return this.change(({ version }) => ({ type: 'drop-variation', at, place, version }));
  }

  /** Send one change after the other: each must know the version that the one before it made. */
  private change(wish: (face: StoryFace) => Ask | null): Promise<void> {
    this.saving = this.saving.then(async () => {
      const asked = this.face?.mine ? wish(this.face) : null;
      if (!asked) return;
      try {
        this.face = await this.ask<StoryFace>(asked);
        this.saved = true;
      } catch (error) {
        this.failed(error);
        this.face = await this.ask<StoryFace>({ type: 'story' }).catch(() => this.face);
      }
    });
    return this.saving;
  }
}
