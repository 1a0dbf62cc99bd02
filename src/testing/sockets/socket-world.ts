/** The sockets on the real platform, host and store, with tenants, sessions and tokens to create. */

import type { GameId } from '../../../game/src/game.ts';
import { findGame, shippedGames } from '../../games/registry.ts';
import { makeClientAddress } from '../../http/request/client-address.ts';
import type { Entry, MatchType, Mode } from '../../match/record.ts';
import { parseOptions } from '../../match/setup.ts';
import { loadPlatform } from '../../platform/choose.ts';
import { makeAccessCheck } from '../../runtime/access/access.ts';
import { makeTenancyWatch } from '../../runtime/access/tenancy-watch.ts';
import { makeTokens, TOKEN_LIFE_S, type TokenClaims } from '../../runtime/access/tokens.ts';
import type { MatchHost } from '../../runtime/host/match-host.ts';
import { makeMatchHost } from '../../runtime/host/match-host.ts';
import type { Match } from '../../runtime/host/match-table.ts';
import { makeIds } from '../../runtime/ids.ts';
import { readLastSign } from '../../runtime/lifetime.ts';
import type { Places } from '../../runtime/limits/places.ts';
import { makeQueuedSessions } from '../../runtime/matchmaking/queue.ts';
import type { Clock } from '../../runtime/ports.ts';
import { makeAgreements } from '../../runtime/sessions/agreements.ts';
import type { SessionService } from '../../runtime/sessions/session-service.ts';
import { makeSystemClock, systemRandomness } from '../../runtime/system.ts';
import type { Connection } from '../../socket/connection/connection.ts';
import { makeCensus } from '../../socket/presence/census.ts';
import { makeSocketService } from '../../socket/socket-service.ts';
import { type MemoryDatabase, openMemoryDatabase } from '../../store/sqlite/memory-store.ts';
import type { CoreStore } from '../../store/store.ts';
import type { Store } from '../../store/whole-store.ts';
import type { ApiKey, Tenant } from '../../tenancy/tenant.ts';
import { PLANS } from '../../tenancy/tenant.ts';
import type { ManualClock } from '../manual-clock.ts';
import { testSeals } from '../test-seals.ts';
import { openSocket, type SocketClient, type SocketWish } from './socket-client.ts';

const PUBLIC_ORIGIN = 'https://play.example.test';
/** As in the service. */
const FRAME_BYTES_MAX = 16 * 1_024;

export type SocketWorld = Awaited<ReturnType<typeof openSocketWorld>>;

export interface WorldWish {
  readonly clock?: Clock;
  /** An existing one; a new one otherwise. */
  readonly database?: MemoryDatabase;
  /** A store other than the in-memory one. */
  readonly store?: Store;
  /** Counts a tenant's sockets together with other nodes. */
  readonly places?: Places;
}

export interface SessionWish {
  readonly game?: GameId;
  readonly mode?: Mode;
  readonly matchType?: MatchType;
  readonly players?: readonly string[];
  readonly options?: Readonly<Record<string, unknown>>;
}

/** An issuer of tokens: a tenant and one of its keys. */
export interface Issuer {
  readonly tenant: Tenant;
  readonly key: ApiKey;
}

const audit = { tenant: '', actor: 'cli', act: 'test', object: '', at: 0 };

export async function openSocketWorld(wish: WorldWish = {}) {
  const { clock = makeSystemClock(), database = openMemoryDatabase(), places } = wish;
  const { store = database.open() } = wish;
  const makeId = makeIds(clock, systemRandomness);
  const node = makeId('nod');
  const errors: unknown[] = [];
  const fail = (error: unknown): void => void errors.push(error);
  const host = makeMatchHost({
    seals: testSeals,
    games: shippedGames,
    store,
    clock,
    randomness: systemRandomness,
    aliveBefore: await readLastSign(store, clock.now()),
    node,
    makeEventId: () => makeId('evt'),
    onBroken: (_, error) => fail(error),
    onStall: () => {},
  });
  const secret = () => ({ kid: 'test', secret: systemRandomness.bytes(32) });
  const tokens = makeTokens(await store.signingSecret(secret));
  const access = makeAccessCheck(store, clock, PUBLIC_ORIGIN);
  const tenancy = makeTenancyWatch(store, [access]);
  const census = makeCensus();
  const agreements = makeAgreements({
    store,
    local: host,
    clock,
    makeId,
    onError: fail,
    rematch: (...asked) => sessions.rematch(...asked),
    notifyOthers: () => {},
  });
  host.onVisited(agreements.visited);
  const sockets = makeSocketService(
    {
      host,
      agreements,
      seals: testSeals,
      store,
      node,
      clock,
      tokens,
      makeId,
      accessOf: access.accessOf,
      // Tests have many addresses; all of them count as this one.
      clientAddress: makeClientAddress(['127.0.0.1']),
      onError: fail,
      ...(places && { places }),
    },
    census,
  );
  host.onSeated(sockets.seated);
  const sessions: SessionService = makeQueuedSessions({
    seals: testSeals,
    games: shippedGames,
    store,
    bots: store,
    host,
    clock,
    randomness: systemRandomness,
    makeId,
    node,
    onErased: sockets.dropPlayer,
    onRematch: agreements.changed,
  });
  const platform = await loadPlatform('bun');
  const server = await platform.serve<Connection>({
    hostname: '127.0.0.1',
    port: 0,
    fetch: () => new Response(null, { status: 404 }),
    upgrade: sockets.upgrade,
    sockets: sockets.handlers,
    limits: { frameBytesMax: FRAME_BYTES_MAX, bodyBytesMax: 1, idleTimeoutS: 60 },
    failed: fail,
  });

  const leave = async (): Promise<void> => {
    await server.close();
    await until(() => census.all.size === 0);
    await drainOn(clock, host);
    await store.close();
  };
  const world = {
    clock,
    database,
    node,
    store,
    host,
    tokens,
    tenancy,
    census,
    sockets,
    sessions,
    port: server.port,
    /** Unexpected errors. */
    errors,
    /** A tenant with a key, or another key of a tenant. */
    makeIssuer: (tenant: Partial<Tenant> = {}, key: Partial<ApiKey> = {}) =>
      makeIssuer(store, makeId, tenant, key),
    /** The id of a new session. */
    makeSession: (issuer: Issuer, session: SessionWish = {}) =>
      makeSession(sessions, issuer, session),
    async join(issuer: Issuer, id: string, player: string): Promise<void> {
      const { row } = (await host.peek(id))!;
      const { tenant, mode, roomCode, game } = row;
      if (tenant !== issuer.tenant.id) throw new Error('Not of this tenant');
      const named = { id: player, displayName: null };
      const joined = await sessions.join({ tenant, mode, roomCode, game, player: named }, null);
      if (!joined.ok) throw new Error(joined.refusal);
    },
    makeToken(issuer: Issuer, claims: Partial<TokenClaims> & Pick<TokenClaims, 'scope'>): string {
      const exp = Math.floor(clock.now() / 1_000) + TOKEN_LIFE_S;
      const { tenant, key } = issuer;
      const base = { tenant: tenant.id, mode: key.mode, player: null, session: null, key: key.id };
      return tokens.make({ ...base, exp, ...claims });
    },
    sessionToken: (issuer: Issuer, session: string, player: string) =>
      world.makeToken(issuer, { scope: 'session', session, player }),
    lobbyToken: (issuer: Issuer, player: string) =>
      world.makeToken(issuer, { scope: 'lobby', player }),
    /** A socket, welcomed or not. */
    open: (socket: SocketWish = {}) => openSocket(server.port, socket),
    /** A player's socket for a session, welcomed and shown it. */
    async enter(issuer: Issuer, session: string, player: string): Promise<SocketClient> {
      const client = await world.open({ token: world.sessionToken(issuer, session, player) });
      await client.next('state');
      return client;
    },
    /** A running match of two, both welcomed, after taking the frames so far. */
    async startMatch(issuer: Issuer, session: SessionWish = {}): Promise<TestMatch> {
      const [first = 'ann', second = 'bob'] = session.players ?? [];
      const id = await makeSession(sessions, issuer, { ...session, players: [first, second] });
      const clients = [
        await world.enter(issuer, id, first),
        await world.enter(issuer, id, second),
      ] as const;
      for (const client of clients) await client.settle();
      return { id, clients };
    },
    /** The session in memory. */
    match: async (id: string) => (await host.peek(id)) as Match,
    logOf: async (id: string): Promise<readonly Entry[]> => (await store.loadSession(id))!.entries,
    kindsOf: async (id: string) => (await world.logOf(id)).map(({ record }) => record.k),
    /** Whether the seat is connected, as committed. */
    async isConnected(id: string, seat: number): Promise<boolean> {
      return (await host.peek(id))!.session.seats[seat]!.connected;
    },
    /** Ends the process, so to speak; its database stays. */
    leave,
    async close(): Promise<void> {
      await leave();
      database.close();
      if (errors.length > 0) throw errors[0];
    },
  };
  return world;
}

export interface TestMatch {
  readonly id: string;
  /** By seat. */
  readonly clients: readonly [SocketClient, SocketClient];
}

async function makeIssuer(
  store: CoreStore,
  makeId: ReturnType<typeof makeIds>,
  tenantFields: Partial<Tenant>,
  keyFields: Partial<ApiKey>,
): Promise<Issuer> {
  const id = tenantFields.id ?? makeId('ten');
  const tenant: Tenant = {
    id,
    slug: id.replace('_', '-'),
    name: 'Test',
    plan: 'enterprise',
    active: true,
    limits: {},
    createdAt: 0,
    ...tenantFields,
  };
  if (tenantFields.id === undefined) await store.createTenant(tenant, audit);
  const key: ApiKey = {
    id: makeId('key'),
    tenant: id,
    mode: 'live',
    name: 'test key',
    origins: [],
    scopes: null,
    requireOrigin: false,
    hint: 'mk_live_test',
    createdAt: 0,
    expiresAt: null,
    revokedAt: null,
    lastUsedAt: null,
    ...keyFields,
  };
  await store.createKey(key, { id: key.id.slice(-8), hash: key.id }, audit);
  return { tenant, key };
}

async function makeSession(
  sessions: SessionService,
  { tenant, key }: Issuer,
  wish: SessionWish,
): Promise<string> {
  const game = findGame(wish.game ?? 'tictactoe')!;
  const options = parseOptions(game, wish.options ?? {});
  if ('field' in options) throw new Error(`options.${options.field}`);
  const players = wish.players ?? ['ann', 'bob'];
  const made = await sessions.create(
    {
      tenant: tenant.id,
      mode: wish.mode ?? key.mode,
      game: game.id,
      matchType: wish.matchType ?? 'private',
      variant: game.variants[0]!,
      seats: game.seats.default,
      options,
      players: players.map((id) => ({ id, displayName: null })),
      metadata: null,
      theme: null,
      limits: PLANS.enterprise,
    },
    null,
  );
  if (!made.ok) throw new Error(made.refusal);
  return made.value.row.id;
}

/** With a manual clock `drain` would wait forever. */
async function drainOn(clock: Clock, host: MatchHost): Promise<void> {
  const turn = () => 'advance' in clock && (clock as ManualClock).advance(POLL_MS);
  const timer = setInterval(turn, POLL_MS);
  await host.drain();
  clearInterval(timer);
}

const POLL_MS = 2;
const PATIENCE_MS = 15_000;

/** Polls until it is true. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const late = new Error('It never became so');
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
    if (await isSo()) return;
    await Bun.sleep(POLL_MS);
  }
  throw late;
}
