/** How fast checkers counts moves, compared with the npm package `rapid-draughts`, and thinks. Printed only. */

import { join } from 'node:path';
import { makeRandom } from '../../game/src/random.ts';
import { american } from '../../src/games/checkers/american/american.ts';
import { START } from '../../src/games/checkers/american/board.ts';
import { listMoves } from '../../src/games/checkers/american/moves.ts';
import { perft } from '../../src/games/checkers/american/perft.ts';
import { makeSearch } from '../../src/games/checkers/american/search.ts';
import type { AmericanState } from '../../src/games/checkers/american/state.ts';
import { checkersBot } from '../../src/games/checkers/bot.ts';
import { checkers } from '../../src/games/checkers/checkers.ts';
import { DIALECTS, VARIANTS } from '../../src/games/checkers/dialect.ts';
import { parseFen } from '../../src/games/checkers/fen.ts';
import type { CheckersState } from '../../src/games/checkers/rule-sets.ts';
import { initialState, RULE_SETS } from '../../src/games/checkers/rule-sets.ts';
import { installPeer, peerDir } from '../peer-setup.ts';

const PEER = 'rapid-draughts';
const DEPTH = 10;
const ROUNDS = 5;
const CALLS = 20_000;
const NODES = 600_000;
/** Random plies before a position that is thought about. */
const OPENING_PLIES = 12;
const random = makeRandom('bench', () => 'checkers', 0);

/** As much of the peer's engine as counting takes. */
interface PeerEngine {
  readonly moves: readonly object[];
  clone(): PeerEngine;
  move(move: object): void;
}

/** The peer's engine at the start; a sentence when it cannot be had. */
async function loadPeer(): Promise<PeerEngine | string> {
  const fault = await installPeer(PEER);
  if (fault !== null) return fault;
  const file = join(peerDir(PEER), 'node_modules', PEER, 'dist/english.js');
  return (await import(file)).EnglishDraughtsEngineFactory.setup();
}

/** The last move is counted without being made, as ours is. */
function countPeer(engine: PeerEngine, depth: number): number {
  const { moves } = engine;
  if (depth === 1) return moves.length;
  let count = 0;
  for (const move of moves) {
    const next = engine.clone();
    next.move(move);
    count += countPeer(next, depth - 1);
  }
  return count;
}

/** Sequences a second, in millions, with what was counted. */
function measureCount(count: () => number): { readonly found: number; readonly speed: number } {
  const from = performance.now();
  const found = count();
  return { found, speed: found / (performance.now() - from) / 1_000 };
}

/** The median with the range behind it. */
function summary(values: readonly number[], digits: number): string {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, middle, high] = [sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!];
  return `${middle.toFixed(digits)} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}

/** Both in turn, so that what slows the machine slows both. */
async function printCounting(): Promise<void> {
  const peer = await loadPeer();
  perft(START, DEPTH - 1);
  const ours: number[] = [];
  const theirs: number[] = [];
  let found = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const own = measureCount(() => perft(START, DEPTH));
    ours.push(own.speed);
    found = own.found;
    if (typeof peer === 'string') continue;
    const other = measureCount(() => countPeer(peer, DEPTH));
    if (other.found !== found) throw new Error(`${PEER} counts ${other.found}, we ${found}`);
    theirs.push(other.speed);
  }
  console.log(`counting ${found} sequences of depth ${DEPTH}, million a second, ${ROUNDS} rounds`);
  console.log(`  matchd          ${summary(ours, 1)}`);
  if (typeof peer === 'string') console.log(`  ${PEER} is left out: ${peer}`);
  else console.log(`  ${PEER}  ${summary(theirs, 2)}`);
}

const MIDDLE = 'B:W18,21,22,26,28,30,31,32:B3,5,6,10,11,12,13,20';

function stateAt(fen: string): AmericanState {
  const diagram = parseFen(DIALECTS.american, fen);
  if ('error' in diagram) throw new Error(diagram.error);
  return american.begin(diagram);
}

/** The service's cost of one move: checked and applied, shown, and its legal replies listed. */
function printRules(): void {
  const state = stateAt(MIDDLE);
  const [action] = checkers.legalActions(state)!;
  const parts = {
    apply: () => checkers.apply(state, 0, action!, random),
    legalActions: () => checkers.legalActions(state),
    view: () => checkers.view(state, null),
  };
  for (const [name, run] of Object.entries(parts)) {
    const each = Array.from({ length: ROUNDS }, () => {
      const from = performance.now();
      for (let call = 0; call < CALLS; call += 1) run();
      return ((performance.now() - from) * 1_000) / CALLS;
    });
    console.log(`${name}: µs ${summary(each, 2)}`);
  }
}

/** Sequences of the other variants from the start, and how long each takes to answer. */
function printVariants(): void {
  for (const variant of VARIANTS.slice(1)) {
    const state = initialState(variant);
    const depth = variant === 'international' ? 7 : 8;
    const speeds = Array.from(
      { length: ROUNDS },
      () => measureCount(() => RULE_SETS[variant].perft(state, depth)).speed,
    );
    console.log(`counting ${variant}, million a second: ${summary(speeds, 1)}`);
    printAnswers(variant, afterRandomMoves(state, OPENING_PLIES));
  }
}

function afterRandomMoves(start: CheckersState, plies: number): CheckersState {
  let state = start;
  for (let ply = 0; ply < plies; ply += 1) {
    const legal = checkers.legalActions(state)!;
    const action = legal[random.integer(legal.length)]!;
    const applied = checkers.apply(state, state.turn, action, random);
    if ('code' in applied) throw new Error(applied.error);
    state = applied.state;
  }
  return state;
}

function printAnswers(name: string, state: CheckersState): void {
  for (const level of ['easy', 'medium', 'hard'] as const) {
    const mind = checkersBot.makeMind();
    const times = Array.from({ length: 4 * ROUNDS }, () => {
      const from = performance.now();
      mind.choose({ state, seat: state.turn, level, nodesMax: NODES }, random);
      return performance.now() - from;
    });
    console.log(`${name}: ${level} answers within: ms ${summary(times, 1)}`);
  }
}

function printThinking(): void {
  const state = stateAt(MIDDLE);
  const search = makeSearch();
  const speeds = Array.from({ length: ROUNDS }, () => {
    const from = performance.now();
    search.rank(state, listMoves(state), { plies: 64, nodesMax: NODES, margin: 0 }, random);
    return search.nodes() / (performance.now() - from) / 1_000;
  });
  console.log(`looking ahead: million positions a second ${summary(speeds, 1)}`);
  printAnswers('american', state);
}

await printCounting();
printRules();
printThinking();
printVariants();
