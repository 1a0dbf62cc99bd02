/** Sounds made by the browser itself. Silent until the player has touched the page, and while muted. */

import type { SoundCue } from '../games/board-view.ts';
import { readStored, store } from './device-storage.ts';

export interface Sound {
  play(cue: SoundCue, loudness?: number): void;
  readonly muted: boolean;
  /** The player's own choice: stored for all later pages. */
  setMuted(muted: boolean): void;
  /** The embedding page's setting: it applies until this page is left, or the player chooses. */
  wishMuted(muted: boolean): void;
  /** Calls the listener on each change, until the page is left. */
  onMuted(listener: () => void): void;
}

/** One tone, or a burst of noise if `hz` is null. */
interface Note {
  /** Pitch at the beginning and at the end. */
  readonly hz: readonly [number, number] | null;
  /** The delay and the duration. Seconds. */
  readonly at: number;
  readonly length: number;
  /** 0 to 1. */
  readonly gain: number;
  readonly wave?: OscillatorType;
  /** The filter frequency of noise. Hz. */
  readonly band?: number;
}

const click = (hz: number, gain: number, at = 0): Note => ({
  hz: [hz, hz * 0.72],
  at,
  length: 0.09,
  gain,
  wave: 'triangle',
});
const puff = (band: number, length: number, gain: number, at = 0): Note => ({
  hz: null,
  at,
  length,
  gain,
  band,
});
const tone = (hz: number, at: number, length: number, gain: number): Note => ({
  hz: [hz, hz],
  at,
  length,
  gain,
  wave: 'sine',
});

const CUES: Readonly<Record<SoundCue, readonly Note[]>> = {
  place: [click(340, 0.5), puff(1_600, 0.04, 0.25)],
  take: [click(340, 0.5), click(250, 0.5, 0.09), puff(1_200, 0.06, 0.3)],
  crown: [click(340, 0.4), tone(784, 0.05, 0.22, 0.2), tone(1_175, 0.14, 0.3, 0.2)],
  roll: [0, 0.07, 0.13, 0.21, 0.31].map((at) => puff(2_600, 0.035, 0.3, at)),
  hop: [click(520, 0.28)],
  home: [tone(659, 0, 0.18, 0.22), tone(988, 0.1, 0.3, 0.22)],
  ball: [click(2_100, 0.5), puff(4_200, 0.03, 0.5)],
  cushion: [puff(260, 0.09, 0.6)],
  pocket: [puff(420, 0.12, 0.5), click(150, 0.6, 0.05)],
  strike: [click(900, 0.4), puff(2_400, 0.03, 0.4)],
  swing: [puff(1_500, 0.09, 0.22)],
  swingHeavy: [puff(900, 0.16, 0.3)],
  hit: [puff(900, 0.07, 0.7), click(190, 0.6)],
  hitHeavy: [puff(420, 0.16, 0.9), click(110, 0.9), puff(2_400, 0.05, 0.4)],
  block: [puff(3_200, 0.05, 0.4), click(620, 0.3)],
  throw: [puff(300, 0.2, 0.7), click(90, 0.8, 0.06)],
  charge: [{ hz: [180, 620], at: 0, length: 0.26, gain: 0.16, wave: 'sawtooth' }],
  bolt: [
    { hz: [900, 160], at: 0, length: 0.34, gain: 0.2, wave: 'square' },
    puff(1_800, 0.2, 0.25),
  ],
  jump: [{ hz: [170, 330], at: 0, length: 0.13, gain: 0.2, wave: 'sine' }],
  land: [puff(240, 0.09, 0.5)],
  fall: [puff(160, 0.24, 0.9), click(70, 0.8)],
  gong: [196, 293, 441, 590].map((hz, n) => tone(hz, 0, 1.4 - n * 0.25, 0.2 - n * 0.03)),
  ko: [{ hz: [420, 60], at: 0, length: 0.7, gain: 0.4, wave: 'triangle' }, puff(220, 0.5, 0.8)],
  turn: [tone(587, 0, 0.14, 0.16), tone(880, 0.1, 0.2, 0.16)],
  won: [523, 659, 784, 1_047].map((hz, n) => tone(hz, n * 0.12, 0.32, 0.2)),
  lost: [392, 330, 262].map((hz, n) => tone(hz, n * 0.16, 0.34, 0.18)),
  over: [tone(440, 0, 0.3, 0.18), tone(440, 0.2, 0.4, 0.14)],
};

const STORED = 'matchd.muted';
/** The volume of all sounds together. 0 to 1. */
const VOLUME = 0.5;

export function makeSound(): Sound {
  let muted = readStored(STORED) === 'true';
  const listeners: (() => void)[] = [];
  const apply = (next: boolean): void => {
    muted = next;
    for (const listener of listeners) listener();
  };
  let audio: AudioContext | null = null;
  // Browsers play no sound before this.
  const wake = (): void => {
    if (audio !== null || typeof AudioContext === 'undefined') return;
    audio = new AudioContext();
    for (const kind of ['pointerdown', 'keydown']) removeEventListener(kind, wake, true);
  };
  for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, wake, true);
  return {
    get muted() {
      return muted;
    },
    setMuted(next) {
      store(STORED, String(next));
      apply(next);
    },
    wishMuted: apply,
    onMuted: (listener) => void listeners.push(listener),
    play(cue, loudness = 1) {
      if (muted || audio === null || document.visibilityState === 'hidden') return;
      if (audio.state === 'suspended') void audio.resume();
      for (const note of CUES[cue]) sing(audio, note, loudness * VOLUME);
    },
  };
}

function sing(audio: AudioContext, note: Note, loudness: number): void {
  const start = audio.currentTime + note.at;
  const end = start + note.length;
  const gain = audio.createGain();
  gain.gain.setValueAtTime(Math.max(0.001, note.gain * loudness), start);
  gain.gain.exponentialRampToValueAtTime(0.001, end);
  gain.connect(audio.destination);
  const source =
    note.hz === null ? makeNoise(audio, note, gain) : makeTone(audio, note, start, end);
  if (note.hz !== null) source.connect(gain);
  source.start(start);
  source.stop(end);
}

function makeTone(
  audio: AudioContext,
  { hz, wave }: Note,
  start: number,
  end: number,
): AudioScheduledSourceNode {
  const oscillator = audio.createOscillator();
  oscillator.type = wave ?? 'sine';
  oscillator.frequency.setValueAtTime(hz![0], start);
  oscillator.frequency.exponentialRampToValueAtTime(hz![1], end);
  return oscillator;
}

function makeNoise(
  audio: AudioContext,
  { length, band }: Note,
  out: AudioNode,
): AudioScheduledSourceNode {
  const frames = Math.ceil(audio.sampleRate * length);
  const buffer = audio.createBuffer(1, frames, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let n = 0; n < frames; n += 1) samples[n] = Math.random() * 2 - 1;
  const source = audio.createBufferSource();
  source.buffer = buffer;
  const filter = audio.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = band ?? 1_000;
  source.connect(filter).connect(out);
  return source;
}
