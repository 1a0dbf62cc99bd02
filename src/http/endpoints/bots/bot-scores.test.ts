/** A bot's score, by the level it played at (rule B1a). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Asking, makeAsking } from '../../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';

let world: HttpService;
let tenant: Tenant;
let live: Asking;
let ask: Asking;

beforeAll(async () => {
  world = await openHttpService();
  tenant = await world.makeTenant();
  ask = makeAsking(world.app, await world.makeKey(tenant, 'test'));
  live = makeAsking(world.app, await world.makeKey(tenant, 'live'));
});
afterAll(() => world.close());

let players = 0;

/** A running match against the bot. */
async function begin(by: Asking, bot: string): Promise<string> {
  players += 1;
  const body = { game: 'tictactoe', matchType: 'private', players: [{ id: `p${players}` }] };
  const { json } = await by('/v1/sessions', { body });
  const seated = await by(`/v1/sessions/${json.sessionId}/bots`, { body: { botId: bot } });
  expect(seated.status).toBe(201);
  const subscriber = { viewer: 0, player: null, send: () => {}, lost: () => {} };
  await new Promise<void>((resolve) =>
    world.host.attach(json.sessionId, subscriber, () => resolve()),
  );
  return json.sessionId;
}

/** A match that the human resigns. */
async function lose(by: Asking, bot: string): Promise<void> {
  const session = await begin(by, bot);
  const command = { kind: 'resign', id: 'r' } as const;
  const done = await world.host.playAs(session, { seat: 0, player: null }, command);
  expect(done.kind).toBe('done');
}

async function makeBot(by: Asking, fields: object = {}): Promise<string> {
  const body = { game: 'tictactoe', name: 'Rosa', kind: 'builtin', difficulty: 'hard', ...fields };
  return (await by('/v1/bots', { body })).json.id;
}

const scoreOf = async (by: Asking, bot: string) => (await by(`/v1/bots/${bot}`)).json.score;

test('[B1a] a bot’s score counts at the level it was seated with', async () => {
  const bot = await makeBot(ask);
  expect(await scoreOf(ask, bot)).toEqual([]);
  await lose(ask, bot);
  const underWay = await begin(ask, bot);
  await ask(`/v1/bots/${bot}`, { method: 'PATCH', body: { difficulty: 'easy' } });
  await world.host.playAs(underWay, { seat: 0, player: null }, { kind: 'resign', id: 'r' });
  await lose(ask, bot);
  const won = (difficulty: string, n: number) => ({
    mode: 'test',
    difficulty,
    matches: n,
    wins: n,
    losses: 0,
    draws: 0,
  });
  expect(await scoreOf(ask, bot)).toEqual([won('easy', 1), won('hard', 2)]);
  const listed = (await ask('/v1/bots')).json.data as { id: string; score: unknown }[];
  expect(listed.find(({ id }) => id === bot)?.score).toEqual([won('easy', 1), won('hard', 2)]);
});

test('[B1a] aborted matches do not count, and an external bot has no level', async () => {
  const bot = await makeBot(ask, { kind: 'external', difficulty: undefined });
  const session = await begin(ask, bot);
  expect((await ask(`/v1/sessions/${session}/end`, { method: 'POST' })).status).toBe(200);
  expect(await scoreOf(ask, bot)).toEqual([]);
  await lose(ask, bot);
  expect(await scoreOf(ask, bot)).toMatchObject([{ difficulty: null, matches: 1, wins: 1 }]);
});

test('[B1a][K3] a live bot’s score is kept by mode, and a test key sees none of its live score', async () => {
  const bot = await makeBot(live);
  await lose(live, bot);
  await lose(ask, bot);
  await lose(ask, bot);
  const shown = async (by: Asking) =>
    ((await scoreOf(by, bot)) as { mode: string; matches: number }[]).map(({ mode, matches }) => [
      mode,
      matches,
    ]);
  expect(await shown(live)).toEqual([
    ['live', 1],
    ['test', 2],
  ]);
  expect(await shown(ask)).toEqual([['test', 2]]);
});
