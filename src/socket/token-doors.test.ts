/** Every kind of token on opening a socket: valid, expired, forged, and of another place. */

import { afterEach, expect } from 'bun:test';
import { Buffer } from 'node:buffer';
import { createHmac } from 'node:crypto';
import { makeTokens, type TokenClaims, type TokenScope } from '../runtime/access/tokens.ts';
import { makeManualClock } from '../testing/manual-clock.ts';
import { test } from '../testing/sockets/both-protocols.ts';
import { openSocketWorld, type SocketWorld } from '../testing/sockets/socket-world.ts';

let world: SocketWorld;
afterEach(() => world.close());

const SCOPES: readonly TokenScope[] = ['session', 'lobby', 'watch', 'resume', 'bot'];
const REFUSED = 4401;

/** `open`, or the code with which the socket was closed. */
async function knock(token: string): Promise<'open' | number> {
  const client = await world.open({ token });
  const outcome = await Promise.race([
    client.next('welcome').then(() => 'open' as const),
    client.closed.then(({ code }) => code),
  ]);
  await client.close();
  return outcome;
}

/** The claims of a token of each kind, for a player seated in the session. */
function claimsOf(
  scope: TokenScope,
  session: string,
): Pick<TokenClaims, 'scope'> & Partial<TokenClaims> {
  if (scope === 'watch') return { scope, session };
  if (scope === 'lobby' || scope === 'bot') return { scope, player: 'ann' };
  return { scope, session, player: 'ann' };
}

test('[P2] each kind of token is accepted a second before its end, and not a second after', async () => {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  const issuer = await world.makeIssuer();
  const session = await world.makeSession(issuer);
  const exp = Math.floor(clock.now() / 1_000) + 300;
  const tokens = SCOPES.map((scope) =>
    world.makeToken(issuer, { ...claimsOf(scope, session), exp }),
  );
  const knockAll = async () => {
    const outcomes = [];
    for (const token of tokens) outcomes.push(await knock(token));
    return outcomes;
  };
  clock.advance((exp - 1) * 1_000 - clock.now());
  expect(await knockAll()).toEqual(SCOPES.map(() => 'open'));
  clock.advance(2_000);
  expect(await knockAll()).toEqual(SCOPES.map(() => REFUSED));
});

test('[P2] a token of another installation, algorithm or header is refused', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const session = await world.makeSession(issuer);
  const forged = SCOPES.flatMap((scope) => {
    const token = world.makeToken(issuer, claimsOf(scope, session));
    const [head = '', body = '', signature = ''] = token.split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as TokenClaims;
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
    const foreign = (name: string) =>
      makeTokens({ kid: name, secret: new Uint8Array(32).fill(1) }).make(claims);
    const encode = (header: object) => Buffer.from(JSON.stringify(header)).toString('base64url');
    const none = encode({ alg: 'none', typ: 'JWT', kid });
    const rs256 = encode({ alg: 'RS256', typ: 'JWT', kid });
    const byKid = createHmac('sha256', kid).update(`${rs256}.${body}`).digest('base64url');
    const longer = Buffer.from(JSON.stringify({ ...claims, exp: claims.exp + 1 })).toString(
      'base64url',
    );
    const otherScope = SCOPES.find((each) => each !== scope);
    const other = Buffer.from(JSON.stringify({ ...claims, scope: otherScope })).toString(
      'base64url',
    );
    return [
      foreign(kid),
      foreign('other'),
      `${none}.${body}.`,
      `${none}.${body}.${signature}`,
      `${rs256}.${body}.${byKid}`,
      `${head}.${longer}.${signature}`,
      `${head}.${other}.${signature}`,
      `${head}.${body}.`,
    ];
  });
  for (const token of forged) expect([token, await knock(token)]).toEqual([token, REFUSED]);
});

test('[P2][K3] a token of another tenant, mode or player opens no session, even if correctly signed', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const testing = await world.makeIssuer(issuer.tenant, { mode: 'test' });
  const stranger = await world.makeIssuer();
  const session = await world.makeSession(issuer);
  for (const scope of ['session', 'resume'] as const) {
    for (const each of [testing, stranger]) {
      expect(await knock(world.makeToken(each, { scope, session, player: 'ann' }))).toBe(REFUSED);
    }
    expect(await knock(world.makeToken(issuer, { scope, session, player: 'cyd' }))).toBe(REFUSED);
  }
  for (const each of [testing, stranger]) {
    expect(await knock(world.makeToken(each, { scope: 'watch', session }))).toBe(REFUSED);
    const lobby = await world.open({ token: world.lobbyToken(each, 'ann') });
    expect((await lobby.next('welcome')).sessions).toEqual([]);
    await lobby.close();
  }
});

test('[K2] rotating a key closes no socket, because tokens belong to the key and not to its secret; revoking it closes all', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const session = await world.makeSession(issuer);
  const client = await world.enter(issuer, session, 'ann');
  const audit = { tenant: '', actor: 'cli', act: 'test', object: '', at: 0 };
  const maintain = async (): Promise<void> => {
    await world.tenancy.look();
    await world.sockets.maintain();
  };
  const secret = { id: 'rotated1', hash: 'another' };
  await world.store.rotateKey(issuer.key.id, secret, 'hint', world.clock.now(), audit);
  await maintain();
  expect(client.isOpen()).toBe(true);
  expect(await knock(world.lobbyToken(issuer, 'bob'))).toBe('open');
  await world.store.updateKey(issuer.key.id, { revokedAt: world.clock.now() }, audit);
  await maintain();
  expect((await client.closed).code).toBe(REFUSED);
  expect(await knock(world.lobbyToken(issuer, 'bob'))).toBe(REFUSED);
});
