/** Ratings, players and leaderboards through the whole HTTP side, with matches on the real host. */

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import type { AnyGame } from '../../../game/src/game.ts';
import type { Command } from '../../match/decide.ts';
import { NEW_STANDING, rateMatch } from '../../matchmaking/rating.ts';
import { diceRace } from '../../testing/matches/dice-race.ts';
import { installGame } from '../../testing/matches/install-game.ts';
import { type Asking, makeAsking } from '../../testing/service/asking.ts';
import { type HttpService, openHttpService } from '../../testing/service/http-service.ts';

/** A game for up to four, under the id of ludo. */
installGame(diceRace as unknown as AnyGame);

const DAY_MS = 86_400_000;

let http: HttpService;
let ask: Asking;
let testKey: string;

beforeAll(async () => {
  http = await openHttpService();
});
afterAll(() => http.close());
beforeEach(async () => {
  const tenant = await http.makeTenant();
  ask = makeAsking(http.app, await http.makeKey(tenant, 'live'));
  testKey = await http.makeKey(tenant, 'test');
});

const run = (session: string, command: Command): Promise<string> =>
  new Promise((resolve) => {
    http.host.run(session, {
      command: () => command,
      done: (result) => {
        resolve(result.kind === 'rejected' ? result.code : result.kind);
        return undefined;
      },
    });
  });

/** A running match whose players resign in that order, all but the winner. */
async function play(
  ids: readonly string[],
  resigning: readonly string[],
  change: object = {},
): Promise<string> {
  const body = { game: 'tictactoe', players: ids.map((id) => ({ id })), ...change };
  const { json } = await ask('/v1/sessions', { body });
  for (const { seat } of json.players) await run(json.sessionId, { kind: 'connect', seat });
  for (const id of resigning) {
    const { seat } = json.players.find((player: { id: string }) => player.id === id);
    expect(await run(json.sessionId, { kind: 'resign', seat, id: `r-${id}` })).toBe('done');
  }
  return json.sessionId;
}

const player = async (id: string, key?: string) => {
  const { json } = await ask(`/v1/players/${id}`, key === undefined ? {} : { key });
  return json;
};
const board = async (query = '', key?: string) => {
  const asked = await ask(
    `/v1/leaderboards?game=tictactoe${query}`,
    key === undefined ? {} : { key },
  );
  return asked.json;
};
/** A number of matches that one player wins against the other. */
async function beat(winner: string, loser: string, times: number): Promise<void> {
  for (let i = 0; i < times; i++) await play([winner, loser], [loser]);
}

describe('[L1] a match', () => {
  test('[L1] moves both ratings in the commit that ends it', async () => {
    await play(['ann', 'ben'], ['ben']);
    const [won, lost] = rateMatch(
      [NEW_STANDING, NEW_STANDING],
      { winners: [0], places: [1, 2], reason: 'resignation' },
      0,
    );
    const ann = await player('ann');
    expect(ann).toEqual({
      playerId: 'ann',
      displayName: null,
      connected: false,
      ratings: {
        tictactoe: {
          rating: Math.round(won!.rating * 10) / 10,
          deviation: Math.round(won!.deviation * 10) / 10,
          games: 1,
          wins: 1,
          losses: 0,
          draws: 0,
          lastPlayedAt: new Date(http.clock.now()).toISOString(),
        },
      },
      createdAt: ann.createdAt,
    });
    const { ratings } = await player('ben');
    expect(ratings.tictactoe).toMatchObject({
      losses: 1,
      rating: Math.round(lost!.rating * 10) / 10,
    });
  });

  test('[L1] with four seats is rated by its places', async () => {
    const ids = ['a', 'b', 'c', 'd'];
    await play(ids, ['c', 'a', 'd'], { game: 'ludo', seats: 4 });
    const all = await Promise.all(ids.map((id) => player(id)));
    const ratings = all.map((each) => each.ratings.ludo.rating);
    expect(all.map((each) => each.ratings.ludo.wins)).toEqual([0, 1, 0, 0]);
    expect(ratings[1]).toBe(Math.max(...ratings));
    expect(ratings.filter((rating) => rating > 1_500).length).toBe(1);
  });

  test('[L1] that is aborted, expires or is ended by the tenant does not count', async () => {
    const id = await play(['ann', 'ben'], []);
    await ask(`/v1/sessions/${id}/end`, { method: 'POST' });
    await ask('/v1/sessions', {
      body: { game: 'tictactoe', players: [{ id: 'ann' }, { id: 'ben' }] },
    });
    http.clock.advance(300_000);
    expect((await player('ann')).ratings).toEqual({});
  });

  test('[L1] with a bot does not count', async () => {
    const body = { game: 'tictactoe', matchType: 'private', players: [{ id: 'ann' }] };
    const { json } = await ask('/v1/sessions', { body });
    const seat = {
      seat: 1,
      playerId: 'bot',
      displayName: null,
      isBot: true,
      newRef: 'ply_b',
      at: 0,
    };
    await new Promise<void>((resolve) => {
      http.host.run(json.sessionId, {
        command: () => ({ kind: 'join', bot: true }),
        change: () => ({ seats: [seat] }),
        done: () => {
          resolve();
          return undefined;
        },
      });
    });
    await run(json.sessionId, { kind: 'connect', seat: 0 });
    expect(await run(json.sessionId, { kind: 'resign', seat: 0, id: 'r' })).toBe('done');
    expect((await player('ann')).ratings).toEqual({});
  });

  test('[L1][K3] counts in its own world alone', async () => {
    await play(['ann', 'ben'], ['ben'], { mode: 'test' });
    expect((await ask('/v1/players/ann')).status).toBe(404);
    expect((await player('ann', testKey)).ratings.tictactoe.games).toBe(1);
    const asked = await ask('/v1/players/ann?mode=test');
    expect(asked.json.ratings.tictactoe.wins).toBe(1);
  });

  test('[L1] a long rest increases the deviation', async () => {
    await beat('ann', 'ben', 5);
    const fresh = (await player('ann')).ratings.tictactoe;
    http.clock.advance(200 * DAY_MS);
    const rested = (await player('ann')).ratings.tictactoe;
    expect(rested.rating).toBe(fresh.rating);
    expect(rested.deviation).toBeGreaterThan(fresh.deviation + 20);
  });

  test('[L1][S2] matches players with the nearest waiting rating', async () => {
    const two = { game: 'ludo', seats: 2 };
    for (const n of [1, 2, 3, 4]) await play([`strong${n}`, `weak${n}`], [`weak${n}`], two);
    const queue = async (...ids: string[]): Promise<string> => {
      const players = ids.map((id) => ({ id }));
      const { json } = await ask('/v1/sessions', { body: { game: 'ludo', seats: 4, players } });
      return json.sessionId;
    };
    // A party that does not fit waits in a session of its own.
    const strong = await queue('strong1', 'strong2', 'strong3');
    const weak = await queue('weak1', 'weak2');
    expect(weak).not.toBe(strong);
    expect(await queue('weak3')).toBe(weak);
    expect(await queue('strong4')).toBe(strong);
    // Only the distant one is left, and no player waits alone beside it.
    expect(await queue('new')).toBe(weak);
  });
});

describe('[L2] a player', () => {
  test('[L2] an unknown player, or one of another tenant, is 404', async () => {
    await play(['ann', 'ben'], ['ben']);
    expect(await player('nobody')).toEqual({ error: 'Player not found' });
    const other = await http.makeTenant();
    const key = await http.makeKey(other, 'live');
    expect(await player('ann', key)).toEqual({ error: 'Player not found' });
  });

  test('[L2][K3] of live sessions alone does not exist for a test key', async () => {
    await play(['ann', 'ben'], ['ben']);
    expect(await player('ann', testKey)).toEqual({ error: 'Player not found' });
    const asked = await ask('/v1/players/ann?mode=live', { key: testKey });
    expect(asked.status).toBe(404);
    await ask('/v1/sessions', {
      key: testKey,
      body: { game: 'tictactoe', players: [{ id: 'ann' }] },
    });
    expect((await player('ann', testKey)).ratings).toEqual({});
  });

  test('[K3][R1] stays unknown to a test key when their live sessions have been removed', async () => {
    await play(['ann', 'ben'], ['ben']);
    const { tenant } = (await ask('/v1/whoami')).json;
    await http.store.removeSessions({
      tenant: tenant.id,
      mode: 'live',
      endedBefore: http.clock.now() + 1,
      limit: 10,
    });
    const asTest = async (path: string, method = 'GET') =>
      (await ask(`/v1/players/ann${path}`, { key: testKey, method })).status;
    expect([await asTest(''), await asTest('/export')]).toEqual([404, 404]);
    expect(await asTest('', 'DELETE')).toBe(404);
    expect((await player('ann')).ratings.tictactoe.games).toBe(1);
    // A player who also plays test matches can be exported and erased in test mode alone.
    await play(['ann', 'ben'], ['ben'], { mode: 'test' });
    expect([await asTest('/export'), await asTest('', 'DELETE')]).toEqual([200, 200]);
    expect([await asTest(''), await asTest('/export')]).toEqual([404, 404]);
    expect((await player('ann')).ratings.tictactoe.games).toBe(1);
    expect((await ask('/v1/players/ann', { method: 'DELETE' })).status).toBe(200);
  });

  test('[L2] is in the export, world by world', async () => {
    await play(['ann', 'ben'], ['ben']);
    await play(['ann', 'ben'], ['ann'], { mode: 'test' });
    const { json } = await ask('/v1/players/ann/export');
    expect(
      json.ratings.map(({ game, mode, wins }: Record<string, unknown>) => [game, mode, wins]),
    ).toEqual([
      ['tictactoe', 'live', 1],
      ['tictactoe', 'test', 0],
    ]);
    const test = await ask('/v1/players/ann/export', { key: testKey });
    expect(test.json.ratings.map(({ mode }: { mode: string }) => mode)).toEqual(['test']);
  });
});

describe('[L4] the rating history of a player', () => {
  const history = async (query = '', id = 'ann', key?: string) => {
    const path = `/v1/players/${id}/rating-history?game=tictactoe${query}`;
    return (await ask(path, key === undefined ? {} : { key })).json;
  };

  test('[L4] has each rated match with its time, ratings and outcome, newest first, in pages', async () => {
    const won = await play(['ann', 'ben'], ['ben']);
    const wonAt = http.clock.now();
    http.clock.advance(DAY_MS);
    const lost = await play(['ann', 'ben'], ['ann']);
    const { data, nextCursor } = await history();
    expect(nextCursor).toBeNull();
    const current = (await player('ann')).ratings.tictactoe.rating;
    const [second, first] = data;
    expect(second).toEqual({
      at: new Date(http.clock.now()).toISOString(),
      sessionId: lost,
      before: first.after,
      after: current,
      outcome: 'loss',
    });
    expect(first).toEqual({
      at: new Date(wonAt).toISOString(),
      sessionId: won,
      before: 1500,
      after: expect.any(Number),
      outcome: 'win',
    });
    expect(first.after).toBeGreaterThan(1500);
    const page = await history('&limit=1');
    expect(page.data).toEqual([second]);
    expect(await history(`&limit=1&cursor=${page.nextCursor}`)).toEqual({
      data: [first],
      nextCursor: null,
    });
  });

  test('[L4] of a match without a winner is a draw for each', async () => {
    const ids = ['ann', 'ben'];
    const body = { game: 'checkers', players: ids.map((id) => ({ id })) };
    const { json } = await ask('/v1/sessions', { body });
    for (const { seat } of json.players) await run(json.sessionId, { kind: 'connect', seat });
    for (const [seat, step] of [
      [0, 'offer'],
      [1, 'accept'],
    ] as const) {
      const command = { kind: 'draw', seat, id: `d-${seat}`, do: step } as const;
      expect(await run(json.sessionId, command)).toBe('done');
    }
    for (const id of ids) {
      const of = await ask(`/v1/players/${id}/rating-history?game=checkers`);
      const outcomes = of.json.data.map(({ outcome }: { outcome: string }) => outcome);
      expect([outcomes, (await history('', id)).data]).toEqual([['draw'], []]);
    }
  });

  test('[L4] is empty without a rated match; unknown and erased players have none', async () => {
    const { json } = await ask('/v1/sessions', {
      body: { game: 'tictactoe', players: [{ id: 'ann' }] },
    });
    await ask(`/v1/sessions/${json.sessionId}/end`, { body: {} });
    expect(await history()).toEqual({ data: [], nextCursor: null });
    expect(await history('', 'nobody')).toEqual({ error: 'Player not found' });
    await play(['ann', 'ben'], ['ben']);
    expect((await history()).data.length).toBe(1);
    expect((await ask('/v1/players/ann', { method: 'DELETE' })).status).toBe(200);
    expect(await history()).toEqual({ error: 'Player not found' });
    expect((await history('', 'ben')).data.length).toBe(1);
  });

  test('[L4][K3] is of one world; a test key does not find that of live mode', async () => {
    await play(['ann', 'ben'], ['ben']);
    const tried = await play(['ann', 'ben'], ['ann'], { mode: 'test' });
    const idsOf = ({ data }: { data: { sessionId: string }[] }) =>
      data.map(({ sessionId }) => sessionId);
    expect(idsOf(await history('&mode=test'))).toEqual([tried]);
    expect(idsOf(await history('', 'ann', testKey))).toEqual([tried]);
    expect(await history('&mode=live', 'ann', testKey)).toEqual({ error: 'Player not found' });
  });

  test('[L4][R2] the export shows the effect of each session on the rating', async () => {
    const rated = await play(['ann', 'ben'], ['ben']);
    const { json } = await ask('/v1/sessions', {
      body: { game: 'tictactoe', players: [{ id: 'ann' }] },
    });
    const exported = (await ask('/v1/players/ann/export')).json;
    const [{ before, after }] = (await history()).data;
    const ratingOf = (id: string) =>
      exported.sessions.find(({ sessionId }: { sessionId: string }) => sessionId === id).rating;
    expect([ratingOf(rated), ratingOf(json.sessionId)]).toEqual([{ before, after }, null]);
  });

  const WRONG_HISTORY: readonly (readonly [string, string])[] = [
    ['', 'game is required'],
    ['?game=go', 'Invalid game. Valid: checkers, tictactoe, connect4, fight-arena, pool, ludo'],
    ['?game=ludo&mode=training', 'Invalid mode. Valid: live, test'],
    ['?game=ludo&limit=101', 'Invalid limit'],
    ['?game=ludo&cursor=x', 'Invalid cursor'],
  ];
  test.each(WRONG_HISTORY)('[L4][H9] %s is 400', async (query, error) => {
    const { status, json } = await ask(`/v1/players/ann/rating-history${query}`);
    expect([status, json]).toEqual([400, { error }]);
  });
});

describe('[L3] a board', () => {
  test('[L3] lists the highest first, ranks on through its pages, and includes only players with enough matches', async () => {
    await beat('ann', 'cid', 5);
    await beat('ben', 'dan', 5);
    await play(['ann', 'ben'], ['ben']);
    await beat('eve', 'fay', 4);
    const { data, nextCursor } = await board();
    expect(nextCursor).toBeNull();
    expect(data.map(({ rank, playerId }: Record<string, unknown>) => [rank, playerId])).toEqual([
      [1, 'ann'],
      [2, 'ben'],
      [3, data[2].playerId],
      [4, data[3].playerId],
    ]);
    expect([data[2].playerId, data[3].playerId].sort()).toEqual(['cid', 'dan']);
    expect(Object.keys(data[0])).toEqual([
      'rank',
      'playerId',
      'displayName',
      'rating',
      'deviation',
      'games',
    ]);
    const paged: unknown[] = [];
    let cursor = '';
    do {
      const page = await board(`&limit=1${cursor}`);
      expect(page.data.length).toBe(1);
      paged.push(...page.data);
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    expect(paged).toEqual(data);
  });

  test('[L3][R2] an erased player is removed; the others keep their ratings', async () => {
    await beat('ann', 'ben', 5);
    const before = await player('ben');
    await ask('/v1/players/ann', { method: 'DELETE' });
    const { data } = await board();
    expect(data).toEqual([
      {
        rank: 1,
        playerId: 'ben',
        displayName: null,
        rating: before.ratings.tictactoe.rating,
        deviation: before.ratings.tictactoe.deviation,
        games: 5,
      },
    ]);
    expect(await player('ann')).toEqual({ error: 'Player not found' });
  });

  test('[L3] leaves out players whose rating has become too uncertain', async () => {
    await beat('ann', 'ben', 5);
    expect((await board()).data.length).toBe(2);
    http.clock.advance(3 * 365 * DAY_MS);
    expect((await board()).data).toEqual([]);
  });

  test('[L3][K3] is of one world, and the other is empty for a test key', async () => {
    await beat('ann', 'ben', 5);
    expect((await board('&mode=test')).data).toEqual([]);
    expect((await board('', testKey)).data).toEqual([]);
    expect((await board('&mode=live', testKey)).data).toEqual([]);
  });

  const WRONG: readonly (readonly [string, string])[] = [
    ['', 'game is required'],
    ['?game=go', 'Invalid game. Valid: checkers, tictactoe, connect4, fight-arena, pool, ludo'],
    ['?game=ludo&mode=training', 'Invalid mode. Valid: live, test'],
    ['?game=ludo&limit=0', 'Invalid limit'],
    ['?game=ludo&cursor=x', 'Invalid cursor'],
    [`?game=ludo&cursor=${Buffer.from('[1,2,3]').toString('base64url')}`, 'Invalid cursor'],
  ];
  test.each(WRONG)('[L3][H9] %s is 400', async (query, error) => {
    const { status, json } = await ask(`/v1/leaderboards${query}`);
    expect([status, json]).toEqual([400, { error }]);
  });
});
