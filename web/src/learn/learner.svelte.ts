// A lesson at this screen: which step the learner reads, what they have found, what the lesson said to a mistake.
import { t } from '../lib/i18n';
import type { ActionData, LessonFace, LessonStepFace } from '../lib/types';
import type { Session } from '../play/session.svelte';
import { noteLearned } from './progress';

export class Learner {
  /** The place of the step among those that lead to the task. */
  private at = $state(0);
  private known = '';
  found = $state.raw<ReadonlySet<string>>(new Set());
  isHinted = $state(false);
  answer = $state.raw<{ text: string; rule: string } | null>(null);

  constructor(private readonly session: Session) {}

  face = $derived.by<LessonFace | null>(() => this.session.lesson);
  step = $derived.by<LessonStepFace | null>(() => this.face?.steps[Math.min(this.at, this.face.steps.length - 1)] ?? null);
  /** All steps before the task are read; after the last task, all that was left to say. */
  isLast = $derived(this.face !== null && this.at >= this.face.steps.length - 1);
  isFinished = $derived(this.face !== null && this.face.done && this.at >= this.face.steps.length);
  /** What lights up for the lesson. */
  points = $derived.by<string[]>(() => {
    const { step } = this;
    if (!step || this.isFinished) return [];
    return [...step.point, ...(this.isHinted ? [...step.find, ...idsIn(this.face?.hint?.action)] : [])];
  });

  /** The host has sent the lesson anew: a task that is done starts the next steps from the first. */
  hear(): void {
    const { face } = this;
    if (!face) return;
    const key = `${face.id}:${face.task}`;
    if (key !== this.known) {
      this.known = key;
      this.at = 0;
      this.rest();
    }
    this.isHinted = false;
    this.answer = null;
    if (face.done && face.steps.length === 0 && face.plans.length === 0) this.finish();
  }

  private rest(): void {
    this.found = new Set();
    this.isHinted = false;
    this.answer = null;
  }

  next(): void {
    this.rest();
    this.at += 1;
    if (this.isFinished) this.finish();
  }

  private finish(): void {
    if (this.face && this.session.info) noteLearned(this.session.info.game, this.face.id);
  }

  say(text: string, rule: string): void {
    this.answer = { text, rule };
  }

  /** A click on the table. True where the lesson was waiting for one. */
  picked(ids: readonly string[], isStack: boolean): boolean {
    const { step } = this;
    if (!step || this.isFinished || step.find.length === 0) return false;
    const hit = step.find.find((id) => ids.includes(id));
    if (hit !== undefined) {
      this.found = new Set([...this.found, hit]);
      this.answer = null;
      if (!step.every || this.found.size === step.find.length) this.next();
    } else if (!isStack) {
      const wrong = step.wrong.find((one) => one.find.some((id) => ids.includes(id)));
      this.say(wrong?.say ?? t('notThat'), wrong?.rule ?? '');
    }
    return true;
  }

  hint(): void {
    this.isHinted = true;
  }

  /** Fill in the choice that the lesson would make; the learner confirms it. */
  async showMe(): Promise<void> {
    const action = this.face?.hint?.action;
    if (action) await this.session.chooser.propose(action);
  }
}

function idsIn(action: ActionData | undefined): string[] {
  return Object.entries(action ?? {}).flatMap(([key, value]) => (key === 'do' ? [] : [value].flat(3).filter((one) => typeof one === 'string')));
}
