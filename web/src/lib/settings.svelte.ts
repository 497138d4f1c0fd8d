// What a person has set for this browser. Kept in localStorage; a browser that forbids it gets the defaults.
export type Theme = 'auto' | 'light' | 'dark';
export type Language = 'en' | 'de';
/** How fast what the others did is shown. */
export type Playback = 'off' | 'slow' | 'normal' | 'fast';
/** When the computer says what it is up to. */
export type Remarks = 'lessons' | 'always' | 'never';

interface Saved {
  theme: Theme;
  language: Language;
  safeColours: boolean;
  confirmAll: boolean;
  answerAlone: boolean;
  playback: Playback;
  remarks: Remarks;
  control: boolean;
  hexIds: boolean;
  labels: boolean;
  inset: boolean;
  tellMe: boolean;
  sounds: boolean;
}

const KEY = 'sandtable.settings';

export function readStore<T>(key: string, otherwise: T): T {
  try {
    const text = localStorage.getItem(key);
    return text === null ? otherwise : (JSON.parse(text) as T);
  } catch {
    return otherwise;
  }
}

export function writeStore(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A browser without storage forgets: nothing else depends on it.
  }
}

function firstLanguage(): Language {
  return typeof navigator !== 'undefined' && navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
}

class Settings {
  theme = $state<Theme>('auto');
  language = $state<Language>('en');
  safeColours = $state(false);
  confirmAll = $state(false);
  answerAlone = $state(true);
  playback = $state<Playback>('normal');
  remarks = $state<Remarks>('lessons');
  control = $state(true);
  hexIds = $state(true);
  labels = $state(true);
  inset = $state(true);
  /** Show a notification of the browser when it is my move and I look elsewhere. */
  tellMe = $state(false);
  sounds = $state(false);
  systemDark = $state(false);
  dark = $derived(this.theme === 'dark' || (this.theme === 'auto' && this.systemDark));

  constructor() {
    const saved = readStore<Partial<Saved>>(KEY, {});
    this.theme = saved.theme ?? 'auto';
    this.language = saved.language ?? firstLanguage();
    this.safeColours = saved.safeColours ?? false;
    this.confirmAll = saved.confirmAll ?? false;
    this.answerAlone = saved.answerAlone ?? true;
    this.playback = saved.playback ?? 'normal';
    this.remarks = saved.remarks ?? 'lessons';
    this.control = saved.control ?? true;
    this.hexIds = saved.hexIds ?? true;
    this.labels = saved.labels ?? true;
    this.inset = saved.inset ?? true;
    this.tellMe = saved.tellMe ?? false;
    this.sounds = saved.sounds ?? false;
    if (typeof matchMedia !== 'undefined') {
      const query = matchMedia('(prefers-color-scheme: dark)');
      this.systemDark = query.matches;
      query.addEventListener('change', (event) => (this.systemDark = event.matches));
    }
  }

  save(): void {
    const { theme, language, safeColours, confirmAll, answerAlone, playback, remarks, control, hexIds, labels, inset, tellMe, sounds } = this;
    writeStore(KEY, { theme, language, safeColours, confirmAll, answerAlone, playback, remarks, control, hexIds, labels, inset, tellMe, sounds } satisfies Saved);
  }
}

export const settings = new Settings();
