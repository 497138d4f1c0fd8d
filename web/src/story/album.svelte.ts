// The pictures of a page that is to be printed: one after the other, so that reading does not wait for them.
import type { MapFile, Table } from '../lib/types';
import { blobOf, Camera } from '../map/camera';
import type { Drawing } from '../map/scene';
import { lookOf } from './archive.svelte';

export interface Sitting {
  key: string;
  table: () => Promise<Table>;
  drawn?: Drawing;
  /** What the picture shows; none: wherever there are counters. */
  places: string[];
}
const WIDE = 800;
const HIGH = 500;

export class Album {
  pictures = $state.raw<Record<string, string>>({});
  done = $state(0);
  all = $state(0);
  private closed = false;

  get isReady(): boolean {
    return this.all > 0 && this.done === this.all;
  }

  async fill(map: MapFile, sittings: readonly Sitting[]): Promise<void> {
    this.all = sittings.length;
    this.done = 0;
    const camera = new Camera(map);
    try {
      for (const { key, table, drawn, places } of sittings) {
        if (this.closed) return;
        const look = lookOf(await table(), drawn);
        const canvas = await camera.shot(look, camera.around(look, places, WIDE, HIGH), 2);
        const picture = URL.createObjectURL(await blobOf(canvas, 'image/jpeg', 0.9));
        this.pictures = { ...this.pictures, [key]: picture };
        this.done++;
      }
    } finally {
      camera.close();
    }
  }

  close(): void {
    this.closed = true;
    for (const picture of Object.values(this.pictures)) URL.revokeObjectURL(picture);
  }
}
