// 'This looks wrong': what was clicked on, and the file that the host makes of it. It is saved here and sent nowhere.
import type { Ask } from '../lib/line';
import type { ActionData, LogLine } from '../lib/types';

/** Something that a player may disagree with. */
export interface Clicked {
  about: 'refusal' | 'odds' | 'event';
  /** The move of the line; for a refusal and for odds the last move before them. */
  at: number;
  role: string | null;
  action?: ActionData | null;
  /** Which line of its move. */
  line?: number;
  /** What it says on the screen. */
  text: string;
}

export class Reporter {
  clicked = $state.raw<Clicked | null>(null);

  constructor(private readonly ask: <T>(request: Ask) => Promise<T>) {}

  open(clicked: Clicked): void {
    this.clicked = clicked;
  }
  close(): void {
    this.clicked = null;
  }

  /** Disagree with a line of the log. `log` is all that the host has told. */
  openLine(line: LogLine, log: readonly LogLine[], role: string | null): void {
    this.open({ about: 'event', at: line.number, role, line: placeOf(line, log), text: line.text });
  }

  /** Save the file; returns its name. */
  async save(sentence: string): Promise<string> {
    const clicked = this.clicked;
    if (!clicked) return '';
    const { about, at, role, action = null, line = 0 } = clicked;
    const file = await this.ask<string>({ type: 'report', about, at, role, action, line, sentence });
    const name = `sandtable-report-${at}-${about}.json`;
    download(name, file);
    return name;
  }
}

/** Which line of its move a line of the log is. */
export function placeOf(line: LogLine, log: readonly LogLine[]): number {
  return Math.max(0, log.filter((other) => other.number === line.number).indexOf(line));
}

/** Save a text as a file. */
export function download(name: string, content: string | Blob): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type: 'application/json' }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
