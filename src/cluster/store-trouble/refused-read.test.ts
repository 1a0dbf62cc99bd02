/**
 * A store that refuses at once, for seconds, as during a fail-over: no player is charged for that.
 */

import { expect, test } from 'bun:test';
import { findGame } from '../../games/registry.ts';
import { parseOptions, type SessionOptions } from '../../match/setup.ts';
import {
  createAt,
  enterAt,
  makeRequest,
  openThree,
} from '../../testing/cluster/cluster-matches.ts';
import type { ClusterNode, ClusterWorld } from '../../testing/cluster/cluster-world.ts';
import { mark } from '../../testing/matches/match-world.ts';

const options = parseOptions(findGame('tictactoe')!, {
  turnTimeoutMs: 30_000,
  disconnectGraceMs: 3_600_000,
}) as SessionOptions;

/** O is on move in a match on the node, and both are shown it there. */
async function openTurn(world: ClusterWorld, node: ClusterNode) {
  const id = await createAt(world, node, makeRequest({ options }));
  const x = enterAt(node, id, 0);
  const o = enterAt(node, id, 1);
  await world.pass(500);
  node.host.play(id, 0, mark(4), x);
  await world.pass(10);
  return { id, x, o };
}

/** No other node takes the match over. */
function leaveAlone(nodes: readonly ClusterNode[]): void {
  for (const each of nodes) each.host.maintain = async () => {};
}

async function refuse(world: ClusterWorld, { faults }: ClusterNode, ms: number): Promise<void> {
  faults.failLoads = true;
  await world.pass(ms);
  faults.failLoads = false;
}

async function recordsOf(world: ClusterWorld, id: string) {
  return (await world.kept.loadSession(id))!.entries.map(({ record }) => record);
}

test('[P6] a player loses no turn time who returns in time to a sleeping match while the store refuses all reads for four seconds', async () => {
  const { world, nodes } = await openThree();
  const [a, b, c] = nodes;
  const { id, x, o } = await openTurn(world, a);
  a.host.detach(id, x);
  a.host.detach(id, o);
  // Three seconds are left to O.
  await world.pass(27_000);
  leaveAlone([a, c]);
  const refused = refuse(world, b, 4_000);
  const y = enterAt(b, id, 1);
  await refused;
  await world.pass(1_500);
  expect((await recordsOf(world, id)).some(({ k }) => k === 'forfeited')).toBe(false);
  b.host.play(id, 1, mark(0), y);
  await world.pass(500);
  const records = await recordsOf(world, id);
  expect(records.at(-1)!.k).toBe('action');
});

test('[P6] a command sent in time that the store refuses, with all later reads for four seconds, does not end the turn', async () => {
  const { world, nodes } = await openThree();
  const [a] = nodes;
  const { id, o } = await openTurn(world, a);
  leaveAlone(nodes.slice(1));
  await world.pass(27_000);
  a.faults.next.push('unknown_lost');
  const refused = refuse(world, a, 4_000);
  a.host.play(id, 1, mark(0), o);
  await refused;
  await world.pass(1_500);
  expect((await recordsOf(world, id)).some(({ k }) => k === 'forfeited')).toBe(false);
  // Then their time continues from the last record.
  await world.pass(31_000);
  expect((await recordsOf(world, id)).some(({ k }) => k === 'forfeited')).toBe(true);
});

test('[P6] the same when the owner of the match cannot be read, and no request is made for it', async () => {
  const { world, nodes } = await openThree();
  leaveAlone(nodes);
  const { holderOf } = world.members;
  let isRefused = false;
  // Of this world's nodes only those that begin from now on are refused.
  Object.assign(world.members, {
    holderOf: (session: string) =>
      isRefused ? Promise.reject(new Error('refused')) : holderOf(session),
  });
  const d = await world.start('nod_d');
  await world.pass(1_000);
  const { id, x, o } = await openTurn(world, d);
  // Their connections break.
  x.lost = () => {};
  o.lost = () => {};
  await world.pass(27_000);
  d.faults.next.push('unknown_lost');
  isRefused = true;
  d.host.play(id, 1, mark(0), o);
  await world.pass(4_000);
  isRefused = false;
  await world.pass(1_500);
  expect((await recordsOf(world, id)).some(({ k }) => k === 'forfeited')).toBe(false);
});

test('[P6] a refused read is forgotten once it is known that the session does not exist', async () => {
  const { world, nodes } = await openThree();
  const [a] = nodes;
  let asked = 0;
  const { loadSession } = a.store;
  Object.assign(a.store, {
    loadSession(id: string) {
      asked += 1;
      return loadSession(id);
    },
  });
  const refused = refuse(world, a, 100);
  for (let n = 0; n < 50; n++) {
    a.host.run(`ses_none${n}`, { command: () => ({ kind: 'tick' }), done: () => undefined });
  }
  await refused;
  await world.pass(5_000);
  const before = asked;
  await world.pass(10_000);
  expect(asked).toBe(before);
});
