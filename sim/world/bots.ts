/** The service's own bots on a node; the work of a thinking thread is done on virtual time. */

import type { AnyMind, Question } from '../../game/src/bot.ts';
import type { Json } from '../../game/src/game.ts';
import { makeRandom } from '../../game/src/random.ts';
import { PAUSE_MS, startBotRunner } from '../../src/runtime/bots/runner.ts';
import type { Thinkers } from '../../src/runtime/bots/thinkers.ts';
import type { Answer, Thought } from '../../src/runtime/bots/thought.ts';
import type { LocalHost } from '../../src/runtime/host/match-host.ts';
import type { Randomness } from '../../src/runtime/ports.ts';
import type { Life } from '../kernel/life.ts';
import { simulatedGames } from './games.ts';

/** As in `src/compose.ts`: a bot plays only what this process has. */
export function startBots(local: LocalHost, life: Life, randomness: Randomness): void {
  startBotRunner({
    host: {
      onRest: local.onRest,
      run(session, work) {
        if (local.has(session)) local.run(session, work);
        else work.done({ kind: 'rejected', code: 'unavailable', error: 'The session has moved' });
      },
    },
    thinkers: makeThinkers(life, randomness),
    clock: life.clock,
    randomness,
    pauseMs: PAUSE_MS,
    // A late answer is a fault that is added here.
    onFault() {},
  });
}

/** Positions that a simulated thought examines: a bot's strength does not matter here. */
const NODES = 50;
const THINKS_MS_MAX = 600;
/** One answer in this many comes too late, or from a dead thread. */
const LATE_ONE_IN = 32;

function makeThinkers({ clock }: Life, randomness: Randomness): Thinkers {
  const minds = new Map<string, AnyMind>();
  return {
    think(thought, lateMs, done) {
      const [a, b] = randomness.bytes(2);
      if (a! % LATE_ONE_IN === 0) {
        return clock.after(lateMs, () => done({ ok: false, error: 'The answer came too late' }));
      }
      const ms = Math.min(lateMs, (b! / 255) * THINKS_MS_MAX);
      return clock.after(ms, () => done(answer(minds, thought)));
    },
    stop: async () => {},
  };
}

function answer(minds: Map<string, AnyMind>, { rules, seed, ...asked }: Thought): Answer {
  const mind = minds.get(rules.game) ?? simulatedGames.findPlayed(rules)!.bot!.makeMind();
  minds.set(rules.game, mind);
  const question: Question<Json> = { ...asked, level: 'easy', nodesMax: NODES };
  return {
    ok: true,
    action: mind.choose(
      question,
      makeRandom(seed, () => '', 0),
    ),
  };
}
