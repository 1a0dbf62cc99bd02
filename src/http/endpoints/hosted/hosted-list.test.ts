/** The list of tickets through the whole HTTP side (rule M6). */

import { afterAll, beforeAll, expect, test } from 'bun:test';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Asking, makeAsking } from '../../../testing/service/asking.ts';
import { HOSTED, makeHostedAsking, presenceOf } from '../../../testing/service/hosted-asking.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';

const VALID_GAMES = 'checkers, tictactoe, connect4, fight-arena, pool, ludo';

let http: HttpService;
let tenant: Tenant;
let ask: Asking;

beforeAll(async () => {
  http = await openHttpService();
  tenant = await http.makeTenant();
  ask = makeAsking(http.app, await http.makeKey(tenant, 'test'));
});
afterAll(() => http.close());

const find = async (query: string, asking = ask) =>
  (await asking(`${HOSTED}/ticket?${query}`)).json;
const ids = (page: { data: readonly { ticketId: string }[] }) =>
  page.data.map(({ ticketId }) => ticketId);

test('[M6] finds tickets by state and player, the newest first, in pages that stay put', async () => {
  const own = await http.makeTenant();
  const asking = makeAsking(http.app, await http.makeKey(own, 'test'));
  const connectOwn = (player: string) => http.store.setPresence(presenceOf(own.id, 'test', player));
  const ownHosted = makeHostedAsking(asking, connectOwn);
  const tickets: string[] = [];
  for (let n = 0; n < 5; n++) {
    tickets.push(await ownHosted.ticket());
    http.clock.advance(1);
  }
  await connectOwn('ann');
  await ownHosted.add(tickets[1]!, 'ann');
  await ownHosted.promote(tickets[1]!);
  await ownHosted.add(tickets[3]!, 'ann');
  await ownHosted.call('DELETE', `/ticket/${tickets[4]}`);
  const first = await find('game=tictactoe&limit=2', asking);
  expect(ids(first)).toEqual([tickets[4]!, tickets[3]!]);
  expect(first.data[1]).toEqual(
    (await asking(`${HOSTED}/ticket/${tickets[3]}?game=tictactoe`)).json,
  );
  await ownHosted.ticket();
  const second = await find(`game=tictactoe&cursor=${first.nextCursor}`, asking);
  expect(ids(second)).toEqual([tickets[2]!, tickets[1]!, tickets[0]!]);
  expect(second.nextCursor).toBeNull();
  expect(ids(await find('game=tictactoe&status=promoted', asking))).toEqual([tickets[1]!]);
  expect(ids(await find('game=tictactoe&status=cancelled', asking))).toEqual([tickets[4]!]);
  expect(ids(await find('game=tictactoe&player=ann', asking))).toEqual([tickets[3]!, tickets[1]!]);
  expect(ids(await find('game=tictactoe&player=ann&status=forming', asking))).toEqual([
    tickets[3]!,
  ]);
  expect(ids(await find('game=ludo', asking))).toEqual([]);
});

test('[M6][K3] shows a key the tickets of its own mode alone', async () => {
  await makeHostedAsking(ask, async () => {}).ticket();
  for (const stranger of [
    await http.makeKey(tenant, 'live'),
    await http.makeKey(await http.makeTenant(), 'test'),
  ]) {
    const asking = makeAsking(http.app, stranger);
    expect(await find('game=tictactoe', asking)).toEqual({ data: [], nextCursor: null });
  }
});

test.each([
  ['', 'game is required'],
  ['game=chess', `Invalid game. Valid: ${VALID_GAMES}`],
  ['game=ludo&status=open', 'Invalid status. Valid: forming, promoted, started, cancelled'],
  ['game=ludo&player=%00', 'Invalid player'],
  ['game=ludo&limit=0', 'Invalid limit'],
  ['game=ludo&cursor=x', 'Invalid cursor'],
  ['game=ludo&game=ludo', 'Invalid game'],
])('[M6][H9] ?%s', async (query, error) => {
  const { status, json } = await ask(`${HOSTED}/ticket?${query}`);
  expect([status, json]).toEqual([400, { error }]);
});
