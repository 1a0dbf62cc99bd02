/** Two players and a server over a slow, uneven and lossy network; time is simulated. */

import type { Random } from '../../../game/src/random.ts';
import { advance, parseMasks } from '../../../game/src/tick-game.ts';
import { MASK_MAX } from '../fight-arena/controls.ts';
import { fightArena } from '../fight-arena/fight-arena.ts';
import type { FightState } from '../fight-arena/state.ts';
import { step } from '../fight-arena/step.ts';
import type { Collector } from './collector.ts';
import { makeCollector } from './collector.ts';
import { makeFeed } from './feed.ts';
import type { Rollback, TicksFrame } from './rollback.ts';
import { makeRollback } from './rollback.ts';

export interface Network {
  /** One way, in milliseconds, and the largest random addition. */
  readonly latencyMs: number;
  readonly jitterMs: number;
  /** In this many of 1,000 frames a packet is lost and retransmitted later. */
  readonly lossPerMille: number;
  /** This many of 1,000 frames never arrive, as when a connection breaks. */
  readonly dropPerMille: number;
  /** How long the store takes for a commit. */
  readonly commitMs: number;
  /** The error of the players' clocks, by seat. */
  readonly clockErrorMs: readonly [number, number];
  readonly delayTicks: number;
}

export const GOOD: Network = {
  latencyMs: 20,
  jitterMs: 5,
  lossPerMille: 0,
  dropPerMille: 0,
  commitMs: 10,
  clockErrorMs: [0, 0],
  delayTicks: 2,
};

const RETRANSMISSION_MS = 200;
const SESSION = 'ses_01jd3k0000000000000000000000'.slice(0, 30);
/** The server checks its clock 20 times a second, and whenever a frame arrives. */
const SERVER_MS = 50;
const MS_PER_TICK = 1_000 / 60;

interface Parcel {
  readonly at: number;
  readonly deliver: () => void;
}

/** Frames of one connection arrive in the order in which they were sent. */
interface Link {
  lastAt: number;
  bytes: number;
  frames: number;
}

interface Player {
  readonly rollback: Rollback<FightState>;
  readonly masher: () => number;
  readonly up: Link;
  readonly down: Link;
  hasAsked: boolean;
}

export interface World {
  readonly players: readonly [Player, Player];
  /** What the server has played, and what the log would replay. */
  readonly live: () => FightState;
  readonly logged: () => FightState;
  readonly collector: Collector;
  readonly elapsedMs: () => number;
}

/** Plays a match, or up to `ticksMax`, and lets everything under way arrive. */
export function playOver(
  network: Network,
  mashers: readonly [() => number, () => number],
  random: Random,
  ticksMax = Number.POSITIVE_INFINITY,
): World {
  const opening = fightArena.initial({
    variant: 'standard',
    seats: 2,
    options: { roundSeconds: 30, roundsToWin: 2 },
  });
  const parcels: Parcel[] = [];
  const collector = makeCollector(2, 0);
  const feed = makeFeed(fightArena.ticks, opening);
  let now = 0;
  let live = opening;
  let logged = opening;
  const players = [0, 1].map(
    (seat): Player => ({
      rollback: makeRollback({
        step,
        hash: fightArena.ticks.hash,
        tickOf: fightArena.ticks.tickOf,
        seats: 2,
        seat,
        state: opening,
        delayTicks: network.delayTicks,
      }),
      masher: mashers[seat as 0 | 1],
      up: { lastAt: 0, bytes: 0, frames: 0 },
      down: { lastAt: 0, bytes: 0, frames: 0 },
      hasAsked: false,
    }),
  ) as unknown as readonly [Player, Player];

  const send = (link: Link, text: string, deliver: () => void): void => {
    link.bytes += text.length;
    link.frames += 1;
    if (random.integer(1_000) < network.dropPerMille) return;
    const isLost = random.integer(1_000) < network.lossPerMille;
    const travel = network.latencyMs + random.integer(network.jitterMs + 1);
    const at = now + travel + (isLost ? RETRANSMISSION_MS : 0);
    link.lastAt = Math.max(link.lastAt, at);
    parcels.push({ at: link.lastAt, deliver });
  };
  const tell = (player: Player, frame: TicksFrame): void => {
    const text = JSON.stringify({ t: 'ticks', s: SESSION, ...frame });
    send(player.down, text, () => player.rollback.receive(JSON.parse(text)));
  };
  const ask = (player: Player): void => {
    player.hasAsked = true;
    // Like the socket's own retry: a lost request is made again.
    send(player.up, JSON.stringify({ t: 'sync', s: SESSION }), () => {
      const state = logged;
      const rest = feed.rest();
      send(player.down, '', () => {
        player.rollback.restart(state);
        player.hasAsked = false;
        if (rest !== null) player.rollback.receive(rest);
      });
    });
  };
  const dueTick = (at: number): number => Math.floor(at / MS_PER_TICK);

  const serve = (isLast: boolean): void => {
    if (!feed.isFull()) {
      for (const masks of collector.take(dueTick(now))) {
        if (live.phase === 'over' || live.tick >= ticksMax) break;
        live = step(live, masks);
        feed.add(masks, live);
      }
    }
    const isOver = isLast || live.phase === 'over';
    const frame = feed.frame(isOver);
    if (frame !== null) for (const player of players) tell(player, frame);
    const batch = feed.batch(isOver);
    if (batch === null) return;
    parcels.push({
      at: now + network.commitMs,
      deliver: () => {
        if (fightArena.ticks.tickOf(logged) !== batch.from) throw new Error('a gap in the log');
        logged = advance(fightArena, logged, batch.runs).state;
        feed.committed(logged.tick);
      },
    });
  };

  const play = (player: Player, seat: 0 | 1): void => {
    const { rollback } = player;
    if (rollback.syncReason() !== null) {
      if (!player.hasAsked || random.integer(60) === 0) ask(player);
      return;
    }
    const target = dueTick(now + network.clockErrorMs[seat]);
    while (rollback.shown().tick < target) {
      const before = rollback.shown().tick;
      if (!rollback.tick(player.masher())) break;
      if (rollback.shown().tick === before) break;
    }
    const masks = rollback.outgoing();
    if (masks === null) return;
    const text = JSON.stringify({ t: 'in', s: SESSION, ...masks });
    send(player.up, text, () => {
      const checked = parseMasks(masks.masks, { maskMax: MASK_MAX, ticksMax: 60 });
      if (checked === null) throw new Error(`junk sent: ${text}`);
      collector.accept(seat, masks.from, checked, dueTick(now));
      serve(false);
    });
  };

  const arrive = (): void => {
    parcels.sort((a, b) => a.at - b.at);
    while (parcels.length > 0 && parcels[0]!.at <= now) parcels.shift()!.deliver();
  };

  const isOver = (): boolean => live.phase === 'over' || live.tick >= ticksMax;
  let elapsedMs = 0;
  for (now = 0; !isOver(); now += 4) {
    if (now > 1_000_000) throw new Error('The match does not end');
    arrive();
    for (const seat of [0, 1] as const) play(players[seat], seat);
    if (now % SERVER_MS < 4) serve(false);
    elapsedMs = now;
  }
  // Nothing new is played; frames under way arrive, and players who lost something resync.
  for (const end = now + 5_000; now < end; now += 4) {
    arrive();
    if (now % SERVER_MS < 4) serve(true);
    for (const player of players) {
      const isBehind = player.rollback.confirmed().tick < live.tick;
      const isLate = now > end - 4_000 && random.integer(100) === 0;
      if (player.rollback.syncReason() !== null || (isBehind && isLate)) ask(player);
    }
  }
  return {
    players,
    live: () => live,
    logged: () => logged,
    collector,
    elapsedMs: () => elapsedMs,
  };
}
