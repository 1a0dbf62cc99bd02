/** Tickets, groups and the pool through the whole HTTP side, on a real store (rules M1 to M4, M6). */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Tenant } from '../../../tenancy/tenant.ts';
import { type Asking, makeAsking } from '../../../testing/service/asking.ts';
import {
  HOSTED,
  type HostedAsking,
  makeHostedAsking,
  presenceOf,
} from '../../../testing/service/hosted-asking.ts';
import { type HttpService, openHttpService } from '../../../testing/service/http-service.ts';

const VALID_GAMES = 'checkers, tictactoe, connect4, fight-arena, pool, ludo';
const UNKNOWN = 'tkt_01kafw3q9t5ne8rz2m4xbcd7hj';

let http: HttpService;
let tenant: Tenant;
let key: string;
let ask: Asking;
let hosted: HostedAsking;
let players = 0;

const connect = (player: string) => http.store.setPresence(presenceOf(tenant.id, 'test', player));
const leave = (player: string) =>
  http.store.setPresence(presenceOf(tenant.id, 'test', player, false));
/** A new player, connected. */
async function newcomer(): Promise<string> {
  players += 1;
  await connect(`p${players}`);
  return `p${players}`;
}
const lookAt = async (ticket: string) => (await hosted.call('GET', `/ticket/${ticket}`)).json;
const idsOf = (list: readonly { id: string }[]) => list.map(({ id }) => id);

beforeAll(async () => {
  http = await openHttpService();
  tenant = await http.makeTenant();
  key = await http.makeKey(tenant, 'test');
  ask = makeAsking(http.app, key);
  hosted = makeHostedAsking(ask, connect);
});
afterAll(() => http.close());

describe('tickets', () => {
  test('[M1] a ticket is created empty, with as many places as the game has seats', async () => {
    for (const [game, seats] of [
      ['tictactoe', 2],
      ['connect4', 2],
      ['ludo', 4],
      ['pool', 2],
    ] as const) {
      const made = await ask(`${HOSTED}/ticket?game=${game}`, { method: 'POST' });
      expect(made.status).toBe(201);
      expect(Object.keys(made.json)).toEqual(['ticketId']);
      expect(made.json.ticketId).toMatch(/^tkt_[0-9a-z]{26}$/);
      const { json } = await ask(`${HOSTED}/ticket/${made.json.ticketId}?game=${game}`);
      expect(json).toEqual({
        ticketId: made.json.ticketId,
        game,
        mode: 'test',
        players: [],
        capacity: seats,
        status: 'forming',
        groupId: null,
        sessionId: null,
        createdAt: new Date(http.clock.now()).toISOString(),
        promotedAt: null,
        endedAt: null,
      });
    }
  });

  test('[M1] its capacity can be set, within the limits of the game', async () => {
    const capacityOf = async (game: string, capacity: string) => {
      const path = `${HOSTED}/ticket?game=${game}&capacity=${capacity}`;
      const made = await ask(path, { method: 'POST' });
      if (made.status !== 201) return made.json.error;
      return (await ask(`${HOSTED}/ticket/${made.json.ticketId}?game=${game}`)).json.capacity;
    };
    expect(await capacityOf('ludo', '1')).toBe(1);
    expect(await capacityOf('ludo', '4')).toBe(4);
    expect(await capacityOf('tictactoe', '1')).toBe(1);
    expect(await capacityOf('tictactoe', '')).toBe(2);
    for (const wrong of ['0', '5', '-1', '1.5', 'two', '99999999999']) {
      expect([wrong, await capacityOf('ludo', wrong)]).toEqual([wrong, 'Invalid capacity']);
    }
    expect(await capacityOf('tictactoe', '3')).toBe('Invalid capacity');
  });

  test('[M1][M4] every call names its game, which is checked first', async () => {
    const calls = [
      ['POST', '/ticket'],
      ['GET', `/ticket/${UNKNOWN}`],
      ['DELETE', `/ticket/${UNKNOWN}`],
      ['POST', `/ticket/${UNKNOWN}/players`],
      ['DELETE', `/ticket/${UNKNOWN}/players/ann`],
      ['POST', `/ticket/${UNKNOWN}/promote`],
      ['GET', '/pool'],
      ['DELETE', '/groups/grp_x'],
      ['POST', '/start-match'],
    ] as const;
    for (const [method, path] of calls) {
      const missing = await ask(`${HOSTED}${path}`, { method });
      expect([path, missing.status, missing.json.error]).toEqual([path, 400, 'game is required']);
      const wrong = await ask(`${HOSTED}${path}?game=chess`, { method });
      expect(wrong.json.error).toBe(`Invalid game. Valid: ${VALID_GAMES}`);
    }
  });

  test('[M2] a connected player is added once, however many requests add them', async () => {
    const ticket = await hosted.ticket();
    const [ann, bob] = [await newcomer(), await newcomer()];
    for (const player of [bob, ann, bob]) {
      const added = await hosted.add(ticket, player);
      expect([added.status, added.text]).toEqual([200, '{"result":"ok"}']);
    }
    expect(idsOf((await lookAt(ticket)).players)).toEqual([bob, ann]);
  });

  test('[M2][T15] the first fault of an add is reported, in the fixed order', async () => {
    const [inside, other] = [await newcomer(), await newcomer()];
    const ticket = await hosted.ticket('&capacity=1');
    await hosted.add(ticket, inside);
    const elsewhere = await hosted.ticket();
    await hosted.add(elsewhere, other);
    const errorOf = async (id: string, player: unknown) =>
      (await hosted.add(id, player as string)).json.error;
    expect(await errorOf(ticket, undefined)).toBe('playerId is required');
    expect(await errorOf(UNKNOWN, null)).toBe('playerId is required');
    expect(await errorOf(ticket, 7)).toBe('Invalid playerId');
    expect(await errorOf(ticket, '')).toBe('Invalid playerId');
    expect(await errorOf(UNKNOWN, inside)).toBe('Ticket not found');
    // Full, in another ticket and disconnected: each is reported only when no earlier check fails.
    await leave(other);
    expect(await errorOf(ticket, other)).toBe('Player is not connected');
    await connect(other);
    expect(await errorOf(ticket, other)).toBe(`Player is already in ticket ${elsewhere}`);
    expect(await errorOf(ticket, await newcomer())).toBe('Ticket is full');
    await hosted.promote(ticket);
    await leave(other);
    expect(await errorOf(ticket, other)).toBe('Ticket is not forming');
    await leave(inside);
    expect((await hosted.add(ticket, inside)).json).toEqual({ result: 'ok' });
  });

  test('[M2] a ticket of another game is not found, and a player can be in a ticket of each game', async () => {
    const player = await newcomer();
    const ticket = await hosted.ticket();
    await hosted.add(ticket, player);
    const four = makeHostedAsking(ask, connect, 'connect4');
    const wrong = await four.add(ticket, player);
    expect([wrong.status, wrong.json.error]).toEqual([404, 'Ticket not found']);
    expect((await four.add(await four.ticket(), player)).status).toBe(200);
  });

  test('[M2] a player of a promoted ticket can be added to the next one', async () => {
    const player = await newcomer();
    await hosted.group(player);
    expect((await hosted.add(await hosted.ticket(), player)).status).toBe(200);
  });

  test('[M2] a connection in another mode or tenant does not count', async () => {
    const ticket = await hosted.ticket();
    const stranger = await http.makeTenant();
    await http.store.setPresence(presenceOf(tenant.id, 'live', 'zed'));
    await http.store.setPresence(presenceOf(stranger.id, 'test', 'zed'));
    expect((await hosted.add(ticket, 'zed')).json.error).toBe('Player is not connected');
  });

  test('[H6] the limit of open tickets counts tickets and groups until they end', async () => {
    const poor = await http.makeTenant({ limits: { openTickets: 2 } });
    const poorAsk = makeAsking(http.app, await http.makeKey(poor, 'test'));
    const poorHosted = makeHostedAsking(poorAsk, async () => {});
    const first = await poorHosted.ticket();
    const group = await poorHosted.promote(await poorHosted.ticket());
    const over = await poorHosted.call('POST', '/ticket');
    expect([over.status, over.json.error]).toEqual([429, 'Open ticket limit of the plan exceeded']);
    expect(over.headers.get('x-error-code')).toBe('open_tickets_exceeded');
    await poorHosted.call('DELETE', `/groups/${group}`);
    await poorHosted.ticket();
    expect((await poorHosted.call('POST', '/ticket')).status).toBe(429);
    await poorHosted.call('DELETE', `/ticket/${first}`);
    await poorHosted.call('DELETE', `/ticket/${first}`);
    await poorHosted.ticket();
    expect((await poorHosted.call('POST', '/ticket')).status).toBe(429);
    const live = makeAsking(http.app, await http.makeKey(poor, 'live'));
    expect((await live(`${HOSTED}/ticket?game=ludo`, { method: 'POST' })).status).toBe(201);
  });
});

describe('groups', () => {
  test('[M3] a promoted ticket is a group, and promoting it again returns the same group', async () => {
    const player = await newcomer();
    const ticket = await hosted.ticket();
    await hosted.add(ticket, player);
    http.clock.advance(1_000);
    const first = await hosted.call('POST', `/ticket/${ticket}/promote`);
    expect(first.status).toBe(200);
    const { group } = first.json;
    expect(group).toEqual({
      id: group.id,
      ticketId: ticket,
      game: 'tictactoe',
      mode: 'test',
      players: [{ id: player, displayName: null }],
      capacity: 2,
      status: 'promoted',
      promotedAt: new Date(http.clock.now()).toISOString(),
    });
    expect(group.id).toMatch(/^grp_[0-9a-z]{26}$/);
    http.clock.advance(1_000);
    const again = await hosted.call('POST', `/ticket/${ticket}/promote`);
    expect([again.status, again.text]).toEqual([200, first.text]);
    expect(await lookAt(ticket)).toMatchObject({ status: 'promoted', groupId: group.id });
  });

  test('[M3] an empty ticket can be promoted, an unknown or cancelled one cannot', async () => {
    const ticket = await hosted.ticket();
    const { json } = await hosted.call('POST', `/ticket/${ticket}/promote`);
    expect(json.group.players).toEqual([]);
    const unknown = await hosted.call('POST', `/ticket/${UNKNOWN}/promote`);
    expect([unknown.status, unknown.json.error]).toEqual([404, 'Ticket not found']);
    const cancelled = await hosted.ticket();
    await hosted.call('DELETE', `/ticket/${cancelled}`);
    const refused = await hosted.call('POST', `/ticket/${cancelled}/promote`);
    expect([refused.status, refused.json.error]).toEqual([409, 'Ticket is not forming']);
  });

  test('[M4] the pool lists waiting groups, oldest first, in pages that stay stable', async () => {
    const own = await http.makeTenant();
    const ownHosted = makeHostedAsking(
      makeAsking(http.app, await http.makeKey(own, 'test')),
      async () => {},
    );
    await ownHosted.ticket();
    const groups: string[] = [];
    // All in the same millisecond: sorted by promotion.
    for (let n = 0; n < 5; n++) groups.push(await ownHosted.promote(await ownHosted.ticket()));
    expect(idsOf((await ownHosted.pool()).json.groups)).toEqual(groups);
    const first = (await ownHosted.pool('&limit=2')).json;
    expect(idsOf(first.groups)).toEqual(groups.slice(0, 2));
    await ownHosted.call('DELETE', `/groups/${groups[1]}`);
    await ownHosted.promote(await ownHosted.ticket());
    const second = (await ownHosted.pool(`&limit=3&cursor=${first.nextCursor}`)).json;
    expect(idsOf(second.groups)).toEqual(groups.slice(2));
    const last = (await ownHosted.pool(`&cursor=${second.nextCursor}`)).json;
    expect([last.groups.length, last.nextCursor]).toEqual([1, null]);
    expect((await ownHosted.pool('&cursor=x')).json.error).toBe('Invalid cursor');
    expect((await ownHosted.pool('&limit=101')).json.error).toBe('Invalid limit');
    const other = makeHostedAsking(
      makeAsking(http.app, await http.makeKey(own, 'test')),
      connect,
      'ludo',
    );
    expect((await other.pool()).json).toEqual({ groups: [], nextCursor: null });
  });
});

describe('the end of tickets and groups', () => {
  test('[M6] removing a player from a forming ticket makes room', async () => {
    const [ann, bob] = [await newcomer(), await newcomer()];
    const ticket = await hosted.ticket('&capacity=1');
    await hosted.add(ticket, ann);
    const remove = (id: string, player: string) =>
      hosted.call('DELETE', `/ticket/${id}/players/${player}`);
    expect((await remove(UNKNOWN, ann)).json.error).toBe('Ticket not found');
    expect((await remove(ticket, bob)).json.error).toBe('Player not in ticket');
    expect((await remove(ticket, ann)).json).toEqual({ result: 'ok' });
    expect((await remove(ticket, ann)).json.error).toBe('Player not in ticket');
    expect((await hosted.add(ticket, bob)).status).toBe(200);
    expect((await hosted.add(await hosted.ticket(), ann)).status).toBe(200);
    await hosted.promote(ticket);
    expect((await remove(ticket, bob)).json.error).toBe('Ticket is not forming');
  });

  test('[M6] a cancelled ticket releases its players and accepts no more', async () => {
    const player = await newcomer();
    const ticket = await hosted.ticket();
    await hosted.add(ticket, player);
    const cancel = () => hosted.call('DELETE', `/ticket/${ticket}`);
    expect((await cancel()).json).toEqual({ result: 'ok' });
    expect((await cancel()).json).toEqual({ result: 'ok' });
    expect(await lookAt(ticket)).toMatchObject({ status: 'cancelled', groupId: null });
    expect((await hosted.add(await hosted.ticket(), player)).status).toBe(200);
    expect((await hosted.add(ticket, await newcomer())).json.error).toBe('Ticket is not forming');
    expect((await hosted.call('DELETE', `/ticket/${UNKNOWN}`)).status).toBe(404);
  });

  test('[M6] a cancelled group leaves the pool; a promoted ticket is cancelled by its group', async () => {
    const group = await hosted.group(await newcomer());
    const { ticketId } = (await hosted.pool('&limit=100')).json.groups.find(
      ({ id }: { id: string }) => id === group,
    );
    expect((await hosted.call('DELETE', `/ticket/${ticketId}`)).json.error).toBe(
      'Ticket is not forming',
    );
    for (const _ of ['now', 'and again']) {
      expect((await hosted.call('DELETE', `/groups/${group}`)).json).toEqual({ result: 'ok' });
    }
    expect(idsOf((await hosted.pool('&limit=100')).json.groups)).not.toContain(group);
    expect(await lookAt(ticketId)).toMatchObject({ status: 'cancelled', groupId: group });
    const unknown = await hosted.call('DELETE', '/groups/grp_none');
    expect([unknown.status, unknown.json.error]).toEqual([404, 'Group not found: grp_none']);
    expect((await hosted.start([group])).json.error).toBe(`Group not found: ${group}`);
  });

  test('[M6] nothing promotes or starts by itself, however full or old', async () => {
    const ticket = await hosted.ticket();
    for (const player of [await newcomer(), await newcomer()]) await hosted.add(ticket, player);
    const group = await hosted.group(await newcomer(), await newcomer());
    http.clock.advance(400 * 86_400_000);
    await http.host.maintain();
    await http.store.removeTickets(http.clock.now(), 1_000);
    expect(await lookAt(ticket)).toMatchObject({ status: 'forming', groupId: null });
    expect(idsOf((await hosted.pool('&limit=100')).json.groups)).toContain(group);
  });
});

describe('others', () => {
  test('[K3] objects of another tenant or mode do not exist', async () => {
    const player = await newcomer();
    const ticket = await hosted.ticket();
    await hosted.add(ticket, player);
    const group = await hosted.group(await newcomer(), await newcomer());
    const keys = [
      await http.makeKey(tenant, 'live'),
      await http.makeKey(await http.makeTenant(), 'test'),
    ];
    for (const foreign of keys) {
      const other = makeHostedAsking(makeAsking(http.app, foreign), connect);
      const statuses = [
        await other.call('GET', `/ticket/${ticket}`),
        await other.add(ticket, player),
        await other.call('POST', `/ticket/${ticket}/promote`),
        await other.call('DELETE', `/ticket/${ticket}`),
        await other.call('DELETE', `/ticket/${ticket}/players/${player}`),
        await other.call('DELETE', `/groups/${group}`),
        await other.start([group]),
      ].map(({ status }) => status);
      expect(statuses).toEqual(Array(7).fill(404));
      expect((await other.pool()).json.groups).toEqual([]);
    }
    expect((await lookAt(ticket)).players.length).toBe(1);
  });

  test("[R2][K3] tickets are in a player's export, for a key that may see them", async () => {
    const player = await newcomer();
    const ticket = await hosted.ticket();
    await hosted.add(ticket, player);
    const held = (await ask(`/v1/players/${player}/export`)).json;
    expect(held.tickets).toEqual([
      {
        ticketId: ticket,
        game: 'tictactoe',
        mode: 'test',
        status: 'forming',
        sessionId: null,
        createdAt: new Date(http.clock.now()).toISOString(),
      },
    ]);
    await http.store.setPresence(presenceOf(tenant.id, 'live', 'liv'));
    const live = makeHostedAsking(
      makeAsking(http.app, await http.makeKey(tenant, 'live')),
      async () => {},
    );
    const other = await live.ticket();
    await live.add(other, 'liv');
    // For a test key a player who is only in live tickets does not exist.
    expect((await ask('/v1/players/liv/export')).status).toBe(404);
    expect((await ask('/v1/players/liv', { method: 'DELETE' })).status).toBe(404);
    expect((await live.call('GET', `/ticket/${other}`)).json.players).toHaveLength(1);
  });

  test('[R2] an erased player is removed from everything that has not begun, and named nowhere', async () => {
    const [gone, stays] = ['gone "1"', await newcomer()];
    await connect(gone);
    const ticket = await hosted.ticket();
    const group = await hosted.group(gone, stays);
    await hosted.add(ticket, gone);
    const once = { headers: { 'idempotency-key': 'erase' } };
    const body = { body: { groupIds: [group] }, ...once };
    await leave(gone);
    const absent = await hosted.call('POST', '/start-match', body, '&requireConnected=true');
    expect(absent.json.error).toBe(`Player is not connected: ${gone}`);
    const erased = await ask(`/v1/players/${encodeURIComponent(gone)}`, { method: 'DELETE' });
    expect(erased.status).toBe(200);
    expect((await lookAt(ticket)).players).toEqual([]);
    const again = await hosted.call('POST', '/start-match', body, '&requireConnected=true');
    expect(again.json.error).toBe('tictactoe needs 2 to 2 players, the groups have 1');
    const found = (await hosted.pool('&limit=100')).json.groups.find(
      ({ id }: { id: string }) => id === group,
    );
    expect(idsOf(found.players)).toEqual([stays]);
    await connect(gone);
    expect((await hosted.add(ticket, gone)).status).toBe(200);
  });
});

describe('repeats', () => {
  test("[H8] each change's response is stored with its effect, and a repeat has no effect", async () => {
    let n = 0;
    /**
     * Sends a request twice with one idempotency key; the repeat is marked as such and otherwise
     * equal.
     */
    const twice = async (method: string, path: string, body?: object) => {
      n += 1;
      const asked = {
        headers: { 'idempotency-key': `twice ${n}` },
        ...(body === undefined ? {} : { body }),
      };
      const first = await hosted.call(method, path, asked);
      const second = await hosted.call(method, path, asked);
      expect(first.status).toBeLessThan(300);
      expect([second.status, second.text]).toEqual([first.status, first.text]);
      expect(first.headers.get('idempotent-replayed')).toBeNull();
      expect(second.headers.get('idempotent-replayed')).toBe('true');
      return first.json;
    };
    const [ann, bob] = [await newcomer(), await newcomer()];
    const { ticketId } = await twice('POST', '/ticket');
    await twice('POST', `/ticket/${ticketId}/players`, { playerId: ann });
    await twice('DELETE', `/ticket/${ticketId}/players/${ann}`);
    // The repeat of the add still says ok, and adds no player.
    const asked = { body: { playerId: ann }, headers: { 'idempotency-key': 'twice 2' } };
    expect((await hosted.call('POST', `/ticket/${ticketId}/players`, asked)).status).toBe(200);
    expect((await lookAt(ticketId)).players).toEqual([]);
    await hosted.add(ticketId, bob);
    const { group } = await twice('POST', `/ticket/${ticketId}/promote`);
    expect(idsOf(group.players)).toEqual([bob]);
    await twice('DELETE', `/groups/${group.id}`);
    const second = await hosted.ticket();
    await twice('DELETE', `/ticket/${second}`);
  });
});
