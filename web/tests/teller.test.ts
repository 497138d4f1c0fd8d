import { expect, test } from 'vitest';
import type { Ask } from '../src/lib/line';
import type { NoteFace, StoryFace } from '../src/lib/types';
import { Teller } from '../src/story/teller.svelte';

/** A host that keeps one story, and refuses who has not seen its last version. */
class Desk {
  face: StoryFace = { number: 1, title: '', by: '', eyes: 'red', notes: [], mine: true, published: false, may_publish: true, version: 0, others: [] };
  asked: Ask[] = [];
  ask = async <T>(request: Ask): Promise<T> => {
    this.asked.push(request);
    await Promise.resolve();
    if (request.type === 'annotate') {
      if (request.version !== this.face.version) throw new Error('stale');
      const note = { ...request, variations: [] } as unknown as NoteFace;
      this.face = { ...this.face, version: this.face.version + 1, notes: [...this.face.notes.filter((one) => one.at !== request.at), note] };
    }
    return this.face as T;
  };
}

test('what is written is kept when another move is looked at, and shown again', async () => {
  const desk = new Desk();
  const teller = new Teller(desk.ask, (error) => expect.fail(String(error)));
  await teller.load();
  teller.text = 'One.';
  teller.turnTo(3);
  expect(teller.text).toBe('');
  teller.text = 'Three.';
  teller.turnTo(0);
  await teller.save();
  expect(desk.face.notes.map((note) => [note.at, note.text])).toEqual([[0, 'One.'], [3, 'Three.']]);
  expect(teller.text).toBe('One.');
});

test('nothing is sent where nothing has changed', async () => {
  const desk = new Desk();
  const teller = new Teller(desk.ask, (error) => expect.fail(String(error)));
  await teller.load();
  teller.turnTo(5);
  teller.turnTo(0);
  await teller.save();
  expect(desk.asked.map((one) => one.type)).toEqual(['story']);
});

test('clicks mark spaces and draw arrows, and take marks away again', async () => {
  const desk = new Desk();
  const teller = new Teller(desk.ask, (error) => expect.fail(String(error)));
  await teller.load();
  teller.tool = 'mark';
  for (const space of ['a', 'b', 'a']) teller.pick(space);
  teller.tool = 'arrow';
  teller.pick('c');
  teller.pick('c');
  expect(teller.from).toBeNull();
  teller.pick('c');
  teller.pick('d');
  await teller.save();
  expect([desk.face.notes[0]?.spaces, desk.face.notes[0]?.arrows]).toEqual([['b'], [['c', 'd']]]);
});

test('who was overtaken by another tab is told, and sees the newest story', async () => {
  const desk = new Desk();
  const told: unknown[] = [];
  const teller = new Teller(desk.ask, (error) => told.push(error));
  await teller.load();
  desk.face = { ...desk.face, version: 4 };
  teller.text = 'Late.';
  await teller.save();
  expect(told).toHaveLength(1);
  expect(teller.face?.version).toBe(4);
  expect(teller.text).toBe('Late.');
  await teller.save();
  expect(desk.face.notes[0]?.text).toBe('Late.');
});
