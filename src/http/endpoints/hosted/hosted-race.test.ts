/**
 * Concurrent calls through the whole HTTP side: no place and no group is given away twice (rule
 * S5).
 */

import { expect, test } from 'bun:test';
import { makeSeededRandomness } from '../../../testing/seeded-randomness.ts';
import { makeAsking } from '../../../testing/service/asking.ts';
import { makeHostedAsking, presenceOf } from '../../../testing/service/hosted-asking.ts';
import { openHttpService } from '../../../testing/service/http-service.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';

const ADDS = 4_000;
const TICKETS = 100;
const SEATS = 4;
const STARTS = 1_500;
const SLOW_MS = 60_000;

/** A fair draw below a number up to 65,536. */
function makeDraw(): (below: number) => number {
  const randomness = makeSeededRandomness(TEST_SEED);
  return (below) => {
    const [high = 0, low = 0] = randomness.bytes(2);
    return (high * 256 + low) % below;
  };
}

async function openRace(game: string) {
  const http = await openHttpService();
  const tenant = await http.makeTenant();
  const ask = makeAsking(http.app, await http.makeKey(tenant, 'test'));
  const connect = (player: string, isConnected = true) =>
    http.store.setPresence(presenceOf(tenant.id, 'test', player, isConnected));
  return { http, tenant, connect, hosted: makeHostedAsking(ask, connect, game) };
}

test(
  `[M2][S5] ${ADDS} racing adds on ${TICKETS} tickets of ${SEATS} seat exactly ${TICKETS * SEATS} (seed ${TEST_SEED})`,
  async () => {
    const { http, connect, hosted } = await openRace('ludo');
    const draw = makeDraw();
    const tickets = await Promise.all(Array.from({ length: TICKETS }, () => hosted.ticket()));
    const players = Array.from({ length: ADDS / 2 }, (_, n) => `player ${n}`);
    await Promise.all(players.map((player) => connect(player)));
    // Each ticket gets 40 requests, by players who each send two.
    const asked = Array.from({ length: ADDS }, (_, n) => ({
      ticket: tickets[n % TICKETS]!,
      player: players[draw(players.length)]!,
    }));
    const answers = await Promise.all(asked.map((each) => hosted.add(each.ticket, each.player)));
    const counts = new Map<string, number>();
    for (const { status, json } of answers) {
      const kind = status === 200 ? 'ok' : String(json.error).replace(/ tkt_.*/, '');
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    expect([...counts.keys()].sort()).toEqual([
      'Player is already in ticket',
      'Ticket is full',
      'ok',
    ]);
    const seated: string[] = [];
    for (const ticket of tickets) {
      const { json } = await hosted.call('GET', `/ticket/${ticket}`);
      expect(json.players).toHaveLength(SEATS);
      seated.push(...json.players.map(({ id }: { id: string }) => id));
    }
    expect(new Set(seated).size).toBe(TICKETS * SEATS);
    // Every player who got `ok` has a place.
    const places = new Set(
      asked.flatMap((each, n) => (answers[n]!.status === 200 ? [each.player] : [])),
    );
    expect(new Set(seated)).toEqual(places);
    await http.close();
  },
  SLOW_MS,
);

test(
  '[M2] a player who connects and disconnects while being added is in at most one ticket',
  async () => {
    const { http, connect, hosted } = await openRace('ludo');
    const draw = makeDraw();
    const tickets = await Promise.all(Array.from({ length: 20 }, () => hosted.ticket()));
    const players = Array.from({ length: 30 }, (_, n) => `player ${n}`);
    const work = Array.from({ length: 600 }, async () => {
      const player = players[draw(players.length)]!;
      const ticket = tickets[draw(tickets.length)]!;
      const turn = draw(10);
      if (turn < 3) await connect(player, turn > 0);
      else if (turn < 5) await hosted.call('DELETE', `/ticket/${ticket}/players/${player}`);
      else await hosted.add(ticket, player);
    });
    await Promise.all(work);
    const inside: string[] = [];
    for (const ticket of tickets) {
      const { json } = await hosted.call('GET', `/ticket/${ticket}`);
      expect(json.players.length).toBeLessThanOrEqual(SEATS);
      inside.push(...json.players.map(({ id }: { id: string }) => id));
    }
    expect(new Set(inside).size).toBe(inside.length);
    expect(inside.length).toBeGreaterThan(0);
    await http.close();
  },
  SLOW_MS,
);

test(
  `[M5] ${STARTS} overlapping starts: each group is in one match, and repeated calls agree (seed ${TEST_SEED})`,
  async () => {
    const { http, tenant, hosted } = await openRace('tictactoe');
    const draw = makeDraw();
    const groups = await Promise.all(
      Array.from({ length: 300 }, (_, n) => hosted.group(`player ${n}`)),
    );
    // Overlapping pairs of neighbours, each requested about five times, in either order.
    const asked = Array.from({ length: STARTS }, () => {
      const first = draw(groups.length);
      const pair = [groups[first]!, groups[(first + 1) % groups.length]!];
      return draw(2) === 0 ? pair : pair.toReversed();
    });
    const answers = await Promise.all(asked.map((pair) => hosted.start(pair)));
    const sessionOfSet = new Map<string, string>();
    const sessionOfGroup = new Map<string, string>();
    let fresh = 0;
    for (const [n, { status, json }] of answers.entries()) {
      const pair = asked[n]!;
      if (status === 409) {
        expect(pair.map((id) => `Group already started: ${id}`)).toContain(json.error);
        continue;
      }
      fresh += status === 201 ? 1 : 0;
      const set = pair.toSorted().join();
      expect(sessionOfSet.get(set) ?? json.sessionId).toBe(json.sessionId);
      sessionOfSet.set(set, json.sessionId);
      for (const id of pair) {
        expect(sessionOfGroup.get(id) ?? json.sessionId).toBe(json.sessionId);
        sessionOfGroup.set(id, json.sessionId);
      }
    }
    expect(fresh).toBe(sessionOfSet.size);
    expect(fresh).toBeGreaterThan(100);
    const filter = { tenant: tenant.id, mode: null, game: null, status: null, playerId: null };
    const rows = await http.store.listSessions({
      ...filter,
      createdFrom: null,
      createdTo: null,
      before: null,
      limit: STARTS,
    });
    expect(rows.length).toBe(fresh);
    // Refused calls are refused again, and the others return their match.
    for (const [n, pair] of asked.entries()) {
      const again = await hosted.start(pair);
      expect(again.status).toBe(sessionOfSet.has(pair.toSorted().join()) ? 200 : 409);
      if (again.status === 200) expect(again.json.sessionId).toBe(sessionOfGroup.get(pair[0]!));
      else expect(answers[n]!.status).toBe(409);
    }
    await http.close();
  },
  SLOW_MS,
);
