/** The files that `matchd games new` begins with: a whole small game, with its test. */

/**
 * Files of the folder of all games, by their names. Written once, and not changed when they exist.
 */
export const FOLDER_FILES: Readonly<Record<string, string>> = {
  'package.json': `{
  "name": "my-games",
  "private": true,
  "type": "module",
  "scripts": {
    "test": "node --test"
  },
  "dependencies": {
    "@matchd/game": "file:.matchd/game"
  }
}
`,
  'tsconfig.json': `{
  "compilerOptions": {
    "target": "es2024",
    "lib": ["es2024", "dom"],
    "module": "nodenext",
    "moduleResolution": "nodenext",
    "strict": true,
    "noEmit": true,
    "allowImportingTsExtensions": true,
    "skipLibCheck": true,
    "types": []
  },
  "include": ["**/*.ts"],
  "exclude": ["node_modules", ".matchd"]
}
`,
  'node.d.ts': `/** What the tests use of Node: enough for an editor, until @types/node is installed. */

declare module 'node:test' {
  export function test(name: string, run: () => void | Promise<void>): void;
}
declare module 'node:assert/strict' {
  export function deepEqual(found: unknown, wanted: unknown): void;
  export function equal(found: unknown, wanted: unknown): void;
}
`,
  '.gitignore': `node_modules/
`,
  'README.md': `# My games

Each folder with a \`rules.ts\` is a game for matchd. The folder's name is the game's id.

\`\`\`
matchd dev --games .            play: the game reloads when you save
npm test                        the tests, on Node 22.18 or newer; or: bun test
matchd games check --games .    10,000 random games, 100,000 hostile inputs, two engines
matchd games freeze NAME --games .    before the rules become other rules
\`\`\`

\`.matchd/game\` is the package \`@matchd/game\`, which the rules are written with; its README lists every member of a
game. \`matchd games new\` brings it up to date.
`,
};

/** Files of one game, by their names. */
export function gameFiles(id: string): Readonly<Record<string, string>> {
  const title = id
    .split('-')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join(' ');
  return {
    'rules.ts': RULES.replaceAll('GAME_ID', id),
    'rules.test.ts': TEST,
    'strings.json': strings(title),
  };
}

function strings(title: string): string {
  return `${JSON.stringify({ en: { name: title } }, null, 2)}\n`;
}

const RULES = `/**
 * A race with a die. The player to move rolls as often as they dare, and holds to keep the points of the turn. A one
 * loses them. The first to reach the goal wins.
 */

import { defineGame, illegalMove, oneOf, ranked, refuseTurn, shape } from '@matchd/game';

/** All of a position, as plain JSON. */
export type State = {
  readonly goal: number;
  /** Points by seat. */
  readonly scores: readonly number[];
  /** Points of the turn so far. */
  readonly pot: number;
  readonly turn: number;
};

/** What a player may do. */
export type Action = { readonly do: 'roll' | 'hold' };

const ROLL: Action = { do: 'roll' };
const HOLD: Action = { do: 'hold' };

function isOver({ goal, scores }: State): boolean {
  return scores.some((score) => score >= goal);
}

function turnOf(state: State): number | null {
  return isOver(state) ? null : state.turn;
}

function passTurn(state: State): State {
  return { ...state, pot: 0, turn: (state.turn + 1) % state.scores.length };
}

export const game = defineGame<State, Action>({
  id: 'GAME_ID',
  // Raised whenever the same actions would give another game: first "matchd games freeze GAME_ID".
  rulesVersion: 1,
  seats: 2,
  options: { goal: { kind: 'integer', min: 10, max: 200, default: 50 } },
  action: shape({ do: oneOf('roll', 'hold') }),
  notation: (action) => action.do,
  initial: ({ seats, options }) => ({
    goal: Number(options['goal']),
    scores: Array.from({ length: seats }, () => 0),
    pot: 0,
    turn: 0,
  }),
  turn: turnOf,
  legalActions(state) {
    if (isOver(state)) return [];
    return state.pot === 0 ? [ROLL] : [ROLL, HOLD];
  },
  apply(state, seat, action, random) {
    const refusal = refuseTurn(turnOf(state), seat);
    if (refusal !== null) return refusal;
    if (action.do === 'hold') {
      if (state.pot === 0) return illegalMove('There is nothing to hold');
      const scores = state.scores.with(seat, state.scores[seat]! + state.pot);
      return { state: passTurn({ ...state, scores }), events: [] };
    }
    const die = 1 + random.integer(6);
    const next = die === 1 ? passTurn(state) : { ...state, pot: state.pot + die };
    return { state: next, events: [] };
  },
  outcome: (state) => (isOver(state) ? ranked(state.scores, 'goal_reached') : null),
});
`;

const TEST = `/** The game under the contract of all games, and by its own rules. */

import { deepEqual, equal } from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal, type Random } from '@matchd/game';
import { gameContractChecks } from '@matchd/game/testing';
import { type Action, game, type State } from './rules.ts';

for (const { what, run } of gameContractChecks(game)) test(what, run);

const setup = { variant: 'standard', seats: 2, options: { goal: 10 } };
const start = game.initial(setup);

/** A die that shows this. */
function die(shown: number): Random {
  return { integer: () => shown - 1 };
}

function act(state: State, seat: number, action: Action, random: Random = die(6)): State {
  const applied = game.apply(state, seat, action, random);
  if (isRefusal(applied)) throw new Error(applied.error);
  return applied.state;
}

test('a roll adds to the pot, and the turn stays', () => {
  deepEqual(act(start, 0, { do: 'roll' }, die(4)), { ...start, pot: 4 });
});

test('a one loses the pot and passes the turn on', () => {
  const rolled = act(start, 0, { do: 'roll' }, die(5));
  deepEqual(act(rolled, 0, { do: 'roll' }, die(1)), { ...start, turn: 1 });
});

test('holding keeps the pot; the first to reach the goal wins', () => {
  const rolled = act(act(start, 0, { do: 'roll' }), 0, { do: 'roll' });
  const held = act(rolled, 0, { do: 'hold' });
  deepEqual(held.scores, [12, 0]);
  deepEqual(game.outcome(held)?.winners, [0]);
  equal(game.turn(held), null);
});
`;
