/**
 * What a move of each game costs on the wire: bytes of an update, and the time to make and to read it,
 * in the forms that `matchd.v2` could have had (decision 0041). `bun bench/games/frames.ts`
 */

import { decode, encode } from 'cborg';
import type { AnyGame, Json } from '../../src/games/game.ts';
import { GAME_IDS } from '../../src/games/game.ts';
import { PLAYS } from '../../src/games/plays.test-kit.ts';
import { makeRandom } from '../../src/games/random.ts';
import { makeSetups, playRandomly } from '../../src/games/random-play.ts';
import { findGame } from '../../src/games/registry.ts';
import { makeChange, makeListChange } from '../../src/match/change.ts';

const ROUNDS = 5;
const MOVES_A_GAME = 400;
const AT = 1_764_195_606_123;
const BASE = AT - 83_250;

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
  for (let n = 0; moves.length < MOVES_A_GAME; n += 1) {
    const setup = makeSetups(game)[0]!;
    const chooser = makeRandom(`chooser ${n}`, () => '', 0);
    const played = playRandomly({ game, setup, secret: `${n}`, play: PLAYS[game.id], chooser });
    for (const [index, input] of played.inputs.entries()) {
      if (input.kind !== 'act') continue;
      moves.push({
        game,
        before: played.positions[index]!.state,
        after: played.positions[index + 1]!.state,
        action: input.action,
        v: index + 5,
        seat: input.seat,
      });
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
    deadline: new Date(AT + 60_000).toISOString(),
    at: new Date(AT).toISOString(),
  });

const whole = ({ game, after, action, v, seat }: Move): Json[] => [
  ...[0, v, AT - BASE, seat, action, game.turn(after), AT + 60_000 - BASE],
  ...[game.view(after, null), game.legalActions(after) ?? null],
];

const makeChanged: Form = ({ game, before, after, action, v, seat }) => {
  const [legalBefore, legal] = [game.legalActions(before), game.legalActions(after)];
  const view = makeChange(game.view(before, null), game.view(after, null));
  const change = legal === null || legalBefore === null ? '{}' : makeListChange(legalBefore, legal);
  return `[0,${v},${AT - BASE},${seat},${JSON.stringify(action)},${game.turn(after)},${AT + 60_000 - BASE},${view},${change}]`;
};

const FORMS: Readonly<Record<string, Form>> = {
  v1: makeV1,
  list: (move) => JSON.stringify(whole(move)),
  'list, changes': makeChanged,
  CBOR: (move) => encode(whole(move)),
  'CBOR, changes': (move) => encode(JSON.parse(makeChanged(move) as string)),
};

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}

/** Microseconds for each. */
function timeOf<T>(items: readonly T[], each: (item: T) => unknown): number {
  for (let i = 0; i < 50; i += 1) for (const item of items) each(item);
  const rounds = Array.from({ length: ROUNDS }, () => {
    const from = process.cpuUsage();
    for (let i = 0; i < 20; i += 1) for (const item of items) each(item);
    const { user, system } = process.cpuUsage(from);
    return (user + system) / items.length / 20;
  });
  return median(rounds);
}

function read(text: string | Uint8Array): unknown {
  return typeof text === 'string' ? JSON.parse(text) : decode(text);
}

for (const id of GAME_IDS) {
  const game = findGame(id)!;
  if (game.ticks !== undefined) continue;
  const moves = movesOf(game);
  const views = timeOf(moves, ({ after }) => game.view(after, null));
  const legals = timeOf(moves, ({ after }) => game.legalActions(after));
  console.log(`${id}: view ${views.toFixed(2)} µs, legal ${legals.toFixed(2)} µs`);
  for (const [name, make] of Object.entries(FORMS)) {
    const texts = moves.map(make);
    const bytes = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
    const made = timeOf(moves, make);
    const parsed = timeOf(texts, read);
    console.log(
      `  ${name.padEnd(14)} ${bytes.toFixed(0).padStart(6)} bytes  make ${made.toFixed(2).padStart(7)}  read ${parsed.toFixed(2).padStart(7)} µs`,
    );
  }
}
