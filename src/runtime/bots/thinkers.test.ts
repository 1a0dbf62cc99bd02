/** Thinking threads: answers, failures, and hangs. */

import { afterEach, expect, test } from 'bun:test';
import { tictactoe } from '../../games/tictactoe/tictactoe.ts';
import { makeSystemClock } from '../system.ts';
import { makeThinkers, type Thinkers } from './thinkers.ts';
import type { Answer, Thought } from './thought.ts';

const made: Thinkers[] = [];
afterEach(async () => {
  for (const thinkers of made.splice(0)) await thinkers.stop();
});

/** Threads that run this text instead of thinking. */
function open(source?: string): Thinkers {
  const file =
    source === undefined
      ? undefined
      : new URL(`data:text/javascript,${encodeURIComponent(source)}`);
  const thinkers = makeThinkers(makeSystemClock(), file);
  made.push(thinkers);
  return thinkers;
}

const THOUGHT: Thought = {
  rules: { game: 'tictactoe', rulesVersion: 1 },
  state: tictactoe.initial({ variant: 'standard', seats: 2, options: {} }),
  seat: 0,
  level: 'medium',
  nodesMax: 10_000,
  seed: 'x',
};

function ask(thinkers: Thinkers, thought: Partial<Thought> = {}, lateMs = 10_000): Promise<Answer> {
  return new Promise((resolve) => thinkers.think({ ...THOUGHT, ...thought }, lateMs, resolve));
}

const PORT = "const { parentPort } = require('node:worker_threads');";
/** Hangs on `easy`, throws on `hard`, and otherwise returns its budget. */
const ODD = `${PORT} parentPort.on('message', ({ level, nodesMax }) => {
  if (level === 'easy') for (;;);
  if (level === 'hard') throw new Error('broken');
  parentPort.postMessage({ ok: true, action: nodesMax });
});`;

test('[B4] a question is answered with a legal action, and many are all answered', async () => {
  const thinkers = open();
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(thinkers)));
  for (const answer of answers) {
    expect(answer.ok && tictactoe.parseAction(answer.action) !== null).toBe(true);
  }
});

test('[B4] a game without a bot is a named failure', async () => {
  expect(await ask(open(), { rules: { game: 'chess', rulesVersion: 1 } })).toEqual({
    ok: false,
    error: 'Nobody here plays chess',
  });
});

test('[B4] a hanging thread is reported as late, and replaced', async () => {
  const thinkers = open(ODD);
  const late = ask(thinkers, { level: 'easy' }, 200);
  const behind = ask(thinkers);
  expect(await late).toEqual({ ok: false, error: 'The answer came too late' });
  expect((await behind).ok).toBe(true);
});

test('[B4] a crashed thread fails only its own question', async () => {
  const thinkers = open(ODD);
  const failed = ask(thinkers, { level: 'hard' });
  const behind = ask(thinkers);
  expect((await failed).ok).toBe(false);
  expect((await behind).ok).toBe(true);
});

test('[B4] a long search does not delay a short one', async () => {
  const hangs = `${PORT} parentPort.on('message', ({ level }) => {
    if (level === 'perfect') for (;;);
    parentPort.postMessage({ ok: true, action: 1 });
  });`;
  const thinkers = open(hangs);
  const slow = ask(thinkers, { level: 'perfect' }, 1_500);
  expect(await ask(thinkers, {}, 1_000)).toEqual({ ok: true, action: 1 });
  expect((await slow).ok).toBe(false);
});

test('[B4] when many wait, each gets a smaller budget', async () => {
  const thinkers = open(ODD);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => ask(thinkers, { nodesMax: 60_000 })),
  );
  const given = answers.map((answer) => (answer.ok ? answer.action : null));
  expect(given).toEqual([60_000, 15_000, 20_000, 30_000, 60_000]);
});

test('[B4] a cancelled question is not answered', async () => {
  const thinkers = open();
  const seen: Answer[] = [];
  const cancel = thinkers.think(THOUGHT, 10_000, (answer) => seen.push(answer));
  const waiting = thinkers.think(THOUGHT, 10_000, (answer) => seen.push(answer));
  cancel();
  waiting();
  expect((await ask(thinkers)).ok).toBe(true);
  expect(seen).toEqual([]);
});
