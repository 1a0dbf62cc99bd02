/** Open sockets end with the right to open them (rule K2). */

import { afterEach, expect } from 'bun:test';
import type { TokenClaims } from '../../runtime/access/tokens.ts';
import { accountOf, inviteOf } from '../../store/contract/accounts/account-stage.ts';
import { test } from '../../testing/sockets/both-protocols.ts';
import { openSocketWorld, type SocketWorld } from '../../testing/sockets/socket-world.ts';

let world: SocketWorld;
afterEach(() => world.close());

const audit = { tenant: '', actor: 'cli', act: 'test', object: '', at: 0 };

/** As the service does each second. */
async function maintain(): Promise<void> {
  await world.tenancy.look();
  await world.sockets.maintain();
}

test('[K2] sockets of a revoked key and of a suspended tenant are closed, and no others', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const second = await world.makeIssuer(issuer.tenant);
  const { id, clients } = await world.startMatch(issuer);
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'cyd') });
  const watcher = await world.open({
    token: world.makeToken(issuer, { scope: 'watch', session: id }),
  });
  const bot = await world.open({ token: world.makeToken(issuer, { scope: 'bot', player: 'p' }) });
  const kept = await world.open({ token: world.lobbyToken(second, 'dan') });
  const silent = await world.open();
  for (const client of [lobby, watcher, bot, kept]) await client.next('welcome');
  await maintain();
  const ofFirst = [...clients, lobby, watcher, bot];
  expect([...ofFirst, kept, silent].every((client) => client.isOpen())).toBe(true);

  await world.store.updateKey(issuer.key.id, { revokedAt: world.clock.now() }, audit);
  await maintain();
  for (const client of ofFirst) expect((await client.closed).code).toBe(4401);
  expect([kept.isOpen(), silent.isOpen()]).toEqual([true, true]);

  await world.store.updateTenant(issuer.tenant.id, { active: false }, audit);
  await maintain();
  expect((await kept.closed).code).toBe(4401);
  expect(silent.isOpen()).toBe(true);
});

test('[K2][H7] when a key loses an origin the sockets from there are closed: 4403', async () => {
  world = await openSocketWorld();
  const [a, b] = ['https://a.example', 'https://b.example'];
  const issuer = await world.makeIssuer({}, { origins: [a, b] });
  const open = (player: string, origin: string) =>
    world.open({ token: world.lobbyToken(issuer, player), headers: { Origin: origin } });
  const [fromA, fromB] = [await open('ann', a), await open('bob', b)];
  for (const client of [fromA, fromB]) await client.next('welcome');
  await world.store.updateKey(issuer.key.id, { origins: [b] }, audit);
  await maintain();
  expect((await fromA.closed).code).toBe(4403);
  expect(fromB.isOpen()).toBe(true);
});

test('[D3] a member’s tokens end with the member’s rights, also for open watchers: 4401', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { store } = world;
  const { id: tenant } = issuer.tenant;
  const account = accountOf('dev');
  const expiresAt = world.clock.now() + 60_000;
  for (const [name, role] of [['boss', 'owner'] as const, ['dev', 'developer'] as const]) {
    await store.putLink(inviteOf(name, name, { tenant, role, expiresAt }), name, null);
    expect(await store.useInvitation(name, accountOf(name), { ...audit, tenant })).toBe('done');
  }
  const { id } = await world.startMatch(issuer);
  const open = async (claims: Pick<TokenClaims, 'scope'> & Partial<TokenClaims>) => {
    const token = world.makeToken(issuer, { key: account.id, ...claims });
    const client = await world.open({ token });
    return { client, resume: String((await client.next('welcome'))['resumeToken']) };
  };
  const watcher = await open({ scope: 'watch', session: id });
  const lobby = await open({ scope: 'lobby', mode: 'test', player: 'cyd' });
  await maintain();
  expect([watcher.client.isOpen(), lobby.client.isOpen()]).toEqual([true, true]);

  await store.setRole(tenant, account.id, 'support', { ...audit, tenant });
  await maintain();
  expect((await lobby.client.closed).code).toBe(4401);
  expect(watcher.client.isOpen()).toBe(true);

  await store.setRole(tenant, account.id, null, { ...audit, tenant });
  await maintain();
  expect((await watcher.client.closed).code).toBe(4401);
  for (const { resume } of [watcher, lobby]) {
    expect((await (await world.open({ token: resume })).closed).code).toBe(4401);
  }
});
