/** A match that hides information, as tenants, players and the dashboard see it. */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { AnyGame } from '../../game/src/game.ts';
import type { Subscriber } from '../runtime/host/work.ts';
import { installGame } from '../testing/matches/install-game.ts';
import { sealedBids } from '../testing/matches/sealed-bids.ts';
import { type Asking, makeAsking } from '../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../testing/service/http-service.ts';
import { timelineOf } from './dashboard/endpoints/timeline.ts';

const game = sealedBids as AnyGame;
installGame(game);

let http: HttpService;
let ask: Asking;
let session: string;
/** The frames sent to each seat, and last to a watcher. */
let sent: string[][];

beforeEach(async () => {
  http = await openHttpService();
  const tenant = await http.makeTenant();
  ask = makeAsking(http.app, await http.makeKey(tenant, 'live'));
  const players = ['ada', 'ben', 'cyn'].map((id) => ({ id }));
  const body = { game: game.id, seats: 3, players };
  const { json } = await ask('/v1/sessions', { body });
  session = json.sessionId;
  sent = [[], [], [], []];
  for (const viewer of [0, 1, 2, null]) await attach(viewer);
});
afterEach(() => http.close());

function subscriberOf(viewer: number | null): Subscriber {
  const texts = sent[viewer ?? 3]!;
  return { viewer, player: null, send: (frames) => void texts.push(...frames), lost: () => {} };
}

function attach(viewer: number | null): Promise<void> {
  return new Promise((done) => http.host.attach(session, subscriberOf(viewer), () => done()));
}

function bid(seat: number, amount: number): Promise<void> {
  const command = { kind: 'act', id: `b${amount}`, action: { bid: amount } } as const;
  return new Promise((done) =>
    http.host.play(session, seat, command, { ...subscriberOf(seat), send: () => done() }),
  );
}

test('[S9d][S7] replay and verification of hidden information are available after the end', async () => {
  await bid(0, 3);
  const refused = { status: 409, json: { error: 'Session has not ended' } };
  expect(await ask(`/v1/sessions/${session}/replay`)).toMatchObject(refused);
  expect(await ask(`/v1/sessions/${session}/verify`, { body: {} })).toMatchObject(refused);
  const { json } = await ask('/v1/players/ada/export');
  expect(json.sessions).toMatchObject([{ sessionId: session, replay: null }]);
  await ask(`/v1/sessions/${session}/end`, { body: {} });
  const replay = await ask(`/v1/sessions/${session}/replay`);
  expect(replay.json.inputs).toMatchObject([{ seat: 0, action: { bid: 3 } }]);
  expect(replay.json.chance[0].draws).toHaveLength(3);
  const verified = await ask(`/v1/sessions/${session}/verify`, { body: {} });
  expect(verified.json).toMatchObject({ ok: true });
});

test('[S9d][E1] the event of a hidden action reports that it was made, and not its content', async () => {
  await bid(1, 2);
  const { json } = await ask('/v1/events?limit=100');
  const moves = json.data.filter((event: { type: string }) => event.type === 'move.made');
  expect(moves).toHaveLength(1);
  expect(moves[0].data).toMatchObject({ seat: 1, action: null });
});

test("[S9d] the dashboard's timeline shows no action before the end", async () => {
  await bid(2, 1);
  const { entries } = (await http.store.loadSession(session))!;
  const hidden = timelineOf(entries, true).find(({ kind }) => kind === 'action');
  expect(hidden).toMatchObject({ seat: 2, detail: null });
  const shown = timelineOf(entries, false).find(({ kind }) => kind === 'action');
  expect(shown).toMatchObject({ seat: 2, detail: { bid: 1 } });
});

test('[S9d][P3] a seat is sent its own value and bid, others and watchers neither', async () => {
  const { entries } = (await http.store.loadSession(session))!;
  const view = (await http.host.peek(session))!;
  const { values } = (view.session as never as { play: { state: { values: number[] } } }).play
    .state;
  await bid(0, 3);
  expect(entries.length).toBeGreaterThan(0);
  const last = sent.map((texts) => JSON.parse(texts.at(-1)!));
  expect(last.slice(1).map(({ action }) => action)).toEqual([null, null, null]);
  expect(last.slice(1).map((frame) => frame.view.value)).toEqual([values[1], values[2], null]);
  for (const frame of last.slice(1)) {
    expect(frame.view.bid ?? null).toBeNull();
    expect(Object.keys(frame.view).sort()).toEqual(
      ['bid', 'hasBid', 'out', 'round', 'scores', 'shown', 'value'].sort(),
    );
  }
});
