/** Sessions created, joined, ended, read and unloaded, without a route before them. */

import { beforeEach, describe, expect, test } from 'bun:test';
import { findGame, shippedGames } from '../../games/registry.ts';
import { foldSession } from '../../match/evolve.ts';
import type { LogRecord } from '../../match/record.ts';
import { parseOptions } from '../../match/setup.ts';
import { openMemoryStore } from '../../store/sqlite/memory-store.ts';
import type { CoreStore, IdempotencyRow, NewSession } from '../../store/store.ts';
import { WORLDS } from '../../store/world.ts';
import { PLANS } from '../../tenancy/tenant.ts';
import type { Probe, World } from '../../testing/matches/match-world.ts';
import {
  connect,
  logOf,
  mark,
  openWorld,
  passMaintained,
  play,
  restart,
  settle,
  TENANT,
} from '../../testing/matches/match-world.ts';
import { makeSeededRandomness } from '../../testing/seeded-randomness.ts';
import { testSeals } from '../../testing/test-seals.ts';
import type { MatchView } from '../host/work.ts';
import { makeIds } from '../ids.ts';
import type { JoinRequest, Outcome, SessionRequest, SessionService } from './session-service.ts';
import { makeSessionService } from './sessions.ts';

interface Stage {
  readonly world: World;
  readonly service: SessionService;
  readonly seated: string[];
}

async function setUp(kept: CoreStore = openMemoryStore(), seed: number = 1): Promise<Stage> {
  return serve(await openWorld({ kept }), seed);
}

function serve(world: World, seed: number): Stage {
  const randomness = makeSeededRandomness(seed);
  const seated: string[] = [];
  world.host.onSeated(
    (row, playerId, seat) => void seated.push(`${row.status} ${playerId} ${seat}`),
  );
  const service = makeSessionService({
    seals: testSeals,
    games: shippedGames,
    store: world.kept,
    bots: { listSeatableBots: async () => [] },
    host: world.host,
    clock: world.clock,
    randomness,
    makeId: makeIds(world.clock, randomness),
    node: world.node,
    onErased: () => {},
  });
  return { world, service, seated };
}

function request(change: Partial<SessionRequest> = {}): SessionRequest {
  const options = parseOptions(findGame('tictactoe')!, {});
  if ('field' in options) throw new Error(options.field);
  return {
    tenant: TENANT,
    mode: 'live',
    game: 'tictactoe',
    matchType: 'private',
    variant: 'standard',
    seats: 2,
    options,
    players: [{ id: 'ann', displayName: 'Ann' }],
    metadata: null,
    theme: null,
    limits: PLANS.starter,
    ...change,
  };
}

function joinOf(view: MatchView, id: string, change: Partial<JoinRequest> = {}): JoinRequest {
  const { roomCode } = view.row;
  const player = { id, displayName: null };
  return { tenant: TENANT, mode: 'live', roomCode, game: 'tictactoe', player, ...change };
}

function keep(key: string, seen: MatchView[] = []) {
  return (after: MatchView): IdempotencyRow => {
    seen.push({ ...after });
    return {
      tenant: TENANT,
      mode: 'live',
      method: 'POST',
      path: '/v1/sessions',
      key,
      bodyHash: 'x',
      status: 201,
      body: JSON.stringify(after.roster),
      mint: null,
      keptAt: 0,
      expiresAt: Number.MAX_SAFE_INTEGER,
    };
  };
}

const answered = (stage: Stage, key: string) =>
  stage.world.kept.findIdempotent(keep(key)({} as MatchView), 0);

function valued<T>(outcome: Outcome<T>): T {
  if (!outcome.ok) throw new Error(outcome.refusal);
  return outcome.value;
}

const refusalOf = (outcome: Outcome<unknown>): string => (outcome.ok ? 'none' : outcome.refusal);

let stage: Stage;
beforeEach(async () => {
  stage = await setUp();
});

describe('create', () => {
  test('[S1] the response, the store and the memory agree', async () => {
    const view = valued(await stage.service.create(request(), null));
    const stored = (await stage.world.kept.loadSession(view.row.id))!;
    expect(stored.row).toEqual(view.row);
    expect(foldSession(shippedGames.findPlayed, view.row.id, stored.entries)).toEqual(view.session);
    expect(view.roster).toEqual([{ id: 'ann', displayName: 'Ann' }, null]);
    expect(await stage.world.host.peek(view.row.id)).toMatchObject({ ...view });
    expect(stage.seated).toEqual(['pending ann 0']);
  });

  test('[S9] every session has its own secret, with 256 bits', async () => {
    const seeds = new Set<string>();
    for (let n = 0; n < 50; n++) {
      const { session } = valued(await stage.service.create(request(), null));
      expect(session.setup.seed).toMatch(/^[0-9a-f]{64}$/);
      seeds.add(session.setup.seed);
    }
    expect(seeds.size).toBe(50);
  });

  test('[S3] a room code that is in use is drawn again, a few times', async () => {
    const memory = openMemoryStore();
    const codes: string[] = [];
    let taken = 4;
    const crowded: CoreStore = {
      ...memory,
      async createSession(session: NewSession) {
        codes.push(session.row.roomCode);
        return taken-- > 0 ? 'room_code_taken' : memory.createSession(session);
      },
    };
    const busy = await setUp(crowded);
    const view = valued(await busy.service.create(request(), null));
    expect(new Set(codes).size).toBe(5);
    expect(view.row.roomCode).toBe(codes[4]!);
    taken = 5;
    expect(refusalOf(await busy.service.create(request(), null))).toBe('busy');
    expect(busy.seated.length).toBe(1);
  });

  test('[H6] the month is that of UTC, and only live sessions count', async () => {
    const limits = { ...PLANS.starter, sessionsPerMonth: 1 };
    const create = async (mode: 'live' | 'test') =>
      refusalOf(await stage.service.create(request({ mode, limits }), null));
    expect(await create('live')).toBe('none');
    expect(await create('live')).toBe('month_quota_exceeded');
    expect(await create('test')).toBe('none');
    const untilDecember = Date.UTC(2026, 11, 1) - stage.world.clock.now();
    stage.world.clock.advance(untilDecember - 1);
    await settle();
    expect(await create('live')).toBe('month_quota_exceeded');
    stage.world.clock.advance(1);
    expect(await create('live')).toBe('none');
  });

  test('[H6] a place among the open sessions is free again after an end', async () => {
    const limits = { ...PLANS.starter, openSessions: 1 };
    const { row } = valued(await stage.service.create(request({ limits }), null));
    const again = async () => refusalOf(await stage.service.create(request({ limits }), null));
    expect(await again()).toBe('open_sessions_exceeded');
    await stage.service.end({ tenant: TENANT, id: row.id, modes: ['live'] }, null);
    expect(await again()).toBe('none');
  });

  test('[R2] a player without a name gets the one that was given last', async () => {
    await stage.service.create(request(), null);
    const players = [{ id: 'ann', displayName: null }];
    const view = valued(await stage.service.create(request({ players }), null));
    expect(view.roster[0]).toEqual({ id: 'ann', displayName: 'Ann' });
  });
});

describe('join', () => {
  test('[S5] of a hundred parallel joins exactly one gets the one free seat', async () => {
    const room = valued(await stage.service.create(request(), null));
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, n) => stage.service.join(joinOf(room, `p${n}`), null)),
    );
    const refusals = outcomes.map(refusalOf);
    expect(refusals.filter((each) => each === 'none').length).toBe(1);
    expect(refusals.filter((each) => each === 'room_full').length).toBe(59);
    const stored = (await stage.world.kept.loadSession(room.row.id))!;
    expect(stored.roster).toEqual([
      { id: 'ann', displayName: 'Ann' },
      { id: `p${refusals.indexOf('none')}`, displayName: null },
    ]);
  });

  test('[S3] the response names the seat, memory and store agree, the response is stored with it', async () => {
    const room = valued(await stage.service.create(request(), keep('create')));
    const seen: MatchView[] = [];
    const joined = valued(await stage.service.join(joinOf(room, 'bob'), keep('join', seen)));
    expect(joined.roster).toEqual([
      { id: 'ann', displayName: 'Ann' },
      { id: 'bob', displayName: null },
    ]);
    expect(seen[0]).toEqual(joined);
    expect((await answered(stage, 'join'))?.body).toBe(JSON.stringify(joined.roster));
    expect((await stage.world.kept.loadSession(room.row.id))!.roster).toEqual([...joined.roster]);
    expect(stage.seated).toEqual(['pending ann 0', 'pending bob 1']);
  });

  test('[H8] a refused join stores no response and seats no player', async () => {
    const room = valued(await stage.service.create(request(), null));
    const refused = async (who: string, change: Partial<JoinRequest> = {}) =>
      refusalOf(await stage.service.join(joinOf(room, who, change), keep('refused')));
    expect(await refused('ann')).toBe('player_in_session');
    expect(await refused('bob', { game: 'connect4' })).toBe('room_code_invalid');
    expect(await refused('bob', { roomCode: 'ZZZZZZ' })).toBe('room_code_invalid');
    expect(await refused('bob', { mode: 'test' })).toBe('room_code_invalid');
    expect(await refused('bob', { tenant: 'ten_b' })).toBe('room_code_invalid');
    expect(await answered(stage, 'refused')).toBeNull();
    expect(stage.seated).toEqual(['pending ann 0']);
  });

  test('[S3] an expired room does not exist', async () => {
    const room = valued(await stage.service.create(request(), null));
    await passMaintained(stage.world, 599_000);
    stage.world.clock.advance(1_000);
    expect(refusalOf(await stage.service.join(joinOf(room, 'bob'), null))).toBe(
      'room_code_invalid',
    );
  });

  test('[S5] a join of unknown outcome that was not written may be retried', async () => {
    const room = valued(await stage.service.create(request(), null));
    stage.world.faults.next.push('unknown_lost');
    const join = () => stage.service.join(joinOf(room, 'bob'), keep('join'));
    expect(refusalOf(await join())).toBe('unavailable');
    expect(await answered(stage, 'join')).toBeNull();
    expect(refusalOf(await join())).toBe('none');
  });

  test('[S5] a join of unknown outcome that was written is answered as done', async () => {
    const room = valued(await stage.service.create(request(), null));
    stage.world.faults.next.push('unknown_committed');
    const joined = valued(await stage.service.join(joinOf(room, 'bob'), keep('join')));
    expect(joined.roster[1]).toEqual({ id: 'bob', displayName: null });
    expect(await answered(stage, 'join')).not.toBeNull();
  });
});

describe('end and read', () => {
  const ref = (id: string) => ({ tenant: TENANT, id, modes: ['live'] as const });

  /** A running match of two. */
  async function begin(): Promise<readonly [string, Probe, Probe]> {
    const players = [
      { id: 'ann', displayName: 'Ann' },
      { id: 'bob', displayName: 'Bob' },
    ];
    const { row } = valued(await stage.service.create(request({ players }), null));
    const x = await connect(stage.world, row.id, 0);
    return [row.id, x, await connect(stage.world, row.id, 1)];
  }

  test('[S6] the tenant ends a session once, and its response is stored with the end', async () => {
    const [id, x] = await begin();
    const ended = valued(await stage.service.end(ref(id), keep('end')));
    expect(ended.session).toMatchObject({ status: 'ended', outcome: { reason: 'aborted' } });
    expect(ended.row).toEqual((await stage.world.kept.loadSession(id))!.row);
    expect(x.take().at(-1)).toMatchObject({ t: 'over', result: { reason: 'aborted' } });
    expect(await answered(stage, 'end')).not.toBeNull();
    expect(refusalOf(await stage.service.end(ref(id), keep('again')))).toBe('session_ended');
    expect(await answered(stage, 'again')).toBeNull();
  });

  test('[K3] what a key may not see does not exist for any call', async () => {
    const [id] = await begin();
    for (const blind of [
      { ...ref(id), tenant: 'ten_b' },
      { ...ref(id), modes: ['test'] as const },
      { ...ref(id), modes: [] },
      ref('ses_nowhere'),
    ]) {
      for (const call of ['get', 'replay', 'verify'] as const) {
        expect(refusalOf(await stage.service[call](blind))).toBe('session_not_found');
      }
      expect(refusalOf(await stage.service.end(blind, null))).toBe('session_not_found');
    }
    expect((await logOf(stage.world, id)).at(-1)!.record.k).toBe('started');
  });

  test('[S7] verify names the first record that cannot be followed', async () => {
    const [id, x] = await begin();
    await play(stage.world, id, x, mark(4));
    expect(valued(await stage.service.verify(ref(id)))).toMatchObject({ ok: true, records: 5 });
    const bad = { k: 'action', seat: 1, id: 'm', action: { position: 4 } } as const;
    await new Promise((resolve) =>
      stage.world.kept.commit(
        {
          session: id,
          tenant: TENANT,
          mode: 'live',
          entries: [{ v: 5, at: stage.world.clock.now(), record: bad }],
          change: null,
        },
        resolve,
      ),
    );
    expect(valued(await stage.service.verify(ref(id)))).toMatchObject({ ok: false, v: 5 });
    // It can still be read up to the fault.
    expect(valued(await stage.service.replay(ref(id))).inputs.length).toBe(2);
  });

  test('[S7] a match of other rules is not verified, and not reported as wrong', async () => {
    const [id, x] = await begin();
    await play(stage.world, id, x, mark(4));
    const stored = (await stage.world.kept.loadSession(id))!;
    const first = stored.entries[0]!.record as Extract<LogRecord, { k: 'created' }>;
    const older = { ...first, setup: { ...first.setup, rulesVersion: 0 } };
    const entries = stored.entries.map((entry) =>
      entry.v === 0 ? { ...entry, record: older } : entry,
    );
    stage.world.kept.loadSession = () => Promise.resolve({ ...stored, entries });
    expect(valued(await stage.service.verify(ref(id)))).toMatchObject({
      ok: false,
      v: null,
      error:
        'Not checked: it was played by version 0 of the rules of tictactoe, and this engine has version 1',
    });
  });

  test('[R2] an erased player is named by no match in memory, asleep or created later', async () => {
    const [id, , o] = await begin();
    expect(refusalOf(await stage.service.erasePlayer(TENANT, WORLDS, 'ann'))).toBe('none');
    expect(refusalOf(await stage.service.erasePlayer(TENANT, WORLDS, 'ann'))).toBe(
      'player_not_found',
    );
    expect(refusalOf(await stage.service.erasePlayer('ten_b', WORLDS, 'bob'))).toBe(
      'player_not_found',
    );
    const view = valued(await stage.service.get(ref(id)));
    expect(view.roster).toEqual([
      { id: null, displayName: null },
      { id: 'bob', displayName: 'Bob' },
    ]);
    expect(stage.world.host.stateFor(id, 1)[0]).not.toContain('nn"');
    o.take();
    await play(stage.world, id, o, { kind: 'resign', id: 'r' });
    const over = o.take().at(-1)!;
    expect(over).toMatchObject({ t: 'over', result: { winner: null, winners: [null] } });
    const replay = valued(await stage.service.replay(ref(id)));
    expect(replay.players[0]).toMatchObject({ id: null, displayName: null });
    expect(replay.result).toMatchObject({ winners: [null], reason: 'resignation' });
    expect(valued(await stage.service.verify(ref(id))).ok).toBe(true);
    const later = serve(await restart(stage.world), 9);
    expect(valued(await later.service.get(ref(id))).roster[0]).toEqual({
      id: null,
      displayName: null,
    });
  });

  test('[R2] an export has the player and every session of theirs', async () => {
    const [id] = await begin();
    const second = valued(await stage.service.create(request(), null));
    await stage.service.join(joinOf(second, 'bob'), null);
    const modes = ['live', 'test', 'training'] as const;
    const held = valued(await stage.service.exportPlayer(TENANT, 'bob', modes));
    expect(held.players).toMatchObject([{ world: 'live', playerId: 'bob', displayName: 'Bob' }]);
    const sessions = await Array.fromAsync(held.sessions);
    expect(sessions.map(({ row, seat }) => [row.id, seat]).sort()).toEqual(
      [
        [id, 1],
        [second.row.id, 1],
      ].sort(),
    );
    const foreign = await stage.service.exportPlayer('ten_b', 'bob', modes);
    expect(refusalOf(foreign)).toBe('player_not_found');
  });
});

test('[S3] a session created with an unknown result is still loaded', async () => {
  const kept = openMemoryStore();
  let isDeaf = true;
  const deaf: CoreStore = {
    ...kept,
    async createSession(session) {
      const outcome = await kept.createSession(session);
      if (isDeaf) throw new Error('The answer is lost');
      return outcome;
    },
  };
  const { world, service } = await setUp(deaf);
  const found: (string | null | undefined)[][] = [];
  world.host.onFound(({ roster }) => void found.push(roster.map((player) => player?.id)));
  await expect(service.create(request(), null)).rejects.toThrow('The answer is lost');
  expect(world.host.size()).toBe(0);
  await passMaintained(world, 2_000);
  expect(world.host.size()).toBe(1);
  // Its players are notified once: they may wait in a lobby.
  await passMaintained(world, 2_000);
  expect(found).toEqual([['ann']]);
  isDeaf = false;
  // A session that does not exist after all is given up after a while.
  world.host.probeLater('ses_never');
  await passMaintained(world, 20_000);
  expect(world.host.stats.broken).toBe(0);
});
