/** A thread that thinks: a question in, an action out. It has no clock and keeps no session. */

import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { AnyMind } from '../../../game/src/bot.ts';
import { makeRandom } from '../../../game/src/random.ts';
import type { Rules, RulesRef } from '../../games/games.ts';
import { shippedGames } from '../../games/registry.ts';
import type { Answer, Thought } from './thought.ts';

/** Players' moves come first: a thinker gets what time is left. Linux nices a thread alone. */
const NICE = 10;
if (os.platform() === 'linux') os.setPriority(0, NICE);

const minds = new Map<Rules, AnyMind>();
const port = parentPort!;

port.on('message', (thought: Thought) => {
  port.postMessage(answer(thought));
});

function answer({ rules, seed, ...question }: Thought): Answer {
  try {
    const mind = mindOf(rules);
    if (mind === null) return { ok: false, error: `Nobody here plays ${rules.game}` };
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
function mindOf(ref: RulesRef): AnyMind | null {
  const rules = shippedGames.findPlayed(ref);
  if (rules === null) return null;
  const known = minds.get(rules);
  if (known !== undefined) return known;
  const mind = rules.bot?.makeMind() ?? null;
  if (mind !== null) minds.set(rules, mind);
  return mind;
}
