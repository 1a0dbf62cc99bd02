/** Events of the games match their published schemas. */

import { expect, test } from 'bun:test';
import { type AnyGame, type GameEvent, isRefusal } from '../../game/src/game.ts';
import { makeRandom } from '../../game/src/random.ts';
import { makeAllSetups, playRandomly } from '../../game/src/testing/random-play.ts';
import { checkers } from '../games/checkers/checkers.ts';
import { isFenFault, parseFen } from '../games/checkers/fen.ts';
import { RULE_SETS } from '../games/checkers/rule-sets.ts';
import { playOf } from '../games/plays.test-kit.ts';
import { findGame, GAME_IDS } from '../games/registry.ts';
import { EVENT_DATA } from './answers/event-answers.ts';

/** How many setups of a game are played: some games have hundreds. */
const SETUPS_MAX = 8;
/** They are played in turn until this many positions were seen: short games often, long ones once. */
const POSITIONS_MIN = 2_000;

/** What the published schema finds wrong with an event; null for nothing. */
function faultOf({ type, data }: GameEvent): string | null {
  const schema = EVENT_DATA[type as keyof typeof EVENT_DATA];
  if (schema === undefined) return `${type}: not published`;
  const read = schema.safeParse(data);
  return read.success ? null : `${type} ${JSON.stringify(data)}: ${read.error.message}`;
}

function* eventsOf(game: AnyGame): Generator<GameEvent> {
  const all = makeAllSetups(game);
  const step = Math.ceil(all.length / SETUPS_MAX);
  const setups = all.filter((_, index) => index % step === 0);
  const play = playOf(game.id);
  for (let n = 0, seen = 0; n < setups.length || seen < POSITIONS_MIN; n++) {
    const setup = setups[n % setups.length]!;
    const chooser = makeRandom(`${game.id} ${n}`, () => 'events', 0);
    const { positions } = playRandomly({ game, play, setup, secret: `${n}`, chooser });
    seen += positions.length;
    for (const { events } of positions) yield* events;
  }
}

for (const id of GAME_IDS) {
  test(`[E1] the events of ${id}, played at random, match its schemas`, () => {
    const faults = new Set<string>();
    for (const event of eventsOf(findGame(id)!)) {
      const fault = faultOf(event);
      if (fault !== null) faults.add(fault);
    }
    expect([...faults]).toEqual([]);
  });
}

test('[E1][G-CHK] a man is crowned on the last row of either seat, also on the large board', () => {
  const rows = [
    ['international', 'W:W6:B41', 0, 1],
    ['international', 'B:W6:B41', 1, 90],
    ['international', 'B:W6:B45', 1, 98],
  ] as const;
  for (const [variant, fen, seat, square] of rows) {
    const rules = RULE_SETS[variant];
    const position = parseFen(rules.dialect, fen);
    if (isFenFault(position)) throw new Error(position.error);
    const state = rules.begin(position);
    const told = checkers.legalActions(state)!.flatMap((action) => {
      const applied = checkers.apply(state, seat, action, null as never);
      return isRefusal(applied) ? [] : (applied.events ?? []);
    });
    expect(told).toContainEqual({ type: 'checkers.crowned', data: { seat, square } });
    expect(told.map(faultOf)).toEqual(told.map(() => null));
  }
});
