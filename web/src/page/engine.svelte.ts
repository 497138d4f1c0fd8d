// How far the page's engine is, for the screen; and what a browser does for a page that is its own host.
import { page } from '../lib/api';
import type { Progress } from './inpage';

class Engine {
  progress = $state.raw<Progress>({ part: 0, ready: false, kept: null, failed: '' });
  /** Whether the browser has promised to keep the matches when it runs out of room. */
  persists = $state(false);
  /** A newer version of the page is here; it comes when all its tabs have been closed. */
  isOld = $state(false);

  constructor() {
    if (page) page.onprogress = (progress) => (this.progress = progress);
  }

  /** Start the engine and the service worker of a page that has them. */
  start(): void {
    if (!page) return;
    page.start();
    (window as unknown as { sandtablePage?: object }).sandtablePage = page;
    void navigator.storage?.persisted?.().then((is) => (this.persists = is));
    void this.serveOffline();
  }

  /** Ask the browser to keep the matches. */
  async keep(): Promise<void> {
    this.persists = (await navigator.storage?.persist?.()) ?? false;
  }

  private async serveOffline(): Promise<void> {
    if (!('serviceWorker' in navigator)) return; // plain http on another machine: playable, but not without its host
    const registration = await navigator.serviceWorker.register('sw.js', { updateViaCache: 'none' }).catch((error: unknown) => {
      console.warn('the page cannot be kept for offline use:', error);
      return null;
    });
    if (!registration) return;
    const look = (): void => void (this.isOld = registration.waiting !== null && registration.active !== null);
    look();
    registration.addEventListener('updatefound', () => registration.installing?.addEventListener('statechange', look));
  }
}

export const engine = new Engine();
