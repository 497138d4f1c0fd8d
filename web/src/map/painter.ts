// Asks the painter's thread for pictures of the map. Of many wishes only the newest is worth painting.
import type { MapFile } from '../lib/types';
import type { Wish } from './pen';
import PainterWorker from './painter.worker?worker';

export interface Picture {
  bitmap: ImageBitmap;
  wish: Wish;
}

export class Painter {
  private readonly worker: Worker;
  private tickets = 0;
  private readonly open = new Map<number, { wish: Wish; done: (picture: Picture) => void }>();
  private busy = false;
  private next: { wish: Wish; done: (picture: Picture) => void } | null = null;

  constructor(map: MapFile) {
    this.worker = new PainterWorker();
    this.worker.addEventListener('message', (event: MessageEvent<{ ticket: number; bitmap: ImageBitmap }>) => {
      const found = this.open.get(event.data.ticket);
      this.open.delete(event.data.ticket);
      this.busy = false;
      if (found) found.done({ bitmap: event.data.bitmap, wish: found.wish });
      if (this.next) {
        const { wish, done } = this.next;
        this.next = null;
        this.paint(wish, done);
      }
    });
    this.worker.postMessage({ type: 'load', map });
  }

  /** Paint this when the painter is free; a newer wish replaces one that still waits. */
  paint(wish: Wish, done: (picture: Picture) => void): void {
    if (this.busy) {
      this.next = { wish, done };
      return;
    }
    this.send(wish, done);
  }

  /** Paint this in any case, in turn. */
  queue(wish: Wish, done: (picture: Picture) => void): void {
    this.send(wish, done);
  }

  private send(wish: Wish, done: (picture: Picture) => void): void {
    this.busy = true;
    const ticket = ++this.tickets;
    this.open.set(ticket, { wish, done });
    this.worker.postMessage({ type: 'paint', ticket, wish });
  }

  close(): void {
    this.worker.terminate();
    this.open.clear();
  }
}
