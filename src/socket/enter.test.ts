/** From a token to `welcome`, and which socket replaces which, over real sockets. */

import { afterEach, expect } from 'bun:test';
import { makeManualClock } from '../testing/manual-clock.ts';
import { spokenHere, test } from '../testing/sockets/both-protocols.ts';
import type { SocketClient } from '../testing/sockets/socket-client.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
  until,
} from '../testing/sockets/socket-world.ts';

const MINUTE_MS = 60_000;

let world: SocketWorld;
afterEach(() => world.close());

async function openWorld(): Promise<Issuer> {
  world = await openSocketWorld();
  return world.makeIssuer();
}

async function openManualWorld() {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  return { clock, issuer: await world.makeIssuer() };
}

/** Closed with which code, and without a frame before that. */
async function endOf(client: SocketClient): Promise<number> {
  const { code } = await client.closed;
  expect(client.frames).toEqual([]);
  return code;
}

async function endWith(token: string, headers: Record<string, string> = {}): Promise<number> {
  return endOf(await world.open({ token, headers }));
}

// ── lobbies and sessions ───────────────────────────────────────────────────────────────────────

test('[P1] a lobby has all sessions of the player and mode, and no others', async () => {
  const live = await openWorld();
  const testing = await world.makeIssuer(live.tenant, { mode: 'test' });
  const mine = [await world.makeSession(live), await world.makeSession(live)];
  await world.makeSession(live, { players: ['bob', 'cid'] });
  await world.makeSession(testing);
  const lobby = await world.open({ token: world.lobbyToken(live, 'ann') });
  const welcome = await lobby.next('welcome');
  expect(welcome.player).toBe('ann');
  expect([...welcome.sessions].sort()).toEqual(mine.sort());
  const shown = (await lobby.settle()).map((frame) => frame.t === 'state' && frame.s);
  expect(shown.sort()).toEqual(mine.sort());
  for (const id of mine) expect(await world.isConnected(id, 0)).toBe(true);
});

test('[P1] a lobby shows sessions created and joined later, without a request, and connects the player', async () => {
  const issuer = await openWorld();
  const ann = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  const bob = await world.open({ token: world.lobbyToken(issuer, 'bob') });
  expect((await ann.next('welcome')).sessions).toEqual([]);
  await bob.next('welcome');
  const id = await world.makeSession(issuer, { players: ['ann'] });
  expect(await ann.next('state')).toMatchObject({ s: id, status: 'pending', seat: 0 });
  expect(await world.isConnected(id, 0)).toBe(true);
  await world.join(issuer, id, 'bob');
  expect(await bob.next('state')).toMatchObject({ s: id, status: 'active', seat: 1 });
  await until(() => ann.frames.some((frame) => frame.t === 'state' && frame.status === 'active'));
});

test('[P1] a session created while a lobby enters is shown once it is open', async () => {
  const issuer = await openWorld();
  for (let round = 0; round < 20; round++) {
    const player = `ann-${round}`;
    const opening = world.open({ token: world.lobbyToken(issuer, player) });
    const id = await world.makeSession(issuer, { players: [player] });
    const lobby = await opening;
    expect(await lobby.next('state')).toMatchObject({ s: id });
    await until(() => world.isConnected(id, 0));
    await lobby.close();
  }
});

test('[P1] a session token opens that session only', async () => {
  const issuer = await openWorld();
  const [id, other] = [await world.makeSession(issuer), await world.makeSession(issuer)];
  const ann = await world.open({ token: world.sessionToken(issuer, id, 'ann') });
  expect((await ann.next('welcome')).sessions).toEqual([id]);
  expect((await ann.settle()).map(({ t }) => t)).toEqual(['state']);
  ann.send({ t: 'sync', s: other });
  expect(await ann.next('reject')).toMatchObject({ s: other, code: 'unknown_session' });
  expect(await world.isConnected(id, 0)).toBe(true);
  expect(await world.isConnected(other, 0)).toBe(false);
});

test('[P1][P2] sessions that cannot be opened: unknown, of others, of another tenant', async () => {
  const issuer = await openWorld();
  const stranger = await world.makeIssuer();
  const id = await world.makeSession(issuer);
  const tokens = [
    world.sessionToken(issuer, 'ses_none', 'ann'),
    world.sessionToken(issuer, id, 'cid'),
    world.sessionToken(stranger, id, 'ann'),
    world.makeToken(issuer, { scope: 'session', session: id }),
  ];
  for (const token of tokens) expect(await endWith(token)).toBe(4401);
  expect(await world.kindsOf(id)).toEqual(['created']);
});

test('[P1] one unreadable session does not close the lobby on the others', async () => {
  const issuer = await openWorld();
  const [bad, good] = [await world.makeSession(issuer), await world.makeSession(issuer)];
  const { peek } = world.host;
  world.host.peek = (id) => (id === bad ? Promise.reject(new Error('broken')) : peek(id));
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  expect((await lobby.next('welcome')).sessions).toEqual([good]);
  expect(world.errors.splice(0)).toHaveLength(1);
});

test('[P1] a session that a lobby could not read is shown as soon as it can be read', async () => {
  const { clock, issuer } = await openManualWorld();
  const [bad, good] = [await world.makeSession(issuer), await world.makeSession(issuer)];
  const { peek } = world.host;
  let failures = 0;
  world.host.peek = (id) => {
    if (id !== bad || failures === 2) return peek(id);
    failures += 1;
    return Promise.reject(new Error('the store is away'));
  };
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  expect((await lobby.next('welcome')).sessions).toEqual([good]);
  await lobby.next('state');
  clock.advance(1_000);
  await until(() => failures === 2);
  await until(() => clock.nextAt() !== null && clock.nextAt()! <= clock.now() + 2_000);
  clock.advance(2_000);
  expect(await lobby.next('state')).toMatchObject({ s: bad });
  expect(world.errors.splice(0)).toHaveLength(2);
});

test('[P1] a lobby drops ended sessions ten minutes after the end', async () => {
  const { clock, issuer } = await openManualWorld();
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  await lobby.next('welcome');
  const id = await world.makeSession(issuer);
  await lobby.next('state');
  await world.sessions.end({ tenant: issuer.tenant.id, id, modes: ['live'] }, null);
  expect((await lobby.next('over')).result.reason).toBe('aborted');
  const subscribers = async () => (await world.match(id)).subscribers?.length ?? 0;
  clock.advance(10 * MINUTE_MS);
  await world.makeSession(issuer);
  await lobby.next('state');
  expect(await subscribers()).toBe(1);
  clock.advance(1);
  const newest = await world.makeSession(issuer);
  expect(await lobby.next('state')).toMatchObject({ s: newest });
  await until(async () => (await subscribers()) === 0);
  lobby.send({ t: 'sync', s: id });
  expect((await lobby.next('reject')).code).toBe('unknown_session');
});

// ── the token ──────────────────────────────────────────────────────────────────────────────────

test('[P2] with the token as a subprotocol, welcome and states come without a request', async () => {
  const issuer = await openWorld();
  const id = await world.makeSession(issuer);
  const ann = await world.open({ token: world.sessionToken(issuer, id, 'ann') });
  const [welcome, state] = [await ann.next('welcome'), await ann.next('state')];
  expect(ann.frames).toEqual([welcome, state]);
  expect(welcome).toMatchObject({ player: 'ann', sessions: [id], pingMs: 25_000 });
  ann.send({ t: 'hello' });
  ann.send({ t: 'hello', token: 'ignored on an open socket' });
  expect(await ann.settle()).toEqual([]);
});

test('[P2] the token in a hello within 5 s; later is 4408', async () => {
  const { clock, issuer } = await openManualWorld();
  const id = await world.makeSession(issuer);
  const token = world.sessionToken(issuer, id, 'ann');
  const [ann, late] = [await world.open(), await world.open()];
  await until(() => world.census.all.size === 2);
  clock.advance(4_999);
  ann.send({ t: 'hello', token });
  await ann.next('state');
  expect(ann.frames.map(({ t }) => t)).toEqual(['welcome', 'state']);
  clock.advance(1);
  expect(await endOf(late)).toBe(4408);
  clock.advance(MINUTE_MS);
  expect(await ann.settle()).toEqual([]);
});

test('[P2] a first message without a valid token is 4401', async () => {
  const issuer = await openWorld();
  const id = await world.makeSession(issuer);
  const firsts = [
    { t: 'hello' },
    { t: 'hello', token: '' },
    { t: 'hello', token: 'a.b.c' },
    { t: 'hello', resume: { [id]: 0 } },
    { t: 'ping', n: 1 },
    { t: 'act', s: id, id: '1', action: { position: 0 } },
  ];
  for (const first of firsts) {
    const client = await world.open();
    client.send(first);
    expect(await endOf(client)).toBe(4401);
  }
  expect(await world.kindsOf(id)).toEqual(['created']);
});

test('[P2] a tampered or expired token is 4401; a token is valid for its 5 minutes', async () => {
  const { clock, issuer } = await openManualWorld();
  const id = await world.makeSession(issuer);
  const token = world.sessionToken(issuer, id, 'ann');
  const [head, body, signature] = token.split('.') as [string, string, string];
  const claims = JSON.parse(atob(body));
  const forged = btoa(JSON.stringify({ ...claims, player: 'bob' })).replace(/=+$/, '');
  const none = btoa(JSON.stringify({ alg: 'none', typ: 'JWT' })).replace(/=+$/, '');
  const bad = [
    `${head}.${forged}.${signature}`,
    `${none}.${body}.`,
    `${none}.${body}.${signature}`,
    `${head}.${body}`,
    `${head}.${body}.${signature}x`,
    `${token}.${signature}`,
    'x',
  ];
  for (const each of bad) expect(await endWith(each)).toBe(4401);
  // Reusable: each of these replaces the one before.
  const first = await world.open({ token });
  await first.next('state');
  clock.advance(5 * MINUTE_MS - 1_000);
  const second = await world.open({ token });
  await second.next('state');
  expect((await first.closed).code).toBe(4409);
  clock.advance(1_000);
  expect(await endWith(token)).toBe(4401);
  expect(await second.settle()).toEqual([]);
});

test('[P2] a suspended tenant, and a revoked or expired key, are 4401', async () => {
  const { clock, issuer } = await openManualWorld();
  const now = clock.now();
  const suspended = await world.makeIssuer({ active: false });
  const revoked = await world.makeIssuer(issuer.tenant, { revokedAt: now });
  const expired = await world.makeIssuer(issuer.tenant, { expiresAt: now });
  for (const each of [suspended, revoked, expired]) {
    expect(await endWith(world.lobbyToken(each, 'ann'))).toBe(4401);
  }
  const unknown = { ...issuer, key: { ...issuer.key, id: 'key_none' } };
  expect(await endWith(world.lobbyToken(unknown, 'ann'))).toBe(4401);
});

test('[P2][K2] the tokens of a key revoked later open nothing after the next refresh, nor do its resume tokens', async () => {
  const issuer = await openWorld();
  const id = await world.makeSession(issuer);
  const ann = await world.open({ token: world.sessionToken(issuer, id, 'ann') });
  const { resumeToken } = await ann.next('welcome');
  const audit = { tenant: issuer.tenant.id, actor: 'cli', act: 'revoke', object: '', at: 0 };
  await world.store.updateKey(issuer.key.id, { revokedAt: world.clock.now() }, audit);
  await world.tenancy.look();
  expect(await endWith(world.sessionToken(issuer, id, 'ann'))).toBe(4401);
  expect(await endWith(resumeToken)).toBe(4401);
});

test('[P2] another subprotocol or path, or none, is refused before the upgrade', async () => {
  const issuer = await openWorld();
  const token = `token.${world.lobbyToken(issuer, 'ann')}`;
  const refused = async (wish: Parameters<SocketWorld['open']>[0]): Promise<number> =>
    world.open(wish).then(
      () => 101,
      ({ status }) => status,
    );
  expect(await refused({ protocols: ['matchd.v3', token] })).toBe(400);
  expect(await refused({ protocols: [token] })).toBe(400);
  expect(await refused({ protocols: [] })).toBe(400);
  expect(await refused({ path: '/v1/other' })).toBe(404);
  expect(world.census.byAddress.of('127.0.0.1')).toBe(0);
});

test('[P2][H2] a refused handshake is answered like any HTTP request', async () => {
  await openWorld();
  const ask = (headers: Record<string, string>) =>
    fetch(`http://127.0.0.1:${world.port}/v1/socket`, {
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
        ...headers,
      },
    });
  const wrong = await ask({ 'sec-websocket-protocol': 'chat' });
  expect(wrong.status).toBe(400);
  expect(await wrong.json()).toEqual({ error: 'Subprotocol matchd.v1 is required' });
  expect(wrong.headers.get('x-error-code')).toBe('subprotocol_required');
  world.sockets.drain();
  const draining = await ask({ 'sec-websocket-protocol': spokenHere() });
  expect([draining.status, draining.headers.get('retry-after')]).toEqual([503, '1']);
  expect(draining.headers.get('x-error-code')).toBe('not_ready');
  expect(await draining.json()).toEqual({ error: 'Not ready' });
});

test('[P2] a token in the query is ignored', async () => {
  const issuer = await openWorld();
  const token = world.lobbyToken(issuer, 'ann');
  const client = await world.open({ path: `/v1/socket?token=${token}` });
  client.send({ t: 'hello' });
  expect(await endOf(client)).toBe(4401);
});

test('[P2] presence is committed before welcome', async () => {
  const issuer = await openWorld();
  const id = await world.makeSession(issuer);
  const { commit } = world.store;
  let committed = 0;
  world.store.commit = (match, done) =>
    commit(match, (outcome) => {
      committed += 1;
      setTimeout(() => done(outcome), 30);
    });
  const ann = await world.open({ token: world.sessionToken(issuer, id, 'ann') });
  await until(() => committed === 1);
  expect(ann.frames).toEqual([]);
  await ann.next('welcome');
  expect(await world.kindsOf(id)).toEqual(['created', 'connected']);
  const { players } = await ann.next('state');
  expect(players[0]).toMatchObject({ id: 'ann', connected: true });
});

test('[P2] frames before welcome are refused, and nothing but such refusals precedes welcome', async () => {
  const issuer = await openWorld();
  const id = await world.makeSession(issuer);
  const client = await world.open();
  client.send({ t: 'hello', token: world.sessionToken(issuer, id, 'ann') });
  client.send({ t: 'hello', resume: { [id]: 0 } });
  client.send({ t: 'ping', n: 7 });
  client.send({ t: 'sync', s: id });
  await client.next('state');
  expect(client.frames.map(({ t }) => t)).toEqual(['reject', 'welcome', 'state']);
  expect(client.frames[0]).toMatchObject({
    s: id,
    code: 'unknown_session',
    error: 'Wait for welcome',
  });
});

test('[P2] when presence cannot be committed there is no welcome: 1012, reconnect', async () => {
  const issuer = await openWorld();
  const id = await world.makeSession(issuer);
  const { commit } = world.store;
  world.store.commit = (match, done) => commit({ ...match, entries: [] }, () => done('unknown'));
  for (const token of [world.sessionToken(issuer, id, 'ann'), world.lobbyToken(issuer, 'ann')]) {
    expect(await endWith(token)).toBe(1012);
  }
  world.store.commit = commit;
  await world.enter(issuer, id, 'ann');
  expect(await world.isConnected(id, 0)).toBe(true);
});

// ── resuming ───────────────────────────────────────────────────────────────────────────────────

test('[P2] a resume token is valid after the first token has expired, until 10 minutes after the end', async () => {
  const { clock, issuer } = await openManualWorld();
  const id = await world.makeSession(issuer, { options: { afk: false, disconnectGraceMs: 1e9 } });
  const token = world.sessionToken(issuer, id, 'ann');
  const ann = await world.open({ token });
  const { resumeToken } = await ann.next('welcome');
  const bob = await world.enter(issuer, id, 'bob');
  await ann.close();
  clock.advance(24 * 60 * MINUTE_MS);
  expect(await endWith(token)).toBe(4401);
  const again = await world.open({ token: resumeToken });
  expect(await again.next('state')).toMatchObject({ status: 'active', seat: 0 });
  bob.send({ t: 'resign', s: id, id: 'r' });
  const over = await again.next('over');
  expect(over.result.winner).toBe('ann');
  clock.advance(10 * MINUTE_MS);
  const last = await world.open({ token: resumeToken });
  const { resumeToken: newest } = await last.next('welcome');
  expect(await last.next('state')).toMatchObject({ status: 'ended', result: over.result });
  clock.advance(1);
  expect(await endWith(resumeToken)).toBe(4401);
  expect(await endWith(newest)).toBe(4401);
});

test('[P2] the resume token is renewed in a pong once it is an hour old', async () => {
  const { clock, issuer } = await openManualWorld();
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  const { resumeToken } = await lobby.next('welcome');
  lobby.send({ t: 'ping', n: 1 });
  expect(await lobby.next('pong')).not.toHaveProperty('resumeToken');
  clock.advance(60 * MINUTE_MS + 1);
  lobby.send({ t: 'ping', n: 2 });
  const renewed = (await lobby.next('pong')).resumeToken!;
  lobby.send({ t: 'ping', n: 3 });
  expect(await lobby.next('pong')).not.toHaveProperty('resumeToken');
  // The first is valid for a day, the renewed one for as long again.
  clock.advance(23 * 60 * MINUTE_MS);
  expect(await endWith(resumeToken)).toBe(4401);
  const again = await world.open({ token: renewed });
  expect((await again.next('welcome')).player).toBe('ann');
});

// ── replacing ──────────────────────────────────────────────────────────────────────────────────

test('[P2] a newer socket for the session replaces the older, and no one sees the player leave', async () => {
  const issuer = await openWorld();
  const match = await world.startMatch(issuer);
  const [, bob] = match.clients;
  let ann = match.clients[0];
  for (let round = 0; round < 5; round++) {
    const newer = await world.enter(issuer, match.id, 'ann');
    expect(await ann.closed).toMatchObject({ code: 4409 });
    await until(() => world.census.all.size === 2);
    ann = newer;
  }
  expect(await bob.settle()).toEqual([]);
  expect(await world.kindsOf(match.id)).toEqual(['created', 'connected', 'connected', 'started']);
  ann.send({ t: 'act', s: match.id, id: '1', action: { position: 4 } });
  await ann.next('ack');
  await bob.next('update');
});

test('[P2] a newer lobby replaces the older; lobby and session sockets coexist', async () => {
  const issuer = await openWorld();
  const { id, clients } = await world.startMatch(issuer);
  const [ann, bob] = clients;
  const first = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  await first.next('state');
  const second = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  await second.next('state');
  expect((await first.closed).code).toBe(4409);
  expect(await ann.settle()).toEqual([]);
  await ann.close();
  await until(() => world.census.all.size === 2);
  expect(await bob.settle()).toEqual([]);
  await second.close();
  expect(await bob.next('presence')).toMatchObject({ s: id, seat: 0, connected: false });
});

test('[P2] the older socket stays when the newer one fails to enter', async () => {
  const issuer = await openWorld();
  const { id, clients } = await world.startMatch(issuer);
  const { attach } = world.host;
  world.host.attach = (_, __, done) => done({ kind: 'rejected', code: 'unavailable', error: '' });
  expect(await endWith(world.sessionToken(issuer, id, 'ann'))).toBe(1012);
  world.host.attach = attach;
  expect(await clients[0].settle()).toEqual([]);
  // And it is still the one that is replaced.
  await world.enter(issuer, id, 'ann');
  expect((await clients[0].closed).code).toBe(4409);
});

test('[P2] a newer socket that leaves before welcome replaces no other', async () => {
  const issuer = await openWorld();
  const { id, clients } = await world.startMatch(issuer);
  const { attach } = world.host;
  let goOn = (): void => {};
  world.host.attach = (...args) => {
    goOn = () => attach(...args);
  };
  const newer = await world.open({ token: world.sessionToken(issuer, id, 'ann') });
  await until(
    () => world.census.byPlayer.of(JSON.stringify([issuer.tenant.id, 'live', 'ann'])) === 2,
  );
  await newer.close();
  world.host.attach = attach;
  goOn();
  await until(() => world.census.all.size === 2);
  expect(await clients[0].settle()).toEqual([]);
  expect(await clients[1].settle()).toEqual([]);
  expect((await world.match(id)).subscribers.length).toBe(2);
});
