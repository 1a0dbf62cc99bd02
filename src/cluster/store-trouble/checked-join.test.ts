/** A player whose device was checked joins at one node a session that another one owns. */

import { expect, test } from 'bun:test';
import { addCheck } from '../../integrity/checks.ts';
import { makeSkipped, makeVerdict } from '../../integrity/verdict.ts';
import {
  enterAt,
  makeRequest,
  openThree,
  serviceAt,
} from '../../testing/cluster/cluster-matches.ts';
import { TENANT } from '../../testing/matches/match-world.ts';

test('[I3b][N4] the verdict is committed with the seat, and the owner shows it', async () => {
  const { world, nodes } = await openThree();
  const [a, b] = nodes;
  const services = [a, b].map((node, n) => serviceAt(world, node, n + 1));
  const players = [{ id: 'bob', displayName: null }];
  const made = await services[1]!.create(makeRequest({ players }), null);
  if (!made.ok) throw new Error(made.refusal);
  const { id, roomCode } = made.value.row;
  enterAt(b, id, 0);
  await world.pass(30);
  expect(world.holderOf(id)).toBe(b.name);
  const verdict = makeVerdict('ios', makeSkipped('no_credential'), 0, 0);
  const asked = { tenant: TENANT, mode: 'live', roomCode, game: 'tictactoe' } as const;
  const joining = services[0]!.join(
    { ...asked, player: { id: 'ann', displayName: null }, verdict },
    null,
  );
  await world.pass(100);
  const joined = await joining;
  if (!joined.ok) throw new Error(joined.refusal);
  const seat = joined.value.roster.findIndex((player) => player?.id === 'ann');
  const kept = addCheck(null, { seat, verdict });
  expect(joined.value.row.integrity).toBe(kept);
  expect((await world.kept.loadSession(id))!.row.integrity).toBe(kept);
  expect((await b.local.peek(id))!.row.integrity).toBe(kept);
});
