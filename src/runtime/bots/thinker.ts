/** A thinking thread: a question in, an action out. It has no clock and stores no session. */

import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { AnyMind } from '../../../game/src/bot.ts';
import { makeRandom } from '../../../game/src/random.ts';
import type { Rules, RulesRef } from '../../games/games.ts';
import { shippedGames } from '../../games/registry.ts';
import { loadRules } from '../games/thread-rules.ts';
import type { Answer, ThinkRequest } from './thought.ts';

/** Players' moves come first, so a thinker runs at low priority. Linux can renice a single thread. */
const NICE = 10;
if (os.platform() === 'linux') os.setPriority(0, NICE);

const minds = new Map<Rules, AnyMind>();
/** The operator's rules that this thread has loaded, by `nameOf`. */
const loaded = new Map<string, Rules>();
const port = parentPort!;

port.on('message', async (asked: ThinkRequest) => {
  port.postMessage(await answer(asked));
});

async function answer({ rules: ref, seed, files, ...question }: ThinkRequest): Promise<Answer> {
  try {
    if (files !== undefined) loaded.set(nameOf(ref), await loadRules(ref, files));
    const mind = mindOf(loaded.get(nameOf(ref)) ?? shippedGames.findPlayed(ref));
    if (mind === null) return { ok: false, error: `Nobody here plays ${ref.game}` };
    const action = mind.choose(
      question,
      makeRandom(seed, () => '', 0),
    );
    return { ok: true, action };
  } catch (error) {
    return { ok: false, error: String(error) };
  }
}

/** One bot instance per game, with the tables that it fills. */
function mindOf(rules: Rules | null): AnyMind | null {
  if (rules === null) return null;
  const known = minds.get(rules);
  if (known !== undefined) return known;
  const mind = rules.bot?.makeMind() ?? null;
  if (mind !== null) minds.set(rules, mind);
  return mind;
}

function nameOf({ game, rulesVersion, rulesHash }: RulesRef): string {
  return `${game} ${rulesVersion} ${rulesHash}`;
}
