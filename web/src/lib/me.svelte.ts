// Who sits at this browser: a name and a colour, and on a server the key by which it knows them on every device.
import { page } from './api';
import { ApiError } from './carrier';
import { root } from './root';
import { call, keyOfPerson } from './server';
import { readStore, settings, writeStore } from './settings.svelte';
import type { Calls, Known, Me, ServerFace } from './types';

const KEY = 'sandtable.person';
interface Kept {
  name: string;
  colour: string;
  key: string;
}

/** The colours that a player may take, by the names under which they are kept. */
export const COLOURS: Record<string, string> = {
  teal: '#0f766e', sky: '#0369a1', violet: '#6d28d9', rose: '#be185d', red: '#b91c1c', amber: '#b45309', olive: '#4d7c0f', slate: '#475569',
};
export function colourOf(name: string): string {
  return COLOURS[name] ?? '#8a8272';
}

/** What this browser is called in a list of one's devices. */
function deviceName(): string {
  const agent = navigator.userAgent;
  const browser = /Firefox|Edg|Chrome|Safari/.exec(agent)?.[0]?.replace('Edg', 'Edge') ?? 'Browser';
  const system = /Android|iPhone|iPad|Windows|Mac|Linux/.exec(agent)?.[0] ?? '';
  return system ? `${browser}, ${system}` : browser;
}

class Person {
  name = $state('');
  colour = $state('');
  /** What the server says of them; null while it knows nobody. */
  known = $state.raw<Me | null>(null);
  /** What the server can do for people; null in a page without one. */
  server = $state.raw<ServerFace | null>(null);

  constructor() {
    const kept = readStore<Partial<Kept>>(KEY, {});
    this.name = kept.name ?? '';
    this.colour = kept.colour ?? '';
    keyOfPerson.now = kept.key ?? '';
  }

  private keep(): void {
    writeStore(KEY, { name: this.name, colour: this.colour, key: keyOfPerson.now } satisfies Kept);
  }

  private take({ me, key }: Known): void {
    this.known = me;
    if (key) keyOfPerson.now = key;
    this.name = me.name;
    this.colour = me.colour;
    this.keep();
  }

  /** Ask the server what it can do, and who this is. */
  async look(): Promise<void> {
    if (page) return;
    this.server = await call<ServerFace>('/server');
    if (!keyOfPerson.now) return;
    try {
      this.known = await call<Me>('/me');
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      keyOfPerson.now = ''; // signed out from another device
      this.keep();
    }
  }

  /** Be somebody here: keep name and colour, and have the server know them. */
  async save(name = this.name, colour = this.colour): Promise<void> {
    this.name = name.trim().slice(0, 80);
    this.colour = colour;
    this.keep();
    if (!page) this.take(await call<Known>('/me', { body: { name: this.name, colour, lang: settings.language, device: deviceName() } }));
  }

  /** Have the server know this browser before something is to belong to it. */
  async ensure(): Promise<void> {
    if (!page && !keyOfPerson.now) await this.save();
  }

  /** Come in by a link that another device, or an account, has made. */
  async join(token: string): Promise<void> {
    this.take(await call<Known>('/me/join', { body: { token, device: deviceName() } }));
  }

  async setCalls(calls: Calls): Promise<void> {
    this.known = await call<Me>('/me/calls', { body: calls });
  }
  async drop(device: string): Promise<void> {
    await call('/me/drop', { body: { id: device } });
    await this.look();
  }
  moveLink = async (): Promise<string> => {
    await this.ensure();
    const { token } = await call<{ token: string }>('/me/move', { body: {} });
    return new URL(`${root}/#join=${token}`, location.href).href;
  };
  async signIn(): Promise<void> {
    location.assign(await call<string>('/login'));
  }

  /** Have this browser told when it is their move, even when the page is closed. */
  async subscribe(): Promise<boolean> {
    if (!this.server?.push || !('serviceWorker' in navigator) || !('PushManager' in window)) return false;
    if ((await Notification.requestPermission()) !== 'granted') return false;
    await this.ensure();
    await navigator.serviceWorker.register(`${root}/push.js`, { scope: `${root}/` });
    const registration = await navigator.serviceWorker.ready;
    const subscription = await registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: this.server.push });
    await call('/me/push', { body: subscription.toJSON() });
    await this.look();
    return true;
  }
}

export const me = new Person();
