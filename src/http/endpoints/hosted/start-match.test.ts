/** From groups to a running match, over HTTP and real sockets (rule M5). */

import { afterEach, describe, expect, test } from 'bun:test';
import { EVENT_DATA } from '../../../contract/answers/event-answers.ts';
import { makeHostedAsking } from '../../../testing/service/hosted-asking.ts';
import { type HostedWorld, openHostedWorld } from '../../../testing/service/hosted-world.ts';
import { until } from '../../../testing/sockets/socket-world.ts';

let world: HostedWorld;
afterEach(() => world.close());

const open = async (...args: Parameters<typeof openHostedWorld>) => {
  world = await openHostedWorld(...args);
  return world.hosted;
};
/** Groups of players who were connected when added, and have disconnected since. */
async function absentGroup(...players: readonly string[]): Promise<string> {
  const { hosted } = world;
  const ticket = await hosted.ticket();
  for (const player of players) {
    const lobby = await world.lobby(player);
    const added = await hosted.add(ticket, player);
    expect(added.json).toEqual({ result: 'ok' });
    await lobby.close();
  }
  await until(() => players.every((player) => !isPresent(player)));
  return hosted.promote(ticket);
}
const isPresent = (player: string) =>
  [...world.census.present.keys()].some((key) => key.includes(`"${player}"`));
const eventsOf = async () => {
  const { tenant, key } = world.issuer;
  return world.store.readEvents({ tenant: tenant.id, mode: key.mode }, 0, 1_000);
};

describe('starting', () => {
  test('[M5] the response is that of an active session, and names the groups', async () => {
    const hosted = await open();
    const [first, second] = [await absentGroup('ann'), await absentGroup('bob')];
    const { status, json } = await hosted.start([second, first]);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      game: 'tictactoe',
      mode: 'test',
      matchType: 'hosted',
      variant: 'standard',
      status: 'active',
      seats: 2,
      expiresAt: null,
      result: null,
      endedAt: null,
    });
    expect(json.startedAt).toBe(json.createdAt);
    expect(Object.keys(json.tokens)).toEqual(['bob', 'ann']);
    expect(json.sessionToken).toBe(json.tokens.bob);
    expect(
      json.groups.map(({ id, status: is }: { id: string; status: string }) => [id, is]),
    ).toEqual([
      [second, 'started'],
      [first, 'started'],
    ]);
    expect((await hosted.pool()).json.groups).toEqual([]);
    const seen = await world.ask(`/v1/sessions/${json.sessionId}`);
    expect(seen.json).toMatchObject({ status: 'active', matchType: 'hosted' });
    expect(await world.kindsOf(json.sessionId)).toEqual(['created', 'started']);
    const ticket = await hosted.call('GET', `/ticket/${json.groups[0].ticketId}`);
    expect(ticket.json).toMatchObject({ status: 'started', sessionId: json.sessionId });
    const check = await world.ask(`/v1/sessions/${json.sessionId}/verify`, { method: 'POST' });
    expect(check.json.ok).toBe(true);
  });

  test('[M5] seats follow the order of the groups, then the order of adding', async () => {
    const hosted = await open();
    const group = await hosted.group('zoe', 'ann');
    const empty = await hosted.group();
    const { json } = await hosted.start([empty, group]);
    expect(json.players.map(({ id }: { id: string }) => id)).toEqual(['zoe', 'ann']);
  });

  test('[M5][P1] players have the names of their lobby tokens', async () => {
    const hosted = await open();
    for (const [player, displayName] of [
      ['ann', 'Ann'],
      ['bob', 'Bob'],
    ] as const) {
      const { status } = await world.ask(`/v1/players/${player}/token`, { body: { displayName } });
      expect(status).toBe(201);
    }
    const group = await hosted.group('ann', 'bob');
    const names = (players: { displayName: string }[]) => players.map((each) => each.displayName);
    expect(names((await hosted.pool()).json.groups[0].players)).toEqual(['Ann', 'Bob']);
    expect(names((await hosted.start([group])).json.players)).toEqual(['Ann', 'Bob']);
  });

  test('[M5] connected players are notified on their open socket and are in the match at once', async () => {
    const hosted = await open();
    const lobbies = [await world.lobby('ann'), await world.lobby('bob')] as const;
    const group = await hosted.group();
    const ticket = await hosted.ticket();
    for (const player of ['ann', 'bob']) await hosted.add(ticket, player);
    const { json } = await hosted.start([group, await hosted.promote(ticket)]);
    for (const [seat, lobby] of lobbies.entries()) {
      const state = await lobby.next('state');
      expect(state).toMatchObject({ s: json.sessionId, status: 'active', seat, turn: 0 });
      expect(lobby.frames.filter(({ t }) => t === 'state')).toHaveLength(1);
    }
    expect(json.players.map((each: { connected: boolean }) => each.connected)).toEqual([
      true,
      true,
    ]);
    const kinds = await world.kindsOf(json.sessionId);
    expect(kinds).toEqual(['created', 'connected', 'connected', 'started']);
    lobbies[0].send({ t: 'act', s: json.sessionId, id: 'm1', action: { position: 4 } });
    expect(await lobbies[1].next('update')).toMatchObject({ seat: 0, action: { position: 4 } });
    await lobbies[1].close();
    await until(async () => !(await world.isConnected(json.sessionId, 1)));
  });

  test("[M5] a player connected by another session's socket has the grace from the start on", async () => {
    const hosted = await open();
    const other = await world.makeSession(world.issuer, { players: ['ann', 'zoe'] });
    await world.enter(world.issuer, other, 'ann');
    await world.lobby('bob');
    const ticket = await hosted.ticket();
    for (const player of ['ann', 'bob'])
      expect((await hosted.add(ticket, player)).status).toBe(200);
    const group = await hosted.promote(ticket);
    const options = { disconnectGraceMs: 5_000 };
    const { json } = await hosted.start([group], { options });
    const kinds = await world.kindsOf(json.sessionId);
    expect(kinds).toEqual(['created', 'connected', 'started']);
  });

  test('[M5][N7] players do not miss the match when the response to the start was lost', async () => {
    const hosted = await open();
    const lobbies = [await world.lobby('ann'), await world.lobby('bob')] as const;
    const groups: string[] = [];
    for (const player of ['ann', 'bob']) {
      const ticket = await hosted.ticket('&capacity=1');
      await hosted.add(ticket, player);
      groups.push(await hosted.promote(ticket));
    }
    const { startGroups } = world.store;
    world.store.startGroups = async (start) => {
      world.store.startGroups = startGroups;
      await startGroups(start);
      throw new Error('the answer was lost');
    };
    expect((await hosted.start(groups)).status).toBe(500);
    expect((await hosted.start(groups)).status).toBe(200);
    for (const lobby of lobbies)
      expect(await lobby.next('state')).toMatchObject({ status: 'active' });
  });

  test('[M5] an absent player has the grace from the start on, and loses when it ends', async () => {
    const hosted = await open();
    const bob = await absentGroup('bob');
    const lobby = await world.lobby('ann');
    const ticket = await hosted.ticket();
    await hosted.add(ticket, 'ann');
    const groups = [await hosted.promote(ticket), bob];
    const { json } = await hosted.start(groups, { options: { disconnectGraceMs: 300 } });
    const state = await lobby.next('state');
    const startedAt = Date.parse(json.startedAt);
    expect(state.graces).toEqual([null, new Date(startedAt + 300).toISOString()]);
    const over = await lobby.next('over');
    expect(over.result).toMatchObject({ winner: 'ann', reason: 'disconnect' });
    const entries = await world.logOf(json.sessionId);
    expect(entries.at(-1)!.at - startedAt).toBeGreaterThanOrEqual(300);
  });

  test('[M5] without grace an absent player loses at once to a present one', async () => {
    const hosted = await open();
    const bob = await absentGroup('bob');
    const lobby = await world.lobby('ann');
    const ticket = await hosted.ticket();
    await hosted.add(ticket, 'ann');
    const options = { disconnectGraceMs: 0 };
    const { json } = await hosted.start([bob, await hosted.promote(ticket)], { options });
    const state = await lobby.next('state');
    expect([state.status, state.result?.winner]).toEqual(['ended', 'ann']);
    expect(state.result?.reason).toBe('disconnect');
    expect(json.status).toBe('active');
  });

  test('[M5] a player whose lobby closes during the start is disconnected from then on', async () => {
    const hosted = await open();
    const lobby = await world.lobby('ann');
    const ticket = await hosted.ticket();
    await hosted.add(ticket, 'ann');
    const groups = [await hosted.promote(ticket), await absentGroup('bob')];
    const { startGroups } = world.store;
    world.store.startGroups = async (start) => {
      const outcome = await startGroups(start);
      await lobby.close();
      await until(() => world.census.all.size === 0);
      return outcome;
    };
    const { json } = await hosted.start(groups);
    expect(await world.isConnected(json.sessionId, 0)).toBe(true);
    await world.host.maintain();
    expect(await world.isConnected(json.sessionId, 0)).toBe(false);
  });

  test('[M5] an absent player joins with the token of the response', async () => {
    const hosted = await open();
    const { json } = await hosted.start([await absentGroup('ann', 'bob')]);
    const ann = await world.open({ token: json.tokens.ann });
    expect(await ann.next('state')).toMatchObject({ status: 'active', seat: 0 });
    expect(await world.kindsOf(json.sessionId)).toEqual(['created', 'started', 'connected']);
  });
});

describe('starting again', () => {
  test('[M5] the very same set returns the same session, in any order, without tokens', async () => {
    const hosted = await open();
    const groups = [await hosted.group('ann'), await hosted.group('bob')];
    const first = await hosted.start(groups);
    for (const ids of [groups, groups.toReversed()]) {
      const again = await hosted.start(ids, { options: { afk: false } }, '&requireConnected=true');
      expect([again.status, again.json.sessionId]).toEqual([200, first.json.sessionId]);
      expect(again.json).not.toHaveProperty('tokens');
      expect(again.json).not.toHaveProperty('sessionToken');
      expect(again.json.groups.map(({ id }: { id: string }) => id)).toEqual(ids);
    }
    const path = `/v1/sessions/${first.json.sessionId}/players/bob/token`;
    expect((await world.ask(path, { method: 'POST' })).status).toBe(201);
    const listed = await world.ask('/v1/sessions');
    expect(listed.json.data).toHaveLength(1);
  });

  test('[M5] any other set that contains one of them is refused and starts nothing', async () => {
    const hosted = await open();
    const [ann, bob, cyd] = [
      await hosted.group('ann'),
      await hosted.group('bob'),
      await hosted.group('cyd'),
    ];
    await hosted.start([ann, bob]);
    for (const [ids, named] of [
      [[ann, cyd], ann],
      [[cyd, bob], bob],
      [[bob], bob],
      [[cyd, bob, ann], bob],
    ] as const) {
      const refused = await hosted.start(ids);
      expect([refused.status, refused.json.error]).toEqual([
        409,
        `Group already started: ${named}`,
      ]);
    }
    const cancelled = await hosted.call('DELETE', `/groups/${ann}`);
    expect(cancelled.json.error).toBe(`Group already started: ${ann}`);
    expect((await hosted.pool()).json.groups).toHaveLength(1);
    const promoted = await hosted.call(
      'POST',
      `/ticket/${(await hosted.start([ann, bob])).json.groups[0].ticketId}/promote`,
    );
    expect(promoted.json.group).toMatchObject({ id: ann, status: 'started' });
  });

  test('[H8] a repeat with the same idempotency key gets new tokens', async () => {
    const hosted = await open();
    const body = { groupIds: [await hosted.group('ann', 'bob')] };
    const asked = { body, headers: { 'idempotency-key': 'start' } };
    const first = await hosted.call('POST', '/start-match', asked);
    const repeat = await hosted.call('POST', '/start-match', asked);
    expect([repeat.status, repeat.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(Object.keys(repeat.json.tokens)).toEqual(['ann', 'bob']);
    expect(repeat.json.sessionId).toBe(first.json.sessionId);
    expect(Object.keys(repeat.json)).toEqual(Object.keys(first.json));
  });
});

describe('refusals', () => {
  test('[M5] invalid requests are reported before problems of the groups', async () => {
    const hosted = await open();
    const errorOf = async (groupIds: unknown, more: object = {}, query = '') =>
      (await hosted.start(groupIds as string[], more, query)).json.error;
    for (const wrong of [undefined, null, [], 'grp', {}, [1], ['grp_a', null], ['']]) {
      expect(await errorOf(wrong)).toBe('groupIds is required');
    }
    expect(await errorOf(['grp_a', 'grp_b', 'grp_a'], { variant: 'odd' })).toBe(
      'Duplicate groupIds',
    );
    expect(await errorOf(Array.from({ length: 65 }, (_, n) => `grp_${n}`))).toBe(
      'Invalid groupIds',
    );
    expect(await errorOf(['grp_a'], { variant: 'odd' })).toMatch(
      /^Invalid variant for tictactoe\./,
    );
    expect(await errorOf(['grp_a'], { options: { odd: 1 } })).toBe('Invalid options.odd');
    expect(await errorOf([], {}, '&requireConnected=yes')).toBe(
      'Invalid requireConnected. Valid: true, false',
    );
    expect(await errorOf(['grp_a'])).toBe('Group not found: grp_a');
    const [ann, bob] = [await hosted.group('ann'), await hosted.group('bob')];
    await hosted.start([ann, bob]);
    expect(await errorOf([ann, 'grp_b'])).toBe('Group not found: grp_b');
    expect(await errorOf([await hosted.group('cyd', 'dan'), ann])).toBe(
      `Group already started: ${ann}`,
    );
  });

  test('[M5] the game determines the number of players', async () => {
    const hosted = await open();
    const needs = (count: number) => `tictactoe needs 2 to 2 players, the groups have ${count}`;
    const [none, one, two] = [
      await hosted.group(),
      await hosted.group('ann'),
      await hosted.group('bob', 'cyd'),
    ];
    for (const [ids, count] of [
      [[none], 0],
      [[one, none], 1],
      [[one, two], 3],
    ] as const) {
      const refused = await hosted.start(ids, {}, '&requireConnected=true');
      expect([refused.status, refused.json.error]).toEqual([409, needs(count)]);
    }
    expect((await hosted.pool()).json.groups).toHaveLength(3);
  });

  test('[M5] the variant determines the number of players where it sets one', async () => {
    await open();
    const connect = async (player: string) => void (await world.lobby(player));
    const hosted = makeHostedAsking(world.ask, connect, 'ludo');
    const three = await hosted.group('ann', 'bob', 'cyd');
    const refused = await hosted.start([three], { variant: 'teams' });
    const error = 'ludo needs 4 to 4 players, the groups have 3';
    expect([refused.status, refused.json.error]).toEqual([409, error]);
    expect((await hosted.start([three], { variant: 'classic' })).status).toBe(201);
  });

  test('[M5] no player has two seats in a match', async () => {
    const hosted = await open();
    const [first, second] = [await hosted.group('ann'), await hosted.group('ann')];
    const refused = await hosted.start([first, second]);
    expect([refused.status, refused.json.error]).toEqual([409, 'Player already in session']);
  });

  test('[M5] an absent player prevents a start only if the request requires connected players', async () => {
    const hosted = await open();
    const bob = await absentGroup('bob');
    const ann = await hosted.group('ann');
    const refused = await hosted.start([ann, bob], {}, '&requireConnected=true');
    expect([refused.status, refused.json.error]).toEqual([409, 'Player is not connected: bob']);
    expect((await hosted.pool()).json.groups).toHaveLength(2);
    await world.lobby('bob');
    const started = await hosted.start([ann, bob], {}, '&requireConnected=true');
    expect(started.status).toBe(201);
  });

  test('[H6] live matches count towards the month, all matches towards the open sessions', async () => {
    const limits = { sessionsPerMonth: 1, openSessions: 2 };
    const hosted = await open({ mode: 'live', tenant: { limits } });
    expect((await hosted.start([await hosted.group('ann', 'bob')])).status).toBe(201);
    const group = await hosted.group('cyd', 'dan');
    const full = await hosted.start([group]);
    expect([full.status, full.json.error]).toEqual([
      429,
      'Monthly session limit of the plan exceeded',
    ]);
    expect(full.headers.get('x-ratelimit-remaining')).toBe('0');
    expect((await hosted.pool()).json.groups).toHaveLength(1);
    // Counts from before the refusal were reverted.
    const body = { game: 'tictactoe', mode: 'test', players: [{ id: 'x' }, { id: 'y' }] };
    expect((await world.ask('/v1/sessions', { body })).status).toBe(201);
  });

  test('[H6] a start over the limit of open sessions leaves the groups in the pool', async () => {
    const hosted = await open({ tenant: { limits: { openSessions: 1 } } });
    const first = await hosted.start([await hosted.group('ann', 'bob')]);
    const group = await hosted.group('cyd', 'dan');
    const full = await hosted.start([group]);
    expect([full.status, full.json.error]).toEqual([
      429,
      'Open session limit of the plan exceeded',
    ]);
    await world.ask(`/v1/sessions/${first.json.sessionId}/end`, { method: 'POST' });
    expect((await hosted.start([group])).status).toBe(201);
  });
});

describe('events and persistence', () => {
  test('[E1][M6] each step and each way to end has its event, which names no player', async () => {
    const hosted = await open();
    const ticket = await hosted.ticket();
    await world.lobby('ann');
    await hosted.add(ticket, 'ann');
    await hosted.call('DELETE', `/ticket/${ticket}/players/ann`);
    await hosted.call('DELETE', `/ticket/${ticket}`);
    const cancelled = await hosted.promote(await hosted.ticket());
    await hosted.call('DELETE', `/groups/${cancelled}`);
    const group = await hosted.group('bob', 'cyd');
    const { json } = await hosted.start([group]);
    const events = await eventsOf();
    const types = events.map(({ type }) => type);
    expect(types).toEqual([
      'ticket.created',
      'ticket.player_added',
      'ticket.player_removed',
      'ticket.cancelled',
      'ticket.created',
      'ticket.promoted',
      'group.cancelled',
      'ticket.created',
      'ticket.player_added',
      'ticket.player_added',
      'ticket.promoted',
      'session.created',
      'player.connected',
      'player.connected',
      'session.started',
      'group.started',
    ]);
    const told = events.find(({ type }) => type === 'group.started')!;
    expect(told.session).toBe(json.sessionId);
    const data = JSON.parse(told.data);
    expect(data).toMatchObject({ groupId: group, game: 'tictactoe' });
    expect(data.players.map(Object.keys)).toEqual([['$player'], ['$player']]);
    // Whole words: a random id may contain `ann`.
    for (const event of events) expect(event.data).not.toMatch(/\b(ann|bob|cyd)\b/);
    // Readers of the session see who it was.
    const read = (await world.ask('/v1/events?limit=100')).json.data;
    for (const { type, data: shown } of read) {
      EVENT_DATA[type as keyof typeof EVENT_DATA].parse(shown);
    }
    const shownOf = (type: string) => read.find((each: { type: string }) => each.type === type);
    expect(shownOf('ticket.player_removed').data).toEqual({
      ticketId: ticket,
      game: 'tictactoe',
      playerId: 'ann',
      taken: 0,
      capacity: 2,
    });
    expect(shownOf('group.started')).toMatchObject({
      sessionId: json.sessionId,
      data: { groupId: group, players: ['bob', 'cyd'] },
    });
  });

  test('[M6] tickets, groups and matches survive the process', async () => {
    const hosted = await open();
    const ticket = await hosted.ticket();
    await world.lobby('ann');
    await hosted.add(ticket, 'ann');
    const waiting = await hosted.group('bob', 'cyd');
    const playing = await hosted.group('dan', 'eve');
    const started = await hosted.start([playing]);
    const { database, issuer } = world;
    await world.leave();
    world = await openHostedWorld({ database, tenant: issuer.tenant });
    const { hosted: again } = world;
    await world.host.recover();
    const found = await again.call('GET', `/ticket/${ticket}`);
    expect(found.json).toMatchObject({ status: 'forming', players: [{ id: 'ann' }] });
    // Players connected to the previous process are not connected to this one.
    expect((await again.add(await again.ticket(), 'ann')).json.error).toBe(
      'Player is not connected',
    );
    await world.lobby('ann');
    expect((await again.add(await again.ticket(), 'ann')).json.error).toBe(
      `Player is already in ticket ${ticket}`,
    );
    expect((await again.pool()).json.groups.map(({ id }: { id: string }) => id)).toEqual([waiting]);
    expect((await again.start([waiting])).status).toBe(201);
    const same = await again.start([playing]);
    expect([same.status, same.json.sessionId]).toEqual([200, started.json.sessionId]);
    expect(same.json.status).toBe('active');
  });
});
