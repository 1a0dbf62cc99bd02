/** The effects and contents of frames, over real sockets, each checked against the contract. */

import { afterEach, expect } from 'bun:test';
import { EMOTES } from '../contract/messages.ts';
import { makeManualClock } from '../testing/manual-clock.ts';
import { test } from '../testing/sockets/both-protocols.ts';
import type { SocketClient } from '../testing/sockets/socket-client.ts';
import {
  type Issuer,
  openSocketWorld,
  type SessionWish,
  type SocketWorld,
  until,
} from '../testing/sockets/socket-world.ts';
import { RATES } from './connection/buckets.ts';

let world: SocketWorld;
afterEach(() => world.close());

async function start(wish: SessionWish = {}) {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const { id, clients } = await world.startMatch(issuer, wish);
  return { issuer, id, clients, ann: clients[0], bob: clients[1] };
}

function mark(client: SocketClient, s: string, position: unknown, id = `m${position}`): void {
  client.send({ t: 'act', s, id, action: { position } });
}

/** Sends one frame and returns the frames that came back for it, abbreviated. */
async function answerTo(client: SocketClient, frame: object): Promise<string> {
  client.send(frame);
  const answer = await client.next('ack', 'reject');
  return answer.t === 'ack' ? `ack ${answer.v}` : answer.code;
}

// ── what is shown ──────────────────────────────────────────────────────────────────────────────

test('[P3] a match as both players receive it, from first to last', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const id = await world.makeSession(issuer);
  const ann = await world.enter(issuer, id, 'ann');
  const bob = await world.enter(issuer, id, 'bob');
  const moves = [0, 3, 1, 4, 2];
  for (const [ply, position] of moves.entries()) {
    const mover = ply % 2 === 0 ? ann : bob;
    mark(mover, id, position);
    await mover.next('ack');
  }
  await Promise.all([ann.next('over'), bob.next('over')]);
  const names = (client: SocketClient) =>
    client.frames.map((frame) => ('v' in frame ? `${frame.t} ${frame.v}` : frame.t));
  expect(names(ann)).toEqual(
    'welcome,state 1,presence 2,state 3,ack 4,update 4,update 5,ack 6,update 6,update 7,ack 8,update 8,over 9'.split(
      ',',
    ),
  );
  expect(names(bob)).toEqual(
    'welcome,state 3,update 4,ack 5,update 5,update 6,ack 7,update 7,update 8,over 9'.split(','),
  );
  expect(ann.frames.at(-1)).toEqual(bob.frames.at(-1)!);
  expect(ann.frames.at(-1)).toMatchObject({
    s: id,
    result: { winner: 'ann', reason: 'three_in_a_row', line: [0, 1, 2], moveCount: 5 },
  });
});

test('[P3] every seat gets a whole state with status active when the match begins', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const id = await world.makeSession(issuer);
  const ann = await world.enter(issuer, id, 'ann');
  expect(ann.frames.at(-1)).toMatchObject({ status: 'pending', turn: null, legal: [] });
  const bob = await world.enter(issuer, id, 'bob');
  const [mine, his] = [await ann.next('state'), bob.frames.at(-1)!];
  const legal = Array.from({ length: 9 }, (_, position) => ({ position }));
  const players = [
    { id: 'ann', displayName: null, seat: 0, isBot: false, connected: true },
    { id: 'bob', displayName: null, seat: 1, isBot: false, connected: true },
  ];
  const shown = { s: id, v: 3, game: 'tictactoe', status: 'active', players, turn: 0, legal };
  expect(mine).toMatchObject({ ...shown, seat: 0, prev: 2 });
  expect(his).toMatchObject({ ...shown, seat: 1 });
});

test('[P3] prev chains every frame of a session to the one before; a state begins a chain', async () => {
  const { issuer, id, ann, bob } = await start({ game: 'connect4' });
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'bob') });
  await lobby.next('state');
  for (let ply = 0; ply < 6; ply++) {
    const mover = ply % 2 === 0 ? ann : bob;
    mover.send({ t: 'act', s: id, id: `${ply}`, action: { column: ply } });
    await mover.next('ack');
    if (ply === 2) mover.send({ t: 'emote', s: id, emote: 'clap' });
    if (ply === 3) mover.send({ t: 'draw', s: id, id: 'd', do: 'offer' });
    if (ply === 4) await mover.settle();
  }
  ann.send({ t: 'resign', s: id, id: 'r' });
  await Promise.all([ann, bob, lobby].map((client) => client.next('over')));
  for (const client of [ann, bob, lobby]) {
    let last: number | null = null;
    for (const frame of client.frames) {
      if (!('prev' in frame) || frame.t === 'ack') continue;
      if (last !== null && frame.prev !== last) throw new Error(JSON.stringify(client.frames));
      last = frame.v;
    }
    expect(last).toBe((await world.logOf(id)).length - 1);
  }
});

test('[P3] sync returns the whole state; ping returns pong with the time', async () => {
  const { id, ann } = await start();
  mark(ann, id, 4);
  await ann.next('update');
  ann.send({ t: 'sync', s: id });
  expect(await ann.next('state')).toMatchObject({ s: id, v: 4, prev: 4, turn: 1 });
  ann.send({ t: 'ping', n: 0.5 });
  const { n, now } = await ann.next('pong');
  expect(n).toBe(0.5);
  expect(Math.abs(Date.parse(now) - world.clock.now())).toBeLessThan(1_000);
});

test('[P3][S9] the entropy is shown once, before the start; the seed is in no frame before the end', async () => {
  world = await openSocketWorld();
  const issuer = await world.makeIssuer();
  const id = await world.makeSession(issuer);
  const ann = await world.enter(issuer, id, 'ann');
  ann.send({ t: 'entropy', s: id, value: 'my dog' });
  await ann.next('state');
  ann.send({ t: 'entropy', s: id, value: 'my cat' });
  expect(await ann.next('reject')).toMatchObject({ s: id, id: null, code: 'entropy_given' });
  const bob = await world.enter(issuer, id, 'bob');
  bob.send({ t: 'entropy', s: id, value: 'late' });
  expect(await bob.next('reject')).toMatchObject({ code: 'entropy_too_late' });
  const { seed } = (await world.match(id)).session.setup;
  expect(JSON.stringify([ann.frames, bob.frames])).not.toContain(seed);
});

// ── commands and their ids ─────────────────────────────────────────────────────────────────────

test('[P4] the ack comes after the commit, and so does what the others see', async () => {
  const { id, ann, bob } = await start();
  const { commit } = world.store;
  let release = (): void => {};
  world.store.commit = (match, done) =>
    commit(match, (outcome) => {
      release = () => done(outcome);
    });
  mark(ann, id, 4);
  await until(async () => (await world.logOf(id)).length === 5);
  expect(await ann.settle()).toEqual([]);
  expect(await bob.settle()).toEqual([]);
  world.store.commit = commit;
  release();
  expect(await ann.next('ack')).toMatchObject({ s: id, id: 'm4', v: 4 });
  expect(await bob.next('update')).toMatchObject({ v: 4, seat: 0, action: { position: 4 } });
  expect((await ann.settle()).map(({ t }) => t)).toEqual(['update']);
});

test('[P4] a repeat gets the first ack: on this socket, on another, after a restart', async () => {
  const { issuer, id, ann, bob } = await start();
  mark(ann, id, 4, 'x');
  expect(await ann.next('ack')).toMatchObject({ id: 'x', v: 4 });
  mark(bob, id, 0, 'x');
  expect(await bob.next('ack')).toMatchObject({ id: 'x', v: 5 });
  expect(await answerTo(ann, { t: 'act', s: id, id: 'x', action: { position: 4 } })).toBe('ack 4');
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  await lobby.next('state');
  expect(await answerTo(lobby, { t: 'act', s: id, id: 'x', action: { position: 4 } })).toBe(
    'ack 4',
  );
  const { database } = world;
  await world.leave();
  world = await openSocketWorld({ database });
  const again = await world.enter(issuer, id, 'ann');
  const before = (await world.logOf(id)).length;
  expect(await answerTo(again, { t: 'act', s: id, id: 'x', action: { position: 4 } })).toBe(
    'ack 4',
  );
  expect(await world.logOf(id)).toHaveLength(before);
  expect(await answerTo(again, { t: 'act', s: id, id: 'x', action: { position: 1 } })).toBe(
    'id_reused',
  );
});

test('[P4] resignations and draws have their effect once, too; two commands cannot share an id', async () => {
  const { id, ann, bob } = await start({ game: 'connect4' });
  const offer = { t: 'draw', s: id, id: 'd', do: 'offer' };
  expect(await answerTo(ann, offer)).toBe('ack 4');
  expect(await answerTo(ann, offer)).toBe('ack 4');
  expect(await answerTo(ann, { t: 'resign', s: id, id: 'd' })).toBe('id_reused');
  expect(await answerTo(bob, { t: 'resign', s: id, id: 'd' })).toBe('ack 5');
  expect(await answerTo(bob, { t: 'resign', s: id, id: 'd' })).toBe('ack 5');
  expect(await answerTo(bob, { t: 'resign', s: id, id: 'e' })).toBe('session_ended');
});

test('[P4] the id of a rejected command may be used again', async () => {
  const { id, ann, bob } = await start();
  mark(bob, id, 4, 'x');
  expect((await bob.next('reject')).code).toBe('not_your_turn');
  mark(ann, id, 0);
  await ann.next('ack');
  expect(await answerTo(bob, { t: 'act', s: id, id: 'x', action: { position: 5 } })).toBe('ack 5');
});

test('[P4] hello with resume shows a state only where the client is behind', async () => {
  const { issuer, id, ann } = await start();
  mark(ann, id, 4);
  await ann.next('update');
  for (const [v, states] of [
    [4, 0],
    [3, 1],
    [0, 1],
    [99, 1],
  ] as const) {
    ann.send({ t: 'hello', resume: { [id]: v, ses_other: 1 } });
    expect((await ann.settle()).map(({ t }) => t)).toEqual(Array(states).fill('state'));
  }
  const again = await world.open();
  const token = world.sessionToken(issuer, id, 'ann');
  again.send({ t: 'hello', token, resume: { [id]: 4 } });
  await again.next('welcome');
  expect((await again.settle()).map(({ t }) => t)).toEqual(['state']);
});

test('[F3] a client that reconnects with a later version than the log has is counted', async () => {
  const { issuer, id, ann } = await start();
  mark(ann, id, 4);
  await ann.next('update');
  ann.send({ t: 'hello', resume: { [id]: 4, ses_other: 99 } });
  await ann.settle();
  expect(world.host.stats.ahead).toBe(0);
  ann.send({ t: 'hello', resume: { [id]: 5 } });
  await ann.settle();
  expect(world.host.stats.ahead).toBe(1);
  // Also in the hello that opens the socket.
  const again = await world.open();
  const token = world.sessionToken(issuer, id, 'ann');
  again.send({ t: 'hello', token, resume: { [id]: 99, ses_other: 99 } });
  await again.next('welcome');
  await again.settle();
  expect(world.host.stats.ahead).toBe(2);
});

test('[P2][P4] hello with resume shows a lobby sessions that ended while it was disconnected, and repeats its acks', async () => {
  const { issuer, id, ann, bob } = await start();
  const mine = { t: 'act', s: id, id: 'mine', action: { position: 4 } };
  ann.send(mine);
  const { v } = await ann.next('ack');
  bob.send({ t: 'resign', s: id, id: 'r' });
  await bob.next('ack');
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  expect((await lobby.next('welcome')).sessions).toEqual([]);
  lobby.send({ t: 'hello', resume: { [id]: 1 } });
  expect(await lobby.next('state')).toMatchObject({ s: id, status: 'ended', turn: null });
  lobby.send(mine);
  expect(await lobby.next('ack')).toMatchObject({ id: 'mine', v });
});

test('[P2] hello with resume does not query the store for invalid session ids', async () => {
  const { issuer } = await start();
  const asked: string[] = [];
  const { loadSession } = world.store;
  world.store.loadSession = (id) => {
    asked.push(id);
    return loadSession(id);
  };
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'zed') });
  await lobby.next('welcome');
  const known = `ses_${'0'.repeat(26)}`;
  const names = ['ses_\u0000', 'x', known.slice(1), known];
  lobby.send({ t: 'hello', resume: Object.fromEntries(names.map((s) => [s, 0])) });
  const rejects = [];
  for (const _ of names) rejects.push(await lobby.next('reject'));
  expect(rejects.map(({ s }) => s).sort()).toEqual(names.toSorted());
  expect(new Set(rejects.map(({ id, code }) => `${id} ${code}`))).toEqual(
    new Set(['null unknown_session']),
  );
  expect(asked).toEqual([known]);
});

test('[P2] hello with resume tells a lobby which sessions it no longer shows: of others, of the other mode, long over', async () => {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  const issuer = await world.makeIssuer();
  const test = await world.makeIssuer(issuer.tenant, { mode: 'test' });
  const { id, clients } = await world.startMatch(issuer);
  const others = await world.makeSession(issuer, { players: ['bob', 'cid'] });
  const tests = await world.makeSession(test);
  clients[1].send({ t: 'resign', s: id, id: 'r' });
  await clients[1].next('over');
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  await lobby.next('welcome');
  clock.advance(10 * 60_000 + 1);
  for (const s of [id, others, tests, 'ses_none']) {
    lobby.send({ t: 'hello', resume: { [s]: 1 } });
    expect(await lobby.next('reject')).toMatchObject({ s, id: null, code: 'unknown_session' });
  }
  // Each that is looked up counts as a whole state.
  const { burst } = RATES.state;
  const many = Object.fromEntries(Array.from({ length: burst }, (_, n) => [`ses_${n}`, 0]));
  lobby.send({ t: 'hello', resume: many });
  const codes = (await lobby.settle()).map((frame) => frame.t === 'reject' && frame.code);
  expect(codes.filter((code) => code === 'too_fast')).toHaveLength(4);
});

test('[P5] a hello counts as one more message for each 32 sessions it names', async () => {
  const clock = makeManualClock();
  world = await openSocketWorld({ clock });
  const issuer = await world.makeIssuer();
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'ann') });
  await lobby.next('welcome');
  const resume = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`ses_${n}`, 0]));
  for (let n = 0; n < 10; n++) lobby.send({ t: 'hello', resume });
  // The first leaves 8 messages, the second none: the others are refused as a whole.
  await until(() => lobby.frames.length > 2_008);
  clock.advance(5_000);
  expect(await lobby.settle()).toHaveLength(2_008);
});

// ── refusals ───────────────────────────────────────────────────────────────────────────────────

test('[P7] a rejection names the fault, and the state stays unchanged', async () => {
  const { issuer, id, ann, bob } = await start();
  const other = await world.makeSession(issuer, { players: ['bob', 'cid'] });
  const pending = await world.makeSession(issuer, { players: ['ann', 'dee'] });
  const waiting = await world.enter(issuer, pending, 'ann');
  mark(ann, id, 4);
  await ann.next('ack');
  const act = (s: string, action: unknown) => ({ t: 'act', s, id: 'x', action });
  const before = await world.logOf(id);
  const wrong = [
    [ann, act(id, { position: 0 }), 'not_your_turn'],
    [bob, act(id, { position: 4 }), 'illegal_move'],
    [bob, act(id, { position: 9 }), 'bad_action'],
    [bob, act(id, { position: '0' }), 'bad_action'],
    [bob, act(id, { column: 0 }), 'bad_action'],
    [bob, act(id, null), 'bad_action'],
    [ann, act(id, { position: 0, id: 'm4' }), 'not_your_turn'],
    [ann, { ...act(id, { position: 1 }), id: 'm4' }, 'id_reused'],
    [bob, act(other, { position: 0 }), 'unknown_session'],
    [bob, act('ses_none', { position: 0 }), 'unknown_session'],
    [bob, { t: 'emote', s: other, emote: 'clap' }, 'unknown_session'],
    [bob, { t: 'draw', s: id, id: 'x', do: 'offer' }, 'draws_not_offered_here'],
    [waiting, act(pending, { position: 0 }), 'session_not_active'],
    [waiting, { t: 'resign', s: pending, id: 'x' }, 'session_not_active'],
  ] as const;
  for (const [client, frame, code] of wrong) expect(await answerTo(client, frame)).toBe(code);
  expect(await world.logOf(id)).toEqual(before);
  expect(await world.kindsOf(pending)).toEqual(['created', 'connected']);
  ann.send({ t: 'resign', s: id, id: 'r' });
  await bob.next('over');
  expect(await answerTo(bob, act(id, { position: 0 }))).toBe('session_ended');
});

test("[P7] more commands than a match's queue holds are busy", async () => {
  const { id, ann, bob } = await start();
  const { commit } = world.store;
  const held: (() => void)[] = [];
  world.store.commit = (match, done) => {
    held.push(() => commit(match, done));
  };
  mark(ann, id, 4);
  await until(() => held.length === 1);
  for (let n = 0; n < 36; n++) for (const client of [ann, bob]) mark(client, id, 0, `b${n}`);
  const { code } = await bob.next('reject');
  expect(code).toBe('busy');
  world.store.commit = commit;
  for (const go of held) go();
  await ann.next('ack');
});

test('[E4] there are twelve emotes, shown to everybody, and not recorded', async () => {
  const { id, ann, bob } = await start();
  expect(EMOTES).toHaveLength(12);
  for (const emote of EMOTES) {
    ann.send({ t: 'emote', s: id, emote });
    expect(await bob.next('emote')).toEqual({ t: 'emote', s: id, v: 3, prev: 3, seat: 0, emote });
  }
  expect(await world.logOf(id)).toHaveLength(4);
  ann.send({ t: 'emote', s: id, emote: 'wink' });
  expect((await ann.closed).code).toBe(4400);
});

test('[E4] in connect4 each player may offer a draw once per 10 moves, and the other accepts it', async () => {
  const { id, ann, bob } = await start({ game: 'connect4' });
  const draw = (step: string, n: string) => ({ t: 'draw', s: id, id: n, do: step });
  // Five times up and down the columns: no player has four in a row.
  const columns = [0, 1, 0, 1, 1, 0, 1, 0, 2, 3];
  expect(await answerTo(ann, draw('accept', 'x'))).toBe('no_draw_offer');
  expect(await answerTo(ann, draw('offer', 'a1'))).toBe('ack 4');
  expect(await answerTo(ann, draw('accept', 'x'))).toBe('no_draw_offer');
  expect(await answerTo(ann, draw('offer', 'x'))).toBe('draw_offer_too_soon');
  expect(await answerTo(bob, draw('decline', 'b1'))).toBe('ack 5');
  expect(await answerTo(bob, draw('offer', 'b2'))).toBe('ack 6');
  for (const [ply, column] of columns.entries()) {
    if (ply === 9) expect(await answerTo(ann, draw('offer', 'x'))).toBe('draw_offer_too_soon');
    const mover = ply % 2 === 0 ? ann : bob;
    expect(await answerTo(mover, { t: 'act', s: id, id: `m${ply}`, action: { column } })).toMatch(
      'ack',
    );
  }
  expect(await answerTo(ann, draw('offer', 'a2'))).toMatch('ack');
  expect(await answerTo(bob, draw('accept', 'b3'))).toMatch('ack');
  expect(await ann.next('over')).toMatchObject({ result: { winner: null, reason: 'draw_agreed' } });
});

test('[S10] a watcher sees the match and can send nothing to it', async () => {
  const { issuer, id, ann } = await start({ game: 'connect4' });
  const token = world.makeToken(issuer, { scope: 'watch', session: id });
  const named = world.makeToken(issuer, { scope: 'watch', session: id, player: 'ann' });
  const watchers = [await world.open({ token }), await world.open({ token: named })];
  const before = await world.logOf(id);
  for (const watcher of watchers) {
    const { resumeToken } = await watcher.next('welcome');
    expect(world.tokens.parse(resumeToken, world.clock.now())?.scope).toBe('watch');
    expect(await watcher.next('state')).toMatchObject({ seat: null, status: 'active' });
    const tries = [
      { t: 'act', s: id, id: '1', action: { column: 0 } },
      { t: 'resign', s: id, id: '1' },
      { t: 'draw', s: id, id: '1', do: 'offer' },
      { t: 'emote', s: id, emote: 'clap' },
      { t: 'entropy', s: id, value: 'x' },
    ];
    for (const frame of tries) {
      watcher.send(frame);
      expect((await watcher.next('reject')).code).toBe('watch_only');
    }
  }
  expect(await world.logOf(id)).toEqual(before);
  expect(await ann.settle()).toEqual([]);
  ann.send({ t: 'act', s: id, id: '1', action: { column: 0 } });
  for (const watcher of watchers) {
    await watcher.next('update');
    await watcher.close();
  }
  expect((await ann.settle()).map(({ t }) => t)).toEqual(['ack', 'update']);
});

test('[P4] when a commit fails, the socket is shown what is stored and plays on', async () => {
  const { id, ann, bob } = await start();
  const { commit } = world.store;
  world.store.commit = (_, done) => {
    world.store.commit = commit;
    setTimeout(() => done('unknown'), 1);
  };
  mark(ann, id, 4);
  expect((await ann.next('reject')).code).toBe('unavailable');
  for (const client of [ann, bob]) expect(await client.next('state')).toMatchObject({ turn: 0 });
  mark(ann, id, 4);
  await ann.next('ack');
  await bob.next('update');
  expect((await world.match(id)).subscribers.length).toBe(2);
});

test('[P2] tenants do not see each other, even with the same player ids and sessions side by side', async () => {
  world = await openSocketWorld();
  const [a, b]: [Issuer, Issuer] = [await world.makeIssuer(), await world.makeIssuer()];
  const ofB = await world.makeSession(b);
  const lobby = await world.open({ token: world.lobbyToken(a, 'ann') });
  expect((await lobby.next('welcome')).sessions).toEqual([]);
  const theirs = await world.startMatch(b);
  for (const s of [ofB, theirs.id]) {
    const tries = [
      { t: 'sync', s },
      { t: 'act', s, id: '1', action: { position: 0 } },
      { t: 'emote', s, emote: 'clap' },
      { t: 'resign', s, id: '1' },
    ];
    for (const frame of tries) {
      lobby.send(frame);
      expect(await lobby.next('reject')).toMatchObject({ s, code: 'unknown_session' });
    }
    lobby.send({ t: 'hello', resume: { [s]: 0 } });
    expect(await lobby.next('reject')).toMatchObject({ s, code: 'unknown_session' });
    for (const scope of ['session', 'resume', 'watch'] as const) {
      const token = world.makeToken(a, {
        scope,
        session: s,
        player: scope === 'watch' ? null : 'ann',
      });
      const client = await world.open({ token });
      expect((await client.closed).code).toBe(4401);
      expect(client.frames).toEqual([]);
    }
  }
  mark(theirs.clients[0], theirs.id, 4);
  await theirs.clients[0].next('ack');
  expect(await lobby.settle()).toEqual([]);
  expect(await world.kindsOf(ofB)).toEqual(['created']);
  // The other mode of one tenant is another world, too.
  const test = await world.makeIssuer(b.tenant, { mode: 'test' });
  const testLobby = await world.open({ token: world.lobbyToken(test, 'ann') });
  expect((await testLobby.next('welcome')).sessions).toEqual([]);
});
