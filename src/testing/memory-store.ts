/** The whole store in memory: for tests of what stands above it, and to hold its contract against. */

import type { Entry, Mode } from '../match/record.ts';
import type { Player } from '../match/session.ts';
import type { ErasedSeat } from '../store/cluster.ts';
import { GUEST_PREFIX, type GuestSweep, isGuestId, isMadeGuestId } from '../store/guests.ts';
import { namesPlayer } from '../store/rows/answer-rows.ts';
import { openCounter } from '../store/rows/open-counter.ts';
import type {
  CommitOutcome,
  CoreStore,
  CreateOutcome,
  IdempotencyRow,
  LobbyCheck,
  LookedThrough,
  MatchCommit,
  NewSession,
  PlayerNaming,
  SeatedRow,
  SessionChange,
  SessionFilter,
  SessionRow,
  SigningSecret,
} from '../store/store.ts';
import { WORLDS, worldOf, worldOfAnswer } from '../store/world.ts';
import type { KeyMode } from '../tenancy/tenant.ts';
import { goesWith, listRemoved, type PastSessions } from './kept-rows.ts';
import { keepAnswer, makeMemoryAnswers } from './memory-answers.ts';
import { lastHeartbeat, pruneHeartbeats } from './memory-heartbeats.ts';
import { makeMemoryTenancy } from './memory-tenancy.ts';

interface KeptPlayer {
  readonly tenant: string;
  readonly world: KeyMode;
  playerId: string | null;
  displayName: string | null;
  /** Of the device, by lobby tokens: JSON of the newest verdict. */
  check?: string | undefined;
  readonly createdAt: number;
  erasedAt?: number;
}

interface KeptSession {
  row: SessionRow;
  readonly seats: (KeptPlayer | undefined)[];
  /** JSON, as a database would have it. */
  readonly entries: string[];
  /** The node that has it in memory; null while it sleeps. */
  holder: string | null;
  wakeAt: number | null;
}

interface Memory {
  readonly sessions: Map<string, KeptSession>;
  readonly players: KeptPlayer[];
  readonly roomCodes: Map<string, { readonly session: string; readonly expiresAt: number }>;
  readonly counters: Map<string, number>;
  readonly answers: Map<string, IdempotencyRow>;
}

export function makeMemoryStore(): CoreStore {
  return makeSharedMemory(() => false).open('');
}

/** What several nodes keep together. */
export interface SharedMemory {
  /** The store as a node sees it, which holds what it does not let sleep. */
  open(node: string): CoreStore;
  /** Who holds a session by its row, whatever became of that node. */
  holderOf(session: string): string | null;
  hasEnded(session: string): boolean;
  /** Sessions that a node holds, in any order. */
  heldBy(node: string): readonly string[];
  /** Has a node hold a session that sleeps, unless it has ended. Answers when it was due. */
  hold(session: string, node: string): void;
  /** How many players were erased. */
  erasures(): number;
  /** Seats of a session whose players were erased. */
  erasedIn(session: string): readonly Omit<ErasedSeat, 'session'>[];
  /** Removes the kept answers that name somebody who is no player any more. */
  forgetAnswers(tenant: string, world: KeyMode, playerId: string): void;
  /** Records in its log at this very moment. */
  lengthOf(session: string): number;
}

/** `isValid`: may a node keep what it holds? What others hold is claimed by whoever lists it. */
export function makeSharedMemory(isValid: (node: string) => boolean): SharedMemory {
  const memory: Memory = {
    sessions: new Map(),
    players: [],
    roomCodes: new Map(),
    counters: new Map(),
    answers: new Map(),
  };
  const shared = {
    ...makeMemoryTenancy(),
    ...makeLookups(memory),
    ...makePlayerCalls(memory),
    ...makeMemoryAnswers(memory.answers),
    ...makeServiceCalls(),
  };
  return {
    open: (node) => ({
      ...shared,
      ...makeSessionCalls(memory, node),
      ...makeClaims(memory, node, isValid),
    }),
    holderOf: (session) => memory.sessions.get(session)?.holder ?? null,
    hasEnded: (session) => memory.sessions.get(session)?.row.status === 'ended',
    heldBy: (node) =>
      [...memory.sessions].flatMap(([id, { holder }]) => (holder === node ? [id] : [])),
    hold(session, node) {
      const kept = memory.sessions.get(session);
      // When it was due stays there until its holder writes.
      if (kept !== undefined && kept.row.status !== 'ended') kept.holder = node;
    },
    erasures: () => memory.players.filter(({ playerId }) => playerId === null).length,
    erasedIn: (session) =>
      (memory.sessions.get(session)?.seats ?? []).flatMap((player, seat) =>
        player?.playerId === null ? [{ seat, at: player.erasedAt ?? 0 }] : [],
      ),
    forgetAnswers(tenant, world, playerId) {
      if (findKept(memory, tenant, world, playerId) !== undefined) return;
      for (const [key, row] of memory.answers) {
        if (row.tenant !== tenant || worldOfAnswer(row) !== world) continue;
        if (namesPlayer(row, playerId)) memory.answers.delete(key);
      }
    },
    lengthOf: (session) => memory.sessions.get(session)?.entries.length ?? 0,
  };
}

/** Names of rows are made of their keys; no key holds this character. */
const name = (...parts: readonly string[]): string => parts.join('\n');

function makeSessionCalls(memory: Memory, node: string) {
  const { sessions } = memory;
  return {
    commit(commit: MatchCommit, done: (outcome: CommitOutcome) => void): void {
      const outcome = append(memory, node, structuredClone(commit));
      setImmediate(done, outcome);
    },
    async createSession(session: NewSession): Promise<CreateOutcome> {
      return create(memory, node, structuredClone(session));
    },
    async loadSession(id: string) {
      const kept = sessions.get(id);
      if (kept === undefined) return null;
      const entries = kept.entries.map((text) => JSON.parse(text) as Entry);
      const { row, seats, holder, wakeAt } = kept;
      const roster = Array.from(seats, toPlayer);
      const isAsleep = holder === null;
      return { row, roster, entries, isAsleep, wakeAt, ...(node === '' ? null : { holder }) };
    },
    async sleep(sleepers: readonly { readonly id: string; readonly wakeAt: number | null }[]) {
      for (const { id, wakeAt } of sleepers) {
        const kept = sessions.get(id);
        if (kept === undefined || kept.row.status === 'ended') continue;
        // Whoever is late must not put another's to sleep.
        if (kept.holder === null || kept.holder === node) {
          Object.assign(kept, { holder: null, wakeAt });
        }
      }
    },
    /** All are known at once. */
    indexMetadata: async () => 0,
    async removeSessions(filter: PastSessions): Promise<number> {
      const doomed = listRemoved(sessions.values(), filter, ({ entries }) => entries);
      for (const { row } of doomed) sessions.delete(row.id);
      if (filter.mode === 'training') removeGuests(memory, doomed);
      return doomed.length;
    },
  };
}

/** Of sessions that were removed. */
function removeGuests(memory: Memory, removed: readonly KeptSession[]): void {
  const seats = new Set(removed.flatMap((session) => session.seats));
  const isGuest = (player: KeptPlayer | undefined) => isGuestId(player?.playerId ?? '');
  removeUnused(memory, [...seats].filter(isGuest) as KeptPlayer[]);
}

/** But not who has a seat elsewhere. */
function removeUnused({ players, sessions }: Memory, removed: readonly KeptPlayer[]): void {
  const seated = new Set([...sessions.values()].flatMap(({ seats }) => seats));
  for (const player of removed) {
    if (!seated.has(player) && player.check === undefined)
      players.splice(players.indexOf(player), 1);
  }
}

function toPlayer(player: KeptPlayer | undefined): Player | null {
  return player === undefined ? null : { id: player.playerId, displayName: player.displayName };
}

function append(
  memory: Memory,
  node: string,
  { session, entries, change }: MatchCommit,
): CommitOutcome {
  const kept = memory.sessions.get(session)!;
  if (kept.entries.length !== entries[0]!.v) return 'conflict';
  for (const entry of entries) kept.entries.push(JSON.stringify(entry));
  if (change !== null) applyChange(memory, node, kept, change);
  return 'committed';
}

function applyChange(memory: Memory, node: string, kept: KeptSession, change: SessionChange): void {
  const { status, startedAt, endedAt, seal, seats = [], idempotency, awake, integrity } = change;
  if (status === 'active' || status === 'ended') {
    kept.row = {
      ...kept.row,
      status,
      startedAt: startedAt ?? kept.row.startedAt,
      endedAt: endedAt ?? null,
      ...(seal === undefined ? null : { seal }),
    };
    const code = name(kept.row.tenant, kept.row.mode, kept.row.roomCode);
    if (memory.roomCodes.get(code)?.session === kept.row.id) memory.roomCodes.delete(code);
  }
  if (status === 'ended') {
    Object.assign(kept, { holder: null, wakeAt: null });
    count(memory, name(openCounter(kept.row), kept.row.tenant), -1);
  } else if (status === 'active' || awake) {
    Object.assign(kept, { holder: node, wakeAt: null });
  }
  for (const { seat } of change.left ?? []) kept.seats[seat] = undefined;
  const world = worldOf(kept.row);
  for (const seat of seats) kept.seats[seat.seat] = seated(memory, kept.row.tenant, world, seat);
  if (integrity !== undefined) kept.row = { ...kept.row, integrity };
  if (idempotency !== undefined) keepAnswer(memory.answers, idempotency);
}

function count(memory: Memory, counter: string, by: number): void {
  memory.counters.set(counter, (memory.counters.get(counter) ?? 0) + by);
}

function create(memory: Memory, node: string, session: NewSession): CreateOutcome {
  const { row, quota } = session;
  const open = name(openCounter(row), row.tenant);
  const month = quota.month === null ? null : name('month', row.tenant, quota.month);
  const isFull = (counter: string, max: number | null): boolean =>
    max !== null && (memory.counters.get(counter) ?? 0) >= max;
  if (isFull(open, quota.openSessionsMax)) return 'open_full';
  if (month !== null && isFull(month, quota.sessionsPerMonthMax)) return 'month_full';
  const code = name(row.tenant, row.mode, row.roomCode);
  if ((memory.roomCodes.get(code)?.expiresAt ?? 0) > row.createdAt) return 'room_code_taken';
  count(memory, open, 1);
  if (month !== null) count(memory, month, 1);
  memory.roomCodes.set(code, { session: row.id, expiresAt: session.roomCodeExpiresAt });
  const seats: KeptSession['seats'] = [];
  const world = worldOf(row);
  for (const seat of session.seats) seats[seat.seat] = seated(memory, row.tenant, world, seat);
  memory.sessions.set(row.id, {
    row: { ...row, status: 'pending', startedAt: null, endedAt: null },
    seats,
    entries: [JSON.stringify(session.entry)],
    holder: session.wakeAt === null ? node : null,
    wakeAt: session.wakeAt,
  });
  if (session.idempotency !== null) keepAnswer(memory.answers, session.idempotency);
  return { names: session.seats.map(({ seat }) => seats[seat]!.displayName) };
}

/** The player's one row in a world, with the name last given. */
function seated(
  memory: Memory,
  tenant: string,
  world: KeyMode,
  seat: Pick<SeatedRow, 'playerId' | 'displayName' | 'at'>,
): KeptPlayer {
  let player = findKept(memory, tenant, world, seat.playerId);
  if (player === undefined) {
    player = { tenant, world, playerId: seat.playerId, displayName: null, createdAt: seat.at };
    memory.players.push(player);
  }
  if (seat.displayName !== null) player.displayName = seat.displayName;
  return player;
}

function findKept(
  memory: Memory,
  tenant: string,
  world: KeyMode,
  playerId: string,
): KeptPlayer | undefined {
  return memory.players.find(
    (each) => each.tenant === tenant && each.world === world && each.playerId === playerId,
  );
}

const idsOf = (kept: readonly KeptSession[]): string[] => kept.map(({ row }) => row.id);
const byId = (a: KeptSession, b: KeptSession): number => (a.row.id < b.row.id ? -1 : 1);

/** What was let go is given to whoever asks first. */
function makeClaims({ sessions }: Memory, node: string, isValid: (node: string) => boolean) {
  return {
    async listDue(now: number, limit: number) {
      const due = [...sessions.values()].filter(
        ({ holder, wakeAt }) => holder === null && wakeAt !== null && wakeAt <= now,
      );
      return idsOf(due.sort((a, b) => a.wakeAt! - b.wakeAt!).slice(0, limit));
    },
    async listAwake(after: string, limit: number) {
      const awake = [...sessions.values()].filter(
        ({ holder, row }) => holder !== null && !isValid(holder) && row.id > after,
      );
      const taken = awake.sort(byId).slice(0, limit);
      for (const kept of taken) kept.holder = node;
      return idsOf(taken);
    },
  };
}

function makeLookups({ sessions, roomCodes }: Memory) {
  return {
    async findSessionByRoomCode(tenant: string, mode: Mode, code: string, now: number) {
      const held = roomCodes.get(name(tenant, mode, code));
      return held !== undefined && held.expiresAt > now ? held.session : null;
    },
    async listSessions(filter: SessionFilter): Promise<SessionRow[]> {
      const found = [...sessions.values()].filter((kept) => isAskedFor(kept, filter));
      return found
        .sort((a, b) => byId(b, a))
        .slice(0, filter.limit)
        .map(({ row }) => row);
    },
    async listOpenSessionsOf(tenant: string, mode: Mode, playerId: string) {
      const found = [...sessions.values()].filter(
        ({ row, seats }) =>
          row.tenant === tenant &&
          row.mode === mode &&
          row.status !== 'ended' &&
          seats.some((player) => player?.playerId === playerId),
      );
      return idsOf(found.sort(byId));
    },
  };
}

function hasMetadata(
  { metadata }: SessionRow,
  { key, value }: NonNullable<SessionFilter['metadata']>,
): boolean {
  const found = Object.entries(JSON.parse(metadata ?? '{}') as object);
  return found.some(([name, text]) => name === key && text === value);
}

/** Does a list that is asked for with this filter have the session? */
export function isAskedFor(
  {
    row,
    seats,
  }: {
    readonly row: SessionRow;
    readonly seats: readonly ({ readonly playerId: string | null } | undefined)[];
  },
  filter: SessionFilter,
): boolean {
  return (
    row.tenant === filter.tenant &&
    (filter.mode === null || row.mode === filter.mode) &&
    (filter.game === null || row.game === filter.game) &&
    (filter.status === null || row.status === filter.status) &&
    (filter.playerId === null || seats.some((player) => player?.playerId === filter.playerId)) &&
    (filter.withoutPrivate !== true || row.matchType !== 'private') &&
    (filter.metadata === undefined || hasMetadata(row, filter.metadata)) &&
    (filter.createdFrom === null || row.createdAt >= filter.createdFrom) &&
    (filter.createdTo === null || row.createdAt < filter.createdTo) &&
    (filter.before === null || row.id < filter.before)
  );
}

function makePlayerCalls(memory: Memory) {
  const { answers, sessions } = memory;
  return {
    async findPlayer(tenant: string, world: KeyMode, playerId: string) {
      const player = findKept(memory, tenant, world, playerId);
      if (player === undefined) return null;
      return { playerId, displayName: player.displayName, createdAt: player.createdAt };
    },
    async listLobbyChecks(tenant: string, playerId: string) {
      return WORLDS.flatMap((mode): LobbyCheck[] => {
        const verdict = findKept(memory, tenant, mode, playerId)?.check;
        return verdict === undefined ? [] : [{ mode, verdict }];
      });
    },
    async listSessionsOf(tenant: string, playerId: string) {
      const players = WORLDS.map((world) => findKept(memory, tenant, world, playerId));
      const all = [...sessions.values()].sort((a, b) => (a.row.id < b.row.id ? -1 : 1));
      return all.flatMap(({ row, seats }) => {
        const seat = seats.findIndex((each) => each !== undefined && players.includes(each));
        return seat === -1 ? [] : [{ session: row.id, seat }];
      });
    },
    async namePlayer(naming: PlayerNaming, idempotency: IdempotencyRow | null): Promise<void> {
      const { tenant, world, check } = naming;
      const player = seated(memory, tenant, world, naming);
      if (check !== undefined) player.check = check;
      if (idempotency !== null) keepAnswer(memory.answers, idempotency);
    },
    async forgetAnswersOf(
      tenant: string,
      worlds: readonly KeyMode[],
      playerId: string,
      since: number,
    ): Promise<LookedThrough> {
      const isKnown = worlds.some((world) => findKept(memory, tenant, world, playerId));
      return { isKnown, since };
    },
    async erasePlayer(
      tenant: string,
      worlds: readonly KeyMode[],
      playerId: string,
      erasedAt: number,
    ): Promise<boolean> {
      const players = worlds.flatMap((world) => findKept(memory, tenant, world, playerId) ?? []);
      const isKnown = players.length > 0;
      for (const [key, row] of answers) {
        const isGone = row.tenant === tenant && goesWith(row, { worlds, playerId }, isKnown);
        if (isGone) answers.delete(key);
      }
      for (const player of players) {
        Object.assign(player, { playerId: null, displayName: null, check: undefined, erasedAt });
      }
      return isKnown;
    },
    async removeGuests(
      tenant: string,
      world: KeyMode,
      after: string,
      limit: number,
    ): Promise<GuestSweep> {
      const own = memory.players.filter((each) => each.tenant === tenant && each.world === world);
      const ids = own.flatMap(({ playerId }) =>
        playerId !== null && isGuestId(playerId) ? [playerId] : [],
      );
      const looked = ids
        .filter((id) => id > after && id > GUEST_PREFIX)
        .sort()
        .slice(0, limit);
      const before = memory.players.length;
      const made = looked.filter(isMadeGuestId).map((id) => findKept(memory, tenant, world, id)!);
      removeUnused(memory, made);
      const last = looked.length < limit ? null : looked.at(-1)!;
      return { removed: before - memory.players.length, last };
    },
  };
}

function makeServiceCalls() {
  const heartbeats = new Map<string, number>();
  let signing: SigningSecret | null = null;
  return {
    async heartbeat(node: string, now: number): Promise<void> {
      heartbeats.set(node, now);
    },
    lastHeartbeat: async (): Promise<number | null> => lastHeartbeat(heartbeats),
    async pruneHeartbeats(now: number): Promise<void> {
      pruneHeartbeats(heartbeats, now);
    },
    async signingSecret(make: () => SigningSecret): Promise<SigningSecret> {
      signing ??= make();
      return signing;
    },
    sealedSince: async () => 0,
    ping: async () => true,
    async close(): Promise<void> {},
  };
}
