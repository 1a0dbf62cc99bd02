/** Fights in a match world: two headless players, and watchers. */

import { makeRandom } from '../../../game/src/random.ts';
import { makeMasher } from '../../games/fight-arena/fight.test-kit.ts';
import type { FightState } from '../../games/fight-arena/state.ts';
import { shippedGames } from '../../games/registry.ts';
import { foldSession } from '../../match/evolve.ts';
import type { Entry } from '../../match/record.ts';
import type { Session } from '../../match/session.ts';
import { TEST_SEED } from '../test-seed.ts';
import type { AnyFrame, FightPlayer } from './fight-player.ts';
import { makeFightPlayer } from './fight-player.ts';
import type { Probe, SessionWish, World } from './match-world.ts';
import { connect, createSession, logOf, settle } from './match-world.ts';

/** A player's socket, and the player behind it. */
export interface Fighter {
  readonly probe: Probe;
  readonly player: FightPlayer;
}

export const FIGHT: SessionWish = {
  setup: { game: 'fight-arena', options: { roundSeconds: 10, roundsToWin: 1 } },
};

/** How often players check their clocks. */
const POLL_MS = 10;

/** Random inputs, the same in every run of one seed. */
export function masher(name: string): () => number {
  return makeMasher(makeRandom(`${TEST_SEED}`, () => name, 0));
}

/** A socket for a seat, and a player who plays by its frames. */
export async function enter(
  world: World,
  id: string,
  seat: number | null,
  press: () => number = masher(`seat ${seat}`),
): Promise<Fighter> {
  const probe = await connect(world, id, seat);
  const player = makeFightPlayer({
    session: id,
    masher: press,
    now: world.clock.now,
    send(frame) {
      sendTo(world, id, probe, player, frame as AnyFrame);
      return true;
    },
  });
  for (const text of world.host.stateFor(id, seat)) player.receive(JSON.parse(text));
  probe.take();
  return { probe, player };
}

function sendTo(
  world: World,
  id: string,
  probe: Probe,
  player: FightPlayer,
  frame: AnyFrame,
): void {
  if (frame.t === 'sync') {
    for (const text of world.host.stateFor(id, probe.viewer)) player.receive(JSON.parse(text));
    return;
  }
  const refusal = world.host.hold(id, probe.viewer!, Number(frame['from']), frame['masks']);
  if (refusal !== null) player.receive({ t: 'reject', code: refusal.code });
}

/** A running fight, with both players connected. */
export async function startFight(
  world: World,
  id: string,
  wish: SessionWish = FIGHT,
): Promise<[Fighter, Fighter]> {
  await createSession(world, id, wish);
  const first = await enter(world, id, 0);
  const second = await enter(world, id, 1);
  hear([first]);
  return [first, second];
}

/** All process their frames. Returns them, for watchers. */
export function hear(fighters: readonly Fighter[]): void {
  for (const { probe, player } of fighters) {
    for (const frame of probe.take()) player.receive(frame);
  }
}

/** Advances time, and all players play; a seat without a player is idle. */
export async function fight(
  world: World,
  fighters: readonly Fighter[],
  ms: number,
  isEnough: () => boolean = () => false,
): Promise<void> {
  for (let passed = 0; passed < ms && !isEnough(); passed += POLL_MS) {
    world.clock.advance(POLL_MS);
    await settle();
    hear(fighters);
    for (const { player } of fighters) player.play();
    await settle();
    hear(fighters);
  }
}

/** The session folded from the stored log. */
export async function storedSession(world: World, id: string): Promise<Session> {
  return foldSession(shippedGames.findPlayed, id, await logOf(world, id));
}

export async function storedState(world: World, id: string): Promise<FightState> {
  const session = await storedSession(world, id);
  if (session.status === 'pending' || session.play === null) throw new Error('It never began');
  return session.play.state as unknown as FightState;
}

/** Every batch in the log: where it begins and how many ticks it has. */
export function batchesOf(entries: readonly Entry[]): readonly { from: number; count: number }[] {
  return entries.flatMap(({ record }) => {
    if (record.k !== 'ticks') return [];
    return [{ from: record.from, count: record.runs.reduce((sum, run) => sum + run.at(-1)!, 0) }];
  });
}
