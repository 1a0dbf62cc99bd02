/** A match as it is exported, and verified elsewhere (rules S7, S9). */

import type { Seat } from '../../../game/src/game.ts';
import { hashJson } from '../../../game/src/json.ts';
import { sha256Hex } from '../../../game/src/random.ts';
import { findStandIn, type Games } from '../../games/games.ts';
import { gameOf, tickGameOf } from '../evolve.ts';
import { makeTime } from '../frames/frames.ts';
import type { Entry } from '../record.ts';
import { makeResult } from '../result.ts';
import { seatOrder } from '../seating.ts';
import type { Roster, Session } from '../session.ts';
import { entropyOf } from '../session.ts';
import type { Fairness, Replay } from './replay-form.ts';
import type { ReplayControl, ReplayInput, ReplayTicks } from './rerun.ts';
import type { ReplayCheck } from './verify.ts';
import { drawChance, verifyStepwise } from './verify.ts';

export function makeFairness(session: Session): Fairness {
  const { seed } = session.setup;
  return {
    commitment: sha256Hex(seed),
    seed: session.status === 'ended' ? seed : null,
    entropy: entropyOf(session),
  };
}

export function makeReplay(session: Session, roster: Roster, entries: readonly Entry[]): Replay {
  const { setup } = session;
  const play = session.status === 'pending' ? null : session.play;
  const replay: Replay = {
    sessionId: session.id,
    rulesVersion: setup.rulesVersion,
    ...(setup.rulesHash === undefined ? null : { rulesHash: setup.rulesHash }),
    game: setup.game,
    variant: setup.variant,
    seats: setup.seats,
    options: setup.options,
    players: session.seats.flatMap(({ taken, isBot }, seat) => {
      const player = roster[seat];
      if (!taken) return [];
      return [{ id: player?.id ?? null, displayName: player?.displayName ?? null, seat, isBot }];
    }),
    fairness: makeFairness(session),
    drawnSeats: setup.seating === 'drawn' ? takenSeats(session) : null,
    inputs: entries.flatMap(toInput),
    ...(tickGameOf(session) === null ? null : { ticks: entries.flatMap(toTicks) }),
    controls: entries.flatMap(toControl),
    hash: play === null ? null : hashJson(play.state),
    result: session.status === 'ended' ? makeResult(session, roster) : null,
  };
  const { seed } = replay.fairness;
  if (seed === null) return { ...replay, chance: null };
  const startedV = entries.find(({ record }) => record.k === 'started')?.v ?? 0;
  const chance = play?.drawn ? drawChance(gameOf(session), replay, seed, startedV) : [];
  return { ...replay, chance };
}

/** In the order drawn, which is the order in which they were taken if nobody left. */
function takenSeats({ setup, seats }: Session): readonly Seat[] {
  return seatOrder(setup).filter((seat) => seats[seat]!.taken);
}

function toInput({ v, at, record }: Entry): ReplayInput[] {
  if (record.k !== 'action') return [];
  return [{ v, at: makeTime(at), seat: record.seat, action: record.action }];
}

function toTicks({ v, at, record }: Entry): ReplayTicks[] {
  if (record.k !== 'ticks') return [];
  return [{ v, at: makeTime(at), from: record.from, runs: record.runs }];
}

function toControl({ v, at, record }: Entry): ReplayControl[] {
  switch (record.k) {
    case 'missed':
      return [{ v, at: makeTime(at), seat: record.seat, kind: 'missed' }];
    case 'forfeited':
      return [{ v, at: makeTime(at), seat: record.seat, kind: record.reason }];
    case 'draw':
      return [{ v, at: makeTime(at), seat: record.seat, kind: `draw_${record.do}` }];
    default:
      return [];
  }
}

/** Replays a match and compares: `verifyStepwise` for any game. */
export function* verifyReplayStepwise(
  games: Games,
  replay: Replay,
  secretSeed: string | null = null,
): Generator<number, ReplayCheck> {
  const game = findStandIn(games, replay)?.game ?? null;
  if (game === null) return { ok: false, v: null, error: `There is no engine for ${replay.game}` };
  return (yield* verifyStepwise(game, replay, secretSeed)).check;
}

/** The same without steps. */
export function verifyReplay(
  games: Games,
  replay: Replay,
  secretSeed: string | null = null,
): ReplayCheck {
  const course = verifyReplayStepwise(games, replay, secretSeed);
  for (;;) {
    const { done, value } = course.next();
    if (done === true) return value;
  }
}
