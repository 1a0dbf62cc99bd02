/** One tick of a fight: the next state depends only on the state and both masks. */

import { flyBolts, keepOnStage, meet, passOn, pushApart } from './contact.ts';
import { MASK_MAX } from './controls.ts';
import { act, takeMask } from './fighter.ts';
import { countDown } from './round.ts';
import type { FightState, StateDraft } from './state.ts';

/**
 * The state one tick later. `masks` are by seat; unknown bits are ignored, so any integers are
 * valid. A finished match does not change. Pure: `state` is not changed.
 */
export function step(state: FightState, masks: readonly number[]): FightState {
  if (state.phase === 'over') return state;
  const [first, second] = state.fighters;
  const a = { ...first };
  const b = { ...second };
  const draft: StateDraft = {
    tick: state.tick + 1,
    phase: state.phase,
    left: state.left,
    stop: state.stop,
    fighters: [a, b],
    rounds: state.rounds,
    roundsToWin: state.roundsToWin,
    roundTicks: state.roundTicks,
  };
  const isFight = state.phase === 'fight';
  const aMask = masks[0]! & MASK_MAX;
  const bMask = masks[1]! & MASK_MAX;
  if (isFight) {
    takeMask(a, aMask);
    takeMask(b, bMask);
  } else {
    a.held = aMask;
    b.held = bMask;
  }
  if (draft.stop > 0) draft.stop -= 1;
  else tickBodies(draft, isFight ? aMask : 0, isFight ? bMask : 0);
  countDown(draft);
  return draft;
}

/** Both act by the other's old position, then both move, and only then are hits checked. */
function tickBodies(draft: StateDraft, aMask: number, bMask: number): void {
  const [a, b] = draft.fighters;
  const aX = a.x;
  const bX = b.x;
  const aExcess = act(a, aMask, bX);
  const bExcess = act(b, bMask, aX);
  passOn(aExcess, a, b);
  passOn(bExcess, b, a);
  keepOnStage(a);
  keepOnStage(b);
  pushApart(a, b);
  flyBolts(a, b);
  if (draft.phase === 'fight') draft.stop = meet(a, b);
}
