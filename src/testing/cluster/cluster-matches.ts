/** Sessions on several nodes, created as over HTTP and entered as by sockets. */

import { findGame, shippedGames } from '../../games/registry.ts';
import { parseOptions } from '../../match/setup.ts';
import type { MatchView } from '../../runtime/host/work.ts';
import { makeIds } from '../../runtime/ids.ts';
import type { SessionDeps } from '../../runtime/sessions/session-deps.ts';
import type { SessionRequest, SessionService } from '../../runtime/sessions/session-service.ts';
import { makeSessionService } from '../../runtime/sessions/sessions.ts';
import type { MatchCommit } from '../../store/store.ts';
import { PLANS } from '../../tenancy/tenant.ts';
import { makeProbe, type Probe, TENANT } from '../matches/match-world.ts';
import { makeSeededRandomness } from '../seeded-randomness.ts';
import { testSeals } from '../test-seals.ts';
import type { ClusterNode, ClusterWorld } from './cluster-world.ts';
import { openClusterWorld } from './cluster-world.ts';

/** Three nodes, and all records they write. */
export async function openThree() {
  const written: MatchCommit[] = [];
  const world = openClusterWorld(undefined, (_, commit) => void written.push(commit));
  const nodes = [
    await world.start('nod_a'),
    await world.start('nod_b'),
    await world.start('nod_c'),
  ] as const;
  await world.pass(1_000);
  return { world, nodes, written };
}

/** A tenant's request: tic-tac-toe of ann and bob. */
export function makeRequest(change: Partial<SessionRequest> = {}): SessionRequest {
  const game = change.game ?? 'tictactoe';
  const options = parseOptions(findGame(game)!, {});
  if ('field' in options) throw new Error(options.field);
  return {
    tenant: TENANT,
    mode: 'live',
    game,
    matchType: 'private',
    variant: 'standard',
    seats: 2,
    options,
    metadata: null,
    theme: null,
    players: ['ann', 'bob'].map((id) => ({ id, displayName: null })),
    limits: PLANS.starter,
    ...change,
  };
}

/** A node's sessions, as over HTTP. */
export function serviceAt(
  world: ClusterWorld,
  node: ClusterNode,
  seed: number,
  onErased: SessionDeps['onErased'] = () => {},
): SessionService {
  const randomness = makeSeededRandomness(seed);
  return makeSessionService({
    seals: testSeals,
    games: shippedGames,
    store: node.store,
    host: node.host,
    clock: world.clock,
    randomness,
    node: node.name,
    bots: { listSeatableBots: async () => [] },
    makeId: makeIds(world.clock, randomness),
    onErased,
  });
}

/** A player joins by the session's code. */
export function joinAt({ join }: SessionService, { row }: MatchView, player: string) {
  const { tenant, mode, roomCode, game } = row;
  const named = { id: player, displayName: null };
  return join({ tenant, mode, roomCode, game, player: named }, null);
}

/** Creates a session on a node, as over HTTP; returns its id. */
export async function createAt(
  world: ClusterWorld,
  node: ClusterNode,
  request = makeRequest(),
): Promise<string> {
  const made = await serviceAt(world, node, 7).create(request, null);
  if (!made.ok) throw new Error(made.refusal);
  return made.value.row.id;
}

/**
 * A socket's place in a session, which it regains whenever it is lost. `player` is the player of
 * the seat, as in socket messages.
 */
export function enterAt(
  node: ClusterNode,
  session: string,
  viewer: number | null,
  player: string | null = null,
): Probe {
  const probe = Object.assign(makeProbe(viewer), { player });
  const show = (): void =>
    node.host.attach(session, probe, ({ kind }) => {
      if (kind !== 'done' || node.host.askState(session, probe)) return;
      const texts = node.host.stateFor(session, viewer);
      if (texts.length > 0) probe.send(texts);
    });
  probe.lost = show;
  show();
  return probe;
}
