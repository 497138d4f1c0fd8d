// Quiet sounds, made by the browser itself: off unless switched on. Nothing is loaded for them.
import { settings } from './settings.svelte';

export type Sound = 'move' | 'dice' | 'turn' | 'done';
/** Pitch in hertz, seconds, and how loud against the quietest. */
const TONES: Record<Exclude<Sound, 'dice'>, [number, number, number][]> = {
  move: [[180, 0.05, 1]],
  turn: [[523, 0.14, 1], [659, 0.2, 1]],
  done: [[392, 0.09, 0.8]],
};
const VOLUME = 0.035;

let context: AudioContext | null = null;
/** How many sounds were played: for tests. */
export const played = { count: 0 };

export function sound(kind: Sound): void {
  if (!settings.sounds || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  // Before the first click a browser keeps silent.
  if (context.state === 'suspended') void context.resume();
  played.count++;
  const start = context.currentTime;
  if (kind === 'dice') {
    for (const late of [0, 0.07, 0.13, 0.18]) knock(context, start + late);
    return;
  }
  let at = start;
  for (const [pitch, seconds, loud] of TONES[kind]) {
    tone(context, at, pitch, seconds, loud);
    at += seconds * 0.7;
  }
}

function fade(audio: AudioContext, from: number, seconds: number, loud: number): GainNode {
  const gain = audio.createGain();
  gain.gain.setValueAtTime(VOLUME * loud, from);
  gain.gain.exponentialRampToValueAtTime(0.0001, from + seconds);
  gain.connect(audio.destination);
  return gain;
}

function tone(audio: AudioContext, from: number, pitch: number, seconds: number, loud: number): void {
  const wave = audio.createOscillator();
  wave.type = 'triangle';
  wave.frequency.value = pitch;
  wave.connect(fade(audio, from, seconds, loud));
  wave.start(from);
  wave.stop(from + seconds);
}

/** A short knock of noise: a die on wood. */
function knock(audio: AudioContext, from: number): void {
  const length = Math.round(audio.sampleRate * 0.03);
  const noise = audio.createBuffer(1, length, audio.sampleRate);
  const samples = noise.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / length);
  const source = audio.createBufferSource();
  const wood = audio.createBiquadFilter();
  source.buffer = noise;
  wood.type = 'bandpass';
  wood.frequency.value = 900;
  source.connect(wood).connect(fade(audio, from, 0.05, 2));
  source.start(from);
}
