// A variation that is being looked at instead of the match.
import type { Ask } from '../lib/line';
import type { NoteFace, VariationFace, VariationStep } from '../lib/types';

export class Sidetrack {
  on = $state.raw<{ at: number; place: number; face: VariationFace } | null>(null);
  move = $state(0);
  step = $state.raw<VariationStep | null>(null);

  constructor(
    private readonly ask: <T>(request: Ask) => Promise<T>,
    private readonly failed: (error: unknown) => void,
  ) {}

  close(): void {
    this.on = null;
    this.step = null;
  }

  open(story: number, note: NoteFace, place: number, eyes: string | null): Promise<void> {
    const face = note.variations[place];
    if (!face) return Promise.resolve();
    this.on = { at: note.at, place, face };
    return this.go(story, face.moves.length, eyes);
  }

  async go(story: number, move: number, eyes: string | null): Promise<void> {
    const { on } = this;
    if (!on) return;
    this.move = Math.max(0, Math.min(on.face.moves.length, move));
    try {
      const step = await this.ask<VariationStep>({ type: 'variation', story, at: on.at, place: on.place, move: this.move, role: eyes });
      if (this.on === on) this.step = step;
    } catch (error) {
      this.failed(error);
      this.close();
    }
  }
}
