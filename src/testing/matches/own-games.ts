/** An operator's games, written into a folder: for tests of loading and running them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Two seats throw a die in turns, as often as they like; a one loses the turn's score. */
export const PIG = `
import { defineGame, oneOf, refuseTurn, shape, wonBy } from '@matchd/game';
import { GOAL } from './goal.ts';

type Seat = 0 | 1;
type State = { readonly scores: readonly number[]; readonly pot: number; readonly turn: Seat };
type Action = { readonly do: 'roll' | 'hold' };

const isOver = ({ scores }: State) => scores.some((score) => score >= GOAL);
const turnOf = (state: State) => (isOver(state) ? null : state.turn);

export const game = defineGame<State, Action>({
  id: 'pig',
  rulesVersion: 1,
  seats: 2,
  action: shape({ do: oneOf('roll', 'hold') }),
  initial: () => ({ scores: [0, 0], pot: 0, turn: 0 }),
  turn: turnOf,
  legalActions(state) {
    if (isOver(state)) return [];
    return state.pot === 0 ? [{ do: 'roll' }] : [{ do: 'roll' }, { do: 'hold' }];
  },
  apply(state, seat, action, random) {
    const refusal = refuseTurn(turnOf(state), seat);
    if (refusal !== null) return refusal;
    const { scores, pot } = state;
    const turn = seat === 0 ? 1 : 0;
    if (action.do === 'roll') {
      const die = 1 + random.integer(6);
      const next = die === 1 ? { scores, pot: 0, turn } : { ...state, pot: pot + die };
      return { state: next as State, events: [] };
    }
    if (pot === 0) return { code: 'illegal_move', error: 'There is nothing to hold' };
    const held = scores.map((score, each) => (each === seat ? score + pot : score));
    return { state: { scores: held, pot: 0, turn }, events: [] };
  },
  outcome({ scores }) {
    const winner = scores.findIndex((score) => score >= GOAL);
    return winner === -1 ? null : wonBy(winner, 'goal_reached', {});
  },
});
`;

export const PIG_GOAL = 'export const GOAL = 20;\n';

export const PIG_BOT = `
import { pickOne } from '@matchd/game';
import { game } from './rules.ts';

export const bot = {
  makeMind: () => ({ choose: ({ state }, random) => pickOne(game.legalActions(state), random) }),
};
`;

/** The files of `pig`, without a bot. */
export const PIG_FILES: Readonly<Record<string, string>> = {
  'pig/rules.ts': PIG,
  'pig/goal.ts': PIG_GOAL,
};

/** Files by their paths below the folder, which is created. */
export function writeGames(root: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(root, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/**
 * A game that misbehaves on demand, so that a test sees what happens to its match: `throw`, `loop`,
 * `slow`, `grow`, `hang` (its views never end) and `late` (replayed three seconds after `at`, it
 * never ends).
 */
export const BAD = `
import { defineGame, oneOf, shape, wholeNumber } from '@matchd/game';

const forever = () => { for (;;); };
const busy = (ms) => { const end = Date.now() + ms; while (Date.now() < end); };

export const game = defineGame({
  id: 'bad',
  seats: 2,
  action: shape({
    do: oneOf('pass', 'throw', 'loop', 'slow', 'grow', 'hang', 'late', 'win'),
    at: wholeNumber(0, 1e13),
  }),
  initial: () => ({ turn: 0, text: '', hangs: false, won: false }),
  turn: ({ turn, won }) => (won ? null : turn),
  legalActions: ({ won }) => (won ? [] : null),
  view(state) {
    if (state.hangs) forever();
    return state;
  },
  apply(state, seat, { do: what, at }) {
    if (what === 'throw') throw new Error('apply threw');
    if (what === 'loop') forever();
    if (what === 'slow') busy(120);
    if (what === 'late' && Date.now() > at + 3_000) forever();
    const next = { ...state, turn: 1 - seat, hangs: what === 'hang', won: what === 'win' };
    return { state: what === 'grow' ? { ...next, text: 'x'.repeat(300_000) } : next, events: [] };
  },
  outcome: ({ won, turn }) =>
    won ? { winners: [1 - turn], places: turn === 0 ? [2, 1] : [1, 2], reason: 'won', detail: {} } : null,
});
`;
