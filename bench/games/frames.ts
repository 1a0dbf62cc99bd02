/**
 * Each game's update in the forms considered for `matchd.v2` (decision 0041): bytes, and the time
 * to make it here and to read it in a browser. `bun bench/games/frames.ts`
 */

import { decode, encode } from 'cborg';
import type { Page } from 'playwright-core';
import { findChromium, launchChromium } from '../../e2e/parts/browser.ts';
import type { AnyGame, Json } from '../../game/src/game.ts';
import { makeRandom } from '../../game/src/random.ts';
import { makeSetups, playRandomly } from '../../game/src/testing/random-play.ts';
import { playOf } from '../../src/games/plays.test-kit.ts';
import { findGame, GAME_IDS } from '../../src/games/registry.ts';
import {
  makeChange,
  makeListChange,
  makeReplacement,
  UNCHANGED,
} from '../../src/match/frames/change.ts';
import { makeNumber, makeTable, median } from '../report.ts';

const ROUNDS = 5;
const MOVES_A_GAME = 400;
/** How often all moves are made: before anything is counted, and in each round. */
const WARM_UP_PASSES = 50;
const PASSES = 20;
const AT = 1_764_195_606_123;
const BASE = AT - 83_250;
const DEADLINE = AT + 60_000;

interface Move {
  readonly game: AnyGame;
  readonly before: Json;
  readonly after: Json;
  readonly action: Json;
  readonly v: number;
  readonly seat: number;
}

function movesOf(game: AnyGame): Move[] {
  const moves: Move[] = [];
  const setup = makeSetups(game)[0]!;
  for (let n = 0; moves.length < MOVES_A_GAME; n += 1) {
    const chooser = makeRandom(`chooser ${n}`, () => '', 0);
    const played = playRandomly({ game, setup, secret: `${n}`, play: playOf(game.id), chooser });
    for (const [index, input] of played.inputs.entries()) {
      if (input.kind !== 'act') continue;
      const [before, after] = [played.positions[index]!, played.positions[index + 1]!];
      const { action, seat } = input;
      moves.push({ game, before: before.state, after: after.state, action, v: index + 5, seat });
    }
  }
  return moves.slice(0, MOVES_A_GAME);
}

type Form = (move: Move) => string | Uint8Array;

const makeV1: Form = ({ game, after, action, v, seat }) =>
  JSON.stringify({
    t: 'update',
    s: 'ses_01kafw3q9t5ne8rz2m4xbcd7hj',
    v,
    prev: v - 1,
    seat,
    action,
    view: game.view(after, null),
    turn: game.turn(after),
    legal: game.legalActions(after) ?? undefined,
    clock: null,
    deadline: new Date(DEADLINE).toISOString(),
    at: new Date(AT).toISOString(),
  });

const whole = ({ game, after, action, v, seat }: Move): Json[] => [
  0,
  v,
  AT - BASE,
  seat,
  action,
  game.turn(after),
  DEADLINE - BASE,
  game.view(after, null),
  game.legalActions(after) ?? null,
];

/** As the server makes it. */
function makeChanged({ game, before, after, action, v, seat }: Move): Json[] {
  const head = [0, v, AT - BASE, seat, action, game.turn(after), DEADLINE - BASE];
  const view = makeChange(game.view(before, null), game.view(after, null));
  const [legalBefore, legal] = [game.legalActions(before), game.legalActions(after)];
  const change =
    legal === null
      ? UNCHANGED
      : legalBefore === null
        ? makeReplacement(legal)
        : makeListChange(legalBefore, legal);
  return [...head, view, change];
}

const FORMS: Readonly<Record<string, Form>> = {
  'matchd.v1': makeV1,
  'JSON list': (move) => JSON.stringify(whole(move)),
  'JSON list of changes': (move) => JSON.stringify(makeChanged(move)),
  CBOR: (move) => encode(whole(move)),
  'CBOR of changes': (move) => encode(makeChanged(move)),
};

/** Microseconds of CPU for each. */
function timeOf<T>(items: readonly T[], each: (item: T) => unknown): number {
  for (let i = 0; i < WARM_UP_PASSES; i += 1) for (const item of items) each(item);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const from = process.cpuUsage();
    for (let i = 0; i < PASSES; i += 1) for (const item of items) each(item);
    const { user, system } = process.cpuUsage(from);
    return (user + system) / items.length / PASSES;
  });
  return median(rounds);
}

/** A page that reads its input: `readAll` returns microseconds for each. */
async function openReader(): Promise<{ readonly page: Page; close(): Promise<void> } | null> {
  const chromium = findChromium();
  if (chromium === null) return null;
  const built = await Bun.build({
    entrypoints: [`${import.meta.dir}/frames-reader.ts`],
    target: 'browser',
    format: 'iife',
  });
  const browser = await launchChromium(chromium);
  const page = await browser.newPage();
  await page.addScriptTag({ content: await built.outputs[0]!.text() });
  return { page, close: () => browser.close() };
}

async function readIn(page: Page, frames: readonly (string | Uint8Array)[]): Promise<number> {
  const sent = frames.map((each) => (typeof each === 'string' ? each : [...each]));
  return page.evaluate(
    ([all, warmUps, passes, rounds]) =>
      (globalThis as unknown as { readAll(...args: unknown[]): number }).readAll(
        ...[all, warmUps, passes, rounds],
      ),
    [sent, WARM_UP_PASSES, PASSES, ROUNDS] as const,
  );
}

const read = (frame: string | Uint8Array): unknown =>
  typeof frame === 'string' ? JSON.parse(frame) : decode(frame);

const reader = await openReader();
const rows: string[][] = [];
for (const id of GAME_IDS) {
  const game = findGame(id)!;
  if (game.ticks !== undefined) continue;
  const moves = movesOf(game);
  for (const [name, make] of Object.entries(FORMS)) {
    const frames = moves.map(make);
    const bytes = frames.reduce((sum, { length }) => sum + length, 0) / frames.length;
    const times = [timeOf(moves, make), timeOf(frames, read)];
    if (reader !== null) times.push(await readIn(reader.page, frames));
    rows.push([id, name, ...[bytes, ...times].map(makeNumber)]);
  }
}
await reader?.close();
const titles = ['bytes', 'make, µs', 'read here, µs', ...(reader === null ? [] : ['in Chromium'])];
console.log(
  makeTable(
    [
      { title: 'Game', align: 'left' },
      { title: 'Form', align: 'left' },
      ...titles.map((title) => ({ title, align: 'right' }) as const),
    ],
    rows,
  ),
);
process.exit(0);
