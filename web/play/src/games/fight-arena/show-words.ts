/** The fight board's texts: messages over the stage, announcements for screen readers, and connection figures. */

import type { FightState, Round } from '../../../../../src/games/fight-arena/state.ts';
import { countWins } from '../../../../../src/games/fight-arena/state.ts';
import type { Key } from '../../i18n/translate.ts';
import type { BoardHost } from '../board-view.ts';
import { bannerOf, stallBanner } from './banner.ts';
import type { Ring } from './ring.ts';
import { mayTrain } from './ring.ts';

/** The figures are updated at this interval. Milliseconds. */
const LINE_MS = 500;

export function showWords(ring: Ring, now: number): void {
  const { hud, shown, host, fight } = ring;
  const names = [host.nameOf(0), host.nameOf(1)];
  hud.show(shown, names);
  showTraining(ring, mayTrain(ring));
  hud.call(callOf(ring, names, now));
  if (fight?.confirmed != null) announceRounds(ring, fight.confirmed);
  if (now - ring.lineAt < LINE_MS) return;
  ring.lineAt = now;
  const stats = fight?.stats ?? null;
  if (stats === null || host.live === undefined) hud.setFigures(null);
  else hud.setFigures({ ...stats, roundTripMs: host.live.roundTripMs() });
}

function showTraining({ display, training, shown, hud, host }: Ring, isAllowed: boolean): void {
  training.show(shown, {
    data: isAllowed && display.frameData,
    inputs: isAllowed && display.inputs,
  });
  hud.showLine(host.live !== undefined && display.netFigures);
}

function callOf({ fight, host, shown, state, watch, overFor }: Ring, names: string[], now: number) {
  const isOver = state?.result != null;
  if (host.live !== undefined && !isOver) {
    // Before the first state the page itself says what it waits for.
    if (fight?.confirmed == null) return null;
    const stall = shown.phase === 'over' ? null : watch.check(shown.tick, fight.resumesInMs, now);
    if (stall !== null) return stallBanner(stall, host.t);
  }
  // A resignation ends the match during a round.
  return isOver && shown.phase !== 'over' ? null : bannerOf(shown, names, overFor, host.t);
}

/** Rounds are announced once their end is confirmed by the server. */
function announceRounds(ring: Ring, certain: FightState): void {
  const { host } = ring;
  const { rounds, phase } = certain;
  if (rounds.length > ring.announcedRounds) {
    host.say(roundWords(rounds.at(-1)!, rounds.length, countWins(certain), host));
  }
  ring.announcedRounds = rounds.length;
  const number = rounds.length + 1;
  if (phase !== 'ready' || ring.calledRound === number) return;
  ring.calledRound = number;
  host.say(host.t('fight.round', { number }));
}

const ROUND_WORDS: Readonly<Record<Round['by'], Key>> = {
  knockout: 'fight.sayKo',
  time: 'fight.sayTime',
  double_knockout: 'fight.sayEven',
  equal_health: 'fight.sayEven',
};

function roundWords(
  { winner, by }: Round,
  number: number,
  [first, second]: readonly [number, number],
  { t, nameOf }: BoardHost,
): string {
  const name = winner === null ? '' : nameOf(winner);
  return t(ROUND_WORDS[by], { number, name, first, second });
}

/** The disconnected one of the other players. */
export function awayName({ host, state }: Ring): string | null {
  if (host.live === undefined || state === null) return null;
  const away = host.live.awaySeat();
  return away === null ? null : host.nameOf(away);
}
