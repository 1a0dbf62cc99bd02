/** A thread that thinks: a question in, an action out. It has no clock and keeps no session. */

import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { AnyMind } from '../../../game/src/bot.ts';
import type { GameId } from '../../../game/src/game.ts';
import { makeRandom } from '../../../game/src/random.ts';
import { findBot } from '../../games/registry.ts';
import type { Answer, Thought } from './thought.ts';

/** Players' moves come first: a thinker gets what time is left. Linux nices a thread alone. */
const NICE = 10;
if (os.platform() === 'linux') os.setPriority(0, NICE);

const minds = new Map<GameId, AnyMind>();
const port = parentPort!;

port.on('message', (thought: Thought) => {
  port.postMessage(answer(thought));
});

function answer({ game, seed, ...question }: Thought): Answer {
  try {
    const mind = mindOf(game);
    if (mind === null) return { ok: false, error: `Nobody here plays ${game}` };
    const action = mind.choose(
      question,
      makeRandom(seed, () => '', 0),
    );
    return { ok: true, action };
  } catch (error) {
    return { ok: false, error: String(error) };
  }
}

/** One mind a game, with the tables that it fills. */
function mindOf(game: GameId): AnyMind | null {
  const known = minds.get(game);
  if (known !== undefined) return known;
  const mind = findBot(game)?.makeMind() ?? null;
  if (mind !== null) minds.set(game, mind);
  return mind;
}
