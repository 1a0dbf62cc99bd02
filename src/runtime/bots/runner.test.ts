/** Seats that the service plays: over the real store, with real thinking threads. */

import { afterEach, expect, test } from 'bun:test';
import type { Json } from '../../../game/src/game.ts';
import { makeAsking } from '../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';
import type { MatchView } from '../host/work.ts';

let world: HttpService;
const left: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const leave of left.splice(0)) await leave();
});

async function open(): Promise<{ world: HttpService; key: string }> {
  world = await openHttpService();
  left.push(() => world.close());
  return { world, key: await world.makeKey(await world.makeTenant(), 'test') };
}

async function look(id: string): Promise<MatchView> {
  return (await world.host.peek(id))!;
}

/** A bot's violations. */
function faults(): unknown[] {
  return world.lines.filter(({ level }) => level === 'error');
}

/** Waits in real time, in which threads think, until the condition holds. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 2_000; tries += 1) {
    if (await isSo()) return;
    await Bun.sleep(5);
  }
  throw new Error('It never became so');
}

/** Connects the human's seat and plays it with `choose` until the match is over. */
async function playOn(id: string, choose: (legal: readonly Json[]) => Json): Promise<void> {
  let n = 0;
  const frames: { t: string; turn: number | null; legal?: Json[] }[] = [];
  const subscriber = {
    viewer: 0,
    player: null,
    send: (texts: readonly string[]) => void frames.push(...texts.map((text) => JSON.parse(text))),
    lost: () => {},
  };
  await new Promise<void>((resolve) => world.host.attach(id, subscriber, () => resolve()));
  frames.push(JSON.parse(world.host.stateFor(id, 0)[0]!));
  await until(async () => {
    const last = frames.splice(0).findLast(({ t }) => t === 'state' || t === 'update');
    if (last?.turn === 0 && last.legal !== undefined && last.legal.length > 0) {
      n += 1;
      world.host.play(id, 0, { kind: 'act', id: `h${n}`, action: choose(last.legal) }, subscriber);
    }
    return (await look(id)).session.status === 'ended';
  });
}

async function train(key: string, game: string, botDifficulty = 'easy'): Promise<string> {
  const ask = makeAsking(world.app, key);
  const body = { game, mode: 'training', options: { botDifficulty } };
  const made = await ask('/v1/sessions', { body });
  expect(made.status).toBe(201);
  return made.json.sessionId;
}

test.each(['easy', 'medium', 'hard', 'perfect'])(
  '[B4][S4] a %s bot plays tictactoe to the end, and the log shows it',
  async (level) => {
    const { key } = await open();
    const id = await train(key, 'tictactoe', level);
    await playOn(id, (legal) => legal[0]!);
    const { session } = await look(id);
    expect(session.status).toBe('ended');
    const { entries } = (await world.store.loadSession(id))!;
    const moves = entries.flatMap(({ v, record }) =>
      record.k === 'action' && record.seat === 1 ? [`${record.id} ${v}`] : [],
    );
    expect(moves.length).toBeGreaterThan(0);
    const figures = world.botRunner.figures();
    expect([figures.moves.get('tictactoe'), figures.faults]).toEqual([moves.length, 0]);
    for (const move of moves) {
      const [name, v] = move.split(' ');
      expect(name).toBe(`bot-${Number(v) - 1}`);
    }
    const ask = makeAsking(world.app, key);
    const verified = await ask(`/v1/sessions/${id}/verify`, { method: 'POST' });
    expect(verified.json.ok).toBe(true);
    const { json } = await ask(`/v1/sessions/${id}`);
    expect(json.result.placements.map((each: { isBot: boolean }) => each.isBot).sort()).toEqual([
      false,
      true,
    ]);
    expect(faults()).toEqual([]);
  },
);

test('[B4] a bot of connect4 moves on its turn only', async () => {
  const { key } = await open();
  const id = await train(key, 'connect4', 'medium');
  await playOn(id, (legal) => legal[legal.length >> 1]!);
  expect((await look(id)).session.status).toBe('ended');
  expect(world.botRunner.figures().underWay).toBe(0);
  expect(faults()).toEqual([]);
});

test('[B1][B4] a bot deleted during a match plays on to the end', async () => {
  const { key } = await open();
  const ask = makeAsking(world.app, key);
  const bot = await ask('/v1/bots', { body: { game: 'tictactoe', name: 'R', kind: 'builtin' } });
  const body = { game: 'tictactoe', matchType: 'bot', players: [{ id: 'ann' }] };
  const { json } = await ask('/v1/sessions', { body });
  await ask(`/v1/bots/${bot.json.id}`, { method: 'DELETE' });
  await playOn(json.sessionId, (legal) => legal[0]!);
  expect((await look(json.sessionId)).session.status).toBe('ended');
});

test('[B4] a session with a bot to move stays in memory', async () => {
  const { key } = await open();
  const ask = makeAsking(world.app, key);
  const made = await ask('/v1/bots', {
    body: { game: 'connect4', name: 'P', kind: 'builtin', difficulty: 'perfect' },
  });
  expect(made.status).toBe(201);
  await world.botRunner.stop(); // As if it thought without limit.
  const id = await train(key, 'connect4');
  const subscriber = { viewer: 0, player: null, send: () => {}, lost: () => {} };
  await new Promise<void>((resolve) => world.host.attach(id, subscriber, () => resolve()));
  const played = await world.host.playAs(
    id,
    { seat: 0, player: null },
    { kind: 'act', id: 'a', action: { column: 3 } },
  );
  expect(played.kind).toBe('done');
  world.host.detach(id, subscriber);
  await until(async () => !(await look(id)).session.seats[0]!.connected);
  await world.clock.advance(15_000);
  await world.host.maintain();
  expect(world.host.size()).toBe(1);
});

test('[B4] a sleeping session with a bot to move is due at once', async () => {
  const { key } = await open();
  await world.botRunner.stop();
  const id = await train(key, 'connect4');
  const subscriber = { viewer: 0, player: null, send: () => {}, lost: () => {} };
  await new Promise<void>((resolve) => world.host.attach(id, subscriber, () => resolve()));
  await world.host.playAs(
    id,
    { seat: 0, player: null },
    { kind: 'act', id: 'a', action: { column: 3 } },
  );
  world.host.detach(id, subscriber);
  await until(async () => !(await look(id)).session.seats[0]!.connected);
  await world.host.drain();
  expect(await world.store.claimDue(world.clock.now(), 10)).toEqual([id]);
});
