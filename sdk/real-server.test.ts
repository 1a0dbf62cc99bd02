/** The SDK against the real service in a separate process: a backend, its players, what they see. */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerProcess } from '../e2e/parts/server-process.ts';
import { freePort, startServer } from '../e2e/parts/server-process.ts';
import { fightArena } from '../src/games/fight-arena/fight-arena.ts';
import type { Client, MatchSession } from './src/client/connect.ts';
import { CommandError, connect } from './src/client/connect.ts';
import type { Game } from './src/client/index.ts';
import type { Matchd } from './src/server/index.ts';
import { createMatchd, MatchdError, verifyWebhook } from './src/server/index.ts';

const START_MS_MAX = 60_000;
const dataDir = mkdtempSync(join(tmpdir(), 'matchd-sdk-'));
let server: ServerProcess;
let matchd: Matchd;

beforeAll(async () => {
  server = await startServer({ port: await freePort(), dataDir });
  matchd = createMatchd({ url: server.url, key: server.testKey });
}, START_MS_MAX);

afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, START_MS_MAX);

const PLAYERS = [{ id: 'ada', displayName: 'Ada' }, { id: 'bea' }];

/** Resolves when the session meets the condition. */
function until(session: MatchSession, isSo: () => boolean): Promise<void> {
  if (isSo()) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = session.on(() => {
      if (!isSo()) return;
      stop();
      resolve();
    });
  });
}

async function seat<G extends Game = 'tictactoe'>(
  token: string,
): Promise<[Client, MatchSession<G>]> {
  const client = connect({ url: server.url, token });
  return [client, await client.firstSession<G>()];
}

test('[P2][P4] a match is played to its end, across a killed service and the players’ return', async () => {
  const made = await matchd.sessions.create({ game: 'tictactoe', players: PLAYERS });
  const [adaClient, ada] = await seat(made.tokens['ada']!);
  const [beaClient, bea] = await seat(made.tokens['bea']!);
  const turnOf = (session: MatchSession) => () =>
    session.view?.status === 'active' && session.view.turn === session.view.seat;
  await until(ada, turnOf(ada));
  expect((await ada.act({ position: 4 })).v).toBeGreaterThan(0);
  await expect(ada.act({ position: 5 })).rejects.toThrow(CommandError);
  await until(bea, turnOf(bea));
  await server.kill();
  // Sent without a connection: stored, and sent when the service is back.
  const move = bea.act({ position: 0 });
  server = await startServer({ port: Number(new URL(server.url).port), dataDir });
  await move;
  for (const [who, position] of [
    [ada, 3],
    [bea, 1],
    [ada, 5],
  ] as const) {
    await until(who, turnOf(who));
    await who.act({ position });
  }
  await until(bea, () => bea.view?.status === 'ended');
  expect(bea.view?.result).toMatchObject({ winner: 'ada', reason: 'three_in_a_row' });
  const session = await matchd.sessions.get(made.sessionId);
  expect(session.result?.winner).toBe('ada');
  expect(await matchd.sessions.verify(made.sessionId)).toMatchObject({ ok: true });
  adaClient.close();
  beaClient.close();
}, 60_000);

test('[P1] a lobby’s client is notified of new sessions, and a closed one calls no listener', async () => {
  const { token, socketUrl } = await matchd.players.token('cyd');
  const lobby = connect({ url: socketUrl, token });
  await new Promise<void>((resolve) => {
    lobby.on((event) => {
      if (event.kind === 'status' && event.status.kind === 'open') resolve();
    });
  });
  const first = lobby.firstSession();
  const made = await matchd.sessions.create({
    game: 'connect4',
    players: [{ id: 'cyd' }, { id: 'dan' }],
  });
  const session = await first;
  expect(session.id).toBe(made.sessionId);
  lobby.close();
  await expect(session.resign()).rejects.toMatchObject({ code: 'closed' });
});

/** A WebSocket whose connection a test cuts: visibly, or so that it only goes silent. */
function makeLine() {
  const state = { isDown: false, isDeaf: false };
  const open = new Set<WebSocket>();
  class LineSocket extends WebSocket {
    constructor(url: string, protocols: string[]) {
      super(state.isDown ? 'ws://127.0.0.1:9/v1/socket' : url, protocols);
      open.add(this);
    }
    override set onmessage(listener: ((event: MessageEvent) => void) | null) {
      super.onmessage = (event) => {
        if (!state.isDeaf) listener?.(event);
      };
    }
  }
  const cut = (): void => {
    for (const socket of open) socket.close();
    open.clear();
  };
  return { state, cut, LineSocket };
}

test('[P2][P4] a lobby that was disconnected is notified of the end, and its command is answered', async () => {
  const line = makeLine();
  const { token } = await matchd.players.token('gil');
  const lobby = connect({ url: server.url, token, WebSocket: line.LineSocket });
  const players = [{ id: 'gil' }, { id: 'hal' }];
  const [missed, answered] = await Promise.all(
    [1, 2].map(() => matchd.sessions.create({ game: 'tictactoe', players })),
  );
  const hals = await Promise.all([missed!, answered!].map(({ tokens }) => seat(tokens!['hal']!)));
  const [one, other] = [missed!, answered!].map(({ sessionId }) => lobby.session(sessionId));
  await Promise.all(
    [one!, other!].map((each) => until(each, () => each.view?.status === 'active')),
  );
  // The server accepts it, but the client is not notified.
  line.state.isDeaf = true;
  const resigned = other!.resign();
  await until(hals[1]![1], () => hals[1]![1].view?.status === 'ended');
  line.state.isDown = true;
  line.cut();
  await hals[0]![1].resign();
  Object.assign(line.state, { isDown: false, isDeaf: false });
  lobby.wake();
  expect((await resigned).v).toBeGreaterThan(0);
  await until(one!, () => one!.view?.status === 'ended');
  expect(one!.view?.result).toMatchObject({ winner: 'gil' });
  for (const [client] of hals) client.close();
  lobby.close();
});

test('[P4] a command that a lost device could not send is not played after the player has moved on another', async () => {
  const line = makeLine();
  const made = await matchd.sessions.create({
    game: 'connect4',
    players: [{ id: 'ada' }, { id: 'bea' }],
  });
  const options = { url: server.url, token: made.tokens['ada']!, WebSocket: line.LineSocket };
  const laptop = connect(options);
  const onLaptop = await laptop.firstSession<'connect4'>();
  const [beaClient, bea] = await seat<'connect4'>(made.tokens['bea']!);
  const turnOf = (session: MatchSession<'connect4'>) => () =>
    session.view?.status === 'active' && session.view.turn === session.view.seat;
  await until(onLaptop, turnOf(onLaptop));
  // The connection is lost just before the press.
  line.state.isDown = true;
  line.cut();
  const stale = onLaptop.act({ column: 3 });
  // On their phone the player sees that nothing was played, and plays there.
  const { token } = await matchd.sessions.token(made.sessionId, 'ada');
  const [phone, onPhone] = await seat<'connect4'>(token);
  for (const [who, column] of [
    [onPhone, 0],
    [bea, 6],
  ] as const) {
    await until(who, turnOf(who));
    await who.act({ column });
  }
  await until(onPhone, turnOf(onPhone));
  line.state.isDown = false;
  laptop.wake();
  await expect(stale).rejects.toMatchObject({ code: 'outdated' });
  const replay = await matchd.sessions.replay(made.sessionId);
  expect(replay.inputs.map(({ seat: at, action }) => ({ at, action }))).toEqual([
    { at: 0, action: { column: 0 } },
    { at: 1, action: { column: 6 } },
  ]);
  // An accepted command is acknowledged although the position has changed meanwhile.
  line.state.isDeaf = true;
  const taken = onLaptop.act({ column: 1 });
  await until(bea, turnOf(bea));
  const { v } = await bea.act({ column: 5 });
  line.state.isDown = true;
  line.cut();
  Object.assign(line.state, { isDown: false, isDeaf: false });
  laptop.wake();
  expect((await taken).v).toBe(v - 1);
  for (const client of [laptop, phone, beaClient]) client.close();
}, 60_000);

test('[P4] an app that returns after a match learns how it ended, or that it does not exist', async () => {
  const made = await matchd.sessions.create({
    game: 'tictactoe',
    players: [{ id: 'ada' }, { id: 'bea' }],
  });
  const seats = await Promise.all(['ada', 'bea'].map((id) => seat(made.tokens[id]!)));
  const [, ada] = seats[0]!;
  await until(ada, () => ada.view?.status === 'active');
  await ada.resign();
  for (const [client] of seats) client.close();
  const { token } = await matchd.players.token('ada');
  const lobby = connect({ url: server.url, token });
  expect((await lobby.session(made.sessionId).replay()).sessionId).toBe(made.sessionId);
  const code = 'unknown_session';
  await expect(lobby.session('ses_0000000000000000000000').resign()).rejects.toMatchObject({
    code,
  });
  lobby.close();
});

test('[P11][S10] players and a watcher get the replay when the match is over, and not before', async () => {
  const made = await matchd.sessions.create({ game: 'tictactoe', players: PLAYERS });
  const { token, playUrl } = await matchd.sessions.watch(made.sessionId);
  expect(new URL(playUrl).hash).toContain(token);
  const tokens = [made.tokens!['ada']!, made.tokens!['bea']!, token];
  const clients = tokens.map((each) => connect({ url: server.url, token: each }));
  const sessions = await Promise.all(clients.map((client) => client.firstSession()));
  const [ada, , watcher] = sessions;
  await expect(ada!.replay()).rejects.toMatchObject({ code: 'session_not_ended' });
  await until(watcher!, () => watcher!.view?.status === 'active');
  await ada!.resign();
  const replay = await matchd.sessions.replay(made.sessionId);
  for (const session of sessions) {
    expect(await session.replay()).toEqual(replay);
    expect(session.view?.commitment).toBe(replay.fairness.commitment);
  }
  for (const client of clients) client.close();
  await expect(ada!.replay()).rejects.toMatchObject({ code: 'closed' });
});

test('[P2] a refused token is replaced by a new one', async () => {
  const made = await matchd.sessions.create({ game: 'tictactoe', players: PLAYERS });
  let asked = 0;
  const client = connect({
    url: server.url,
    token: 'not.a.token',
    getToken: async () => {
      asked += 1;
      return (await matchd.sessions.token(made.sessionId, 'ada')).token;
    },
  });
  expect((await client.firstSession()).id).toBe(made.sessionId);
  expect(asked).toBe(1);
  client.close();
});

test('[M2][M5][I3c] hosted matchmaking from ticket to match', async () => {
  const lobbies = await Promise.all(
    ['eve', 'fay'].map(async (id) => {
      const { token } = await matchd.players.token(id);
      const client = connect({ url: server.url, token });
      await new Promise<void>((resolve) => {
        client.on(({ kind }) => {
          if (kind === 'credential') resolve();
        });
      });
      return client;
    }),
  );
  const { ticketId } = await matchd.hosted.createTicket('connect4');
  const device = { platform: 'ios', integrityToken: 'a token' } as const;
  const added = await matchd.hosted.addPlayer('connect4', ticketId, { playerId: 'eve', ...device });
  expect(added.integrity?.reasons).toEqual(['no_credential']);
  await matchd.hosted.addPlayer('connect4', ticketId, 'fay');
  const { group } = await matchd.hosted.promote('connect4', ticketId);
  const waiting: string[] = [];
  for await (const each of matchd.hosted.pool({ game: 'connect4' })) waiting.push(each.id);
  expect(waiting).toEqual([group.id]);
  const match = await matchd.hosted.startMatch(
    'connect4',
    { groupIds: [group.id] },
    { requireConnected: true },
  );
  expect(match.status).toBe('active');
  expect(match.integrityChecks?.map(({ playerId }) => playerId)).toEqual(['eve']);
  const session = await lobbies[0]!.firstSession();
  expect(session.id).toBe(match.sessionId);
  for (const each of lobbies) each.close();
});

test('[E2] a webhook sent by the service is verified, across a rotation of its secret', async () => {
  const got: { headers: Headers; body: string }[] = [];
  const endpoint = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    async fetch(request) {
      got.push({ headers: request.headers, body: await request.text() });
      return new Response();
    },
  });
  try {
    const hook = await matchd.webhooks.create({
      url: `http://127.0.0.1:${endpoint.port}/`,
      events: ['session.expired'],
    });
    const rotated = await matchd.webhooks.rotate(hook.id);
    expect(await matchd.webhooks.test(hook.id)).toMatchObject({ delivered: true });
    for (const secret of [hook.secret, rotated.secret]) {
      const event = await verifyWebhook({ secret, ...got[0]! });
      expect(event).toMatchObject({ type: 'webhook.test', data: { webhookId: hook.id } });
    }
  } finally {
    await endpoint.stop(true);
  }
});

test('[E2] events are streamed as they happen, and listed with their types', async () => {
  const control = new AbortController();
  const seen: string[] = [];
  const reading = (async () => {
    const stream = matchd.events.stream({ types: ['session.created'], signal: control.signal });
    for await (const event of stream) {
      if (event.type === 'session.created') seen.push(event.sessionId!);
      control.abort();
    }
  })();
  await Bun.sleep(200);
  const made = await matchd.sessions.create({ game: 'tictactoe', players: PLAYERS });
  await reading;
  expect(seen).toEqual([made.sessionId]);
  const page = await matchd.events.list({ types: ['session.created'], limit: 1 }).page();
  expect(page.data[0]?.type).toBe('session.created');
});

test('[P3][P4] a fight is predicted on both sides and reaches the same state on both', async () => {
  const made = await matchd.sessions.create({ game: 'fight-arena', players: PLAYERS });
  const sides = await Promise.all(
    PLAYERS.map(async ({ id }) => {
      const client = connect({ url: server.url, token: made.tokens[id]! });
      const session = await client.firstSession();
      return { client, fight: await session.fight(), hashes: new Map<number, string>() };
    }),
  );
  const began = Date.now();
  let presses = 0;
  while (Date.now() - began < 6_000) {
    for (const [seat, { fight, hashes }] of sides.entries()) {
      presses += 1;
      fight.frame(Math.floor(presses / 40) % 2 === seat ? 2 - seat : 16);
      const { confirmed } = fight;
      if (confirmed !== null) hashes.set(confirmed.tick, fightArena.ticks.hash(confirmed));
    }
    await Bun.sleep(8);
  }
  const [one, other] = sides;
  expect(one!.fight.confirmed!.tick).toBeGreaterThan(150);
  const shared = [...one!.hashes].filter(([tick]) => other!.hashes.has(tick));
  expect(shared.length).toBeGreaterThan(20);
  for (const [tick, hash] of shared) expect([tick, hash]).toEqual([tick, other!.hashes.get(tick)!]);
  for (const { client, fight } of sides) {
    expect(fight.stats).toMatchObject({ desyncs: 0 });
    fight.stop();
    client.close();
  }
}, 30_000);

test('[H2] a refusal of the service is thrown with its code', async () => {
  const error = await matchd.sessions.get('ses_nobody').catch((each: unknown) => each);
  expect(error).toBeInstanceOf(MatchdError);
  expect(error).toMatchObject({ status: 404, code: 'session_not_found' });
  expect((error as MatchdError).requestId).not.toBeNull();
});
