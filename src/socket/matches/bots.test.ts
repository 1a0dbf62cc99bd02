/** The socket of a bot's program: all seats of its bot, and no others (rules B3, E4, P1). */

import { afterAll, beforeAll, expect } from 'bun:test';
import { test } from '../../testing/sockets/both-protocols.ts';
import {
  type Issuer,
  openSocketWorld,
  type SocketWorld,
} from '../../testing/sockets/socket-world.ts';

let world: SocketWorld;
let issuer: Issuer;
let made = 0;

beforeAll(async () => {
  world = await openSocketWorld();
});
afterAll(() => world.close());

/** A tenant whose only bot is an external one under that player id. */
async function makeTenantWithBot(playerId: string): Promise<string> {
  issuer = await world.makeIssuer();
  return makeBot(playerId, 'external');
}

async function makeBot(playerId: string, kind: 'external' | 'builtin'): Promise<string> {
  made += 1;
  const bot = {
    id: `bot_${made}`,
    tenant: issuer.tenant.id,
    mode: 'live',
    game: 'tictactoe',
    name: 'P',
    displayName: 'P',
    playerId,
    kind,
    difficulty: kind === 'builtin' ? 'hard' : null,
    weight: 1,
    active: true,
    createdAt: world.clock.now(),
    deletedAt: null,
  } as const;
  expect(await world.store.createBot(bot, 10, write('bot.created', bot.id))).toBe('created');
  return bot.id;
}

async function removeBot(id: string): Promise<void> {
  const { id: tenant } = issuer.tenant;
  const at = world.clock.now();
  expect(await world.store.removeBot(tenant, id, at, write('bot.deleted', id))).toBe(true);
}

function write(act: string, object: string) {
  const audit = { tenant: issuer.tenant.id, actor: 'test', act, object, at: world.clock.now() };
  return { audit, idempotency: null };
}

const botToken = (player: string): string => world.makeToken(issuer, { scope: 'bot', player });
const withBot = (player: string): Promise<string> =>
  world.makeSession(issuer, { matchType: 'bot', players: [player] });

test("[B3] a socket with a bot token has all the bot's sessions, and later ones", async () => {
  await makeTenantWithBot('rosa');
  const first = await withBot('ann');
  const program = await world.open({ token: botToken('rosa') });
  const welcome = await program.next('welcome');
  expect(welcome).toMatchObject({ player: 'rosa', sessions: [first] });
  expect(await program.next('state')).toMatchObject({ s: first, seat: 1, status: 'pending' });
  const second = await withBot('bob');
  expect(await program.next('state')).toMatchObject({ s: second, seat: 1 });
});

test('[B3] a bot acts over its socket, and counts as present with or without it', async () => {
  await makeTenantWithBot('rosa');
  const id = await withBot('ann');
  const ann = await world.enter(issuer, id, 'ann');
  // Active although no program of the bot has ever connected.
  expect((await world.match(id)).session.status).toBe('active');
  const program = await world.open({ token: botToken('rosa') });
  await program.next('state');
  ann.send({ t: 'act', s: id, id: 'a', action: { position: 4 } });
  expect(await program.next('update')).toMatchObject({ seat: 0, turn: 1 });
  program.send({ t: 'act', s: id, id: 'b', action: { position: 0 } });
  expect(await program.next('ack')).toMatchObject({ id: 'b' });
  program.close();
  await Bun.sleep(50);
  expect(await world.kindsOf(id)).toEqual(['created', 'connected', 'started', 'action', 'action']);
});

test("[E4] a bot's token opens no player's seat, and a player's token no bot's", async () => {
  await makeTenantWithBot('rosa');
  // A player with the same id.
  await world.makeSession(issuer, { players: ['rosa', 'ann'] });
  const theirs = await withBot('bob');
  const program = await world.open({ token: botToken('rosa') });
  expect((await program.next('welcome')).sessions).toEqual([theirs]);
  const lobby = await world.open({ token: world.lobbyToken(issuer, 'rosa') });
  expect((await lobby.next('welcome')).sessions).not.toContain(theirs);
  const token = world.sessionToken(issuer, theirs, 'rosa');
  const refused = await world.open({ token });
  expect(await refused.closed).toMatchObject({ code: 4401 });
});

test('[B3][E4] a seat played by the service is not shown to a program whose bot had the same id before', async () => {
  const old = await makeTenantWithBot('rosa');
  const program = await world.open({ token: botToken('rosa') });
  await program.next('welcome');
  await removeBot(old);
  await makeBot('rosa', 'builtin');
  const id = await withBot('ann');
  expect((await world.match(id)).session.seats[1]!.level).toBe('hard');
  await world.enter(issuer, id, 'ann');
  const refusesMoves = async (socket: typeof program): Promise<void> => {
    socket.send({ t: 'resign', s: id, id: 'r' });
    expect(await socket.next('reject')).toMatchObject({ code: 'unknown_session' });
  };
  await refusesMoves(program);
  const later = await world.open({ token: botToken('rosa') });
  expect((await later.next('welcome')).sessions).toEqual([]);
  await refusesMoves(later);
  expect(await world.kindsOf(id)).toEqual(['created', 'connected', 'started']);
});

test('[B3][P2] a bot reconnects with its resume token, and its newer socket replaces the older', async () => {
  await makeTenantWithBot('rosa');
  const id = await withBot('ann');
  const first = await world.open({ token: botToken('rosa') });
  const { resumeToken } = await first.next('welcome');
  const second = await world.open({ token: String(resumeToken) });
  expect((await second.next('welcome')).sessions).toEqual([id]);
  expect(await first.closed).toMatchObject({ code: 4409 });
});
