/** The store as one node has it: atomic steps of one database behind a wire. */

import { type EventWorld, parseWorldName } from '../../src/events/event.ts';
import type { Clock } from '../../src/runtime/ports.ts';
import type { CommitOutcome, SessionStore } from '../../src/store/store.ts';
import type { Store } from '../../src/store/whole-store.ts';
import { lastHeartbeat, pruneHeartbeats } from '../../src/testing/memory-heartbeats.ts';
import type { makeMemoryTenancy } from '../../src/testing/memory-tenancy.ts';
import { erasePlayer } from './erasing.ts';
import * as events from './events.ts';
import { removeGuests } from './guests.ts';
import * as players from './players.ts';
import * as ratings from './ratings.ts';
import * as sessions from './sessions.ts';
import { rowName, type Tables } from './tables.ts';
import * as tickets from './tickets.ts';
import * as waiting from './waiting.ts';
import * as webhooks from './webhooks.ts';
import type { Wire } from './wire.ts';

export interface SimStoreDeps {
  readonly tables: Tables;
  readonly tenancy: ReturnType<typeof makeMemoryTenancy>;
  readonly wire: Wire;
  readonly node: string;
  /** Set where others write, too: the log of events is looked at now and then. */
  readonly clock?: Clock;
}

/** As the store that nodes share does it, ms. */
const POLL_MS = 250;
const PRESENCE_AGAIN_MS = 1_000;

/** What no simulated part asks for is not there: asking for it throws. */
export function makeSimStore(deps: SimStoreDeps): Store {
  const feed = makeFeed(deps);
  const store = {
    ...makeTenancy(deps),
    ...makeSessions(deps, feed.tell),
    ...makePlayers(deps),
    ...makeTickets(deps, feed.tell),
    ...makeEvents(deps, feed),
    ...makeWebhooks(deps, feed.tell),
    ...makeService(deps),
  } satisfies Partial<Store>;
  return store as unknown as Store;
}

interface Feed {
  readonly onEvents: Store['onEvents'];
  /**
   * Says of every world whose log has grown since the last time. Asked for when a write is over,
   * however it ended: a node alone has no other way to hear of one whose answer was lost.
   */
  readonly tell: () => void;
}

function makeFeed({ tables, wire, clock }: SimStoreDeps): Feed {
  const heads = new Map<string, number>();
  const listeners: ((world: EventWorld, head: number) => void)[] = [];
  const poll = (): void => {
    clock?.after(POLL_MS, () =>
      wire
        .call(() => undefined)
        .then(feed.tell, () => {})
        .then(poll),
    );
  };
  poll();
  const feed: Feed = {
    onEvents: (listener) => void listeners.push(listener),
    tell() {
      for (const [name, { removed, rows }] of tables.events) {
        const head = removed + rows.length;
        if ((heads.get(name) ?? 0) >= head) continue;
        heads.set(name, head);
        for (const listener of listeners) listener(parseWorldName(name), head);
      }
    },
  };
  return feed;
}

function makeTenancy({ tenancy, wire }: SimStoreDeps) {
  const names = Object.keys(tenancy) as (keyof typeof tenancy)[];
  const calls = names.map((name) => {
    const act = tenancy[name] as (...args: unknown[]) => Promise<unknown>;
    return [name, async (...args: unknown[]) => wire.call(() => act(...args))];
  });
  return Object.fromEntries(calls) as typeof tenancy;
}

/** Commits travel together, one group after another, as in the real stores. */
function makeCommits({ tables, wire, node }: SimStoreDeps, tell: () => void) {
  type Waiting = { commit: sessions.WireCommit; done: (outcome: CommitOutcome) => void };
  let gathered: Waiting[] = [];
  let isBusy = false;
  const flush = (): void => {
    if (gathered.length === 0) return;
    const group = gathered;
    gathered = [];
    isBusy = true;
    const act = () => group.map(({ commit }) => sessions.append(tables, node, commit));
    wire.send(act, (result) => {
      isBusy = false;
      flush();
      tell();
      for (const [index, { done }] of group.entries()) {
        done(result.kind === 'answered' ? result.value[index]! : 'unknown');
      }
    });
  };
  const commit: SessionStore['commit'] = ({ entries, events: told = [], ...rest }, done) => {
    const { session, tenant, mode, change } = rest;
    const texts = entries.map((entry) => JSON.stringify(entry));
    const v = entries[0]!.v;
    gathered.push({ commit: { session, tenant, mode, change, v, texts, events: told }, done });
    if (!isBusy) flush();
  };
  return commit;
}

function makeSessions(deps: SimStoreDeps, tell: () => void): SessionStore {
  const { tables, wire, node } = deps;
  return {
    commit: makeCommits(deps, tell),
    createSession: (session) =>
      wire.call(() => sessions.createSession(tables, node, session)).finally(tell),
    loadSession: (id) => wire.call(() => sessions.loadSession(tables, id, node)),
    findSessionByRoomCode: (tenant, mode, roomCode, now) =>
      wire.call(() => sessions.findByRoomCode(tables, { tenant, mode, roomCode }, now)),
    listSessions: (filter) => wire.call(() => sessions.listSessions(tables, filter)),
    listOpenSessionsOf: (tenant, mode, playerId) =>
      wire.call(() => sessions.listOpenSessionsOf(tables, tenant, mode, playerId)),
    sleep: (each) => wire.call(() => sessions.sleep(tables, node, each)),
    listDue: (wakeAt, limit) => wire.call(() => sessions.listDue(tables, node, wakeAt, limit)),
    listAwake: (after, limit) => wire.call(() => sessions.listAwake(tables, node, after, limit)),
    removeSessions: (filter) => wire.call(() => sessions.removeSessions(tables, filter)),
    indexMetadata: () => wire.call(() => 0),
  };
}

/** Calls about one player take effect in their order, as the port says: each waits for the last. */
function makePresence({ tables, wire, clock }: SimStoreDeps): Store['setPresence'] {
  const turns = new Map<string, Promise<void>>();
  const said = new Map<string, object>();
  const setPresence: Store['setPresence'] = (presence) => {
    const { tenant, mode, playerId } = presence;
    const name = rowName(tenant, mode, playerId);
    const before = turns.get(name) ?? Promise.resolve();
    // A going that came late would undo the coming after it; the drivers wait for its end instead.
    const act = () => wire.callOnTime(() => players.setPresence(tables, presence));
    const mine = before.then(act, act);
    turns.set(name, mine);
    said.set(name, presence);
    // Who went must not count as connected for long: that is said again, unless he has come back.
    mine.catch(() => {
      if (presence.isConnected) return;
      clock?.after(PRESENCE_AGAIN_MS, () => {
        if (said.get(name) === presence) setPresence(presence).catch(() => undefined);
      });
    });
    return mine;
  };
  return setPresence;
}

function makePlayers(deps: SimStoreDeps) {
  const { tables, wire } = deps;
  return {
    findPlayer: (...who) => wire.call(() => players.findPlayer(tables, ...who)),
    namePlayer: (naming, kept) => wire.call(() => players.namePlayer(tables, naming, kept)),
    listLobbyChecks: (tenant, id) => wire.call(() => players.listLobbyChecks(tables, tenant, id)),
    listSessionsOf: (tenant, id) => wire.call(() => players.listSessionsOf(tables, tenant, id)),
    forgetAnswersOf: async (_tenant, _worlds, _id, since) => ({ isKnown: true, since }),
    erasePlayer: (tenant, worlds, id, now) =>
      wire.call(() => erasePlayer(tables, tenant, worlds, id, now)),
    removeGuests: (...asked) => wire.call(() => removeGuests(tables, ...asked)),
    findIdempotent: (id, now) => wire.call(() => players.findIdempotent(tables, id, now)),
    keepIdempotent: (row) => wire.call(() => players.keep(tables, row)),
    removeIdempotent: (before, limit) =>
      wire.call(() => players.removeIdempotent(tables, before, limit)),
    setPresence: makePresence(deps),
    findWaiting: (world, ids) => wire.call(() => waiting.findWaiting(tables, world, ids)),
    listWaiting: (line, limit) => wire.call(() => waiting.listWaiting(tables, line, limit)),
    findStandings: (world, ids) => wire.call(() => ratings.findStandings(tables, world, ids)),
    listSeatableBots: async () => [],
    removeIntegrity: async () => 0,
  } satisfies Partial<Store>;
}

function makeTickets({ tables, wire, node }: SimStoreDeps, tell: () => void) {
  const write = <T>(act: () => T): Promise<T> => wire.call(act).finally(tell);
  return {
    createTicket: (ticket) => write(() => tickets.createTicket(tables, ticket)),
    addToTicket: (add) => write(() => tickets.addToTicket(tables, add)),
    removeFromTicket: (remove) => write(() => tickets.removeFromTicket(tables, remove)),
    promoteTicket: (promotion) => write(() => tickets.promoteTicket(tables, promotion)),
    cancelTicket: (cancel) => write(() => tickets.cancelTicket(tables, cancel)),
    cancelGroup: (cancel) => write(() => tickets.cancelGroup(tables, cancel)),
    startGroups: (start) => write(() => tickets.startGroups(tables, node, start)),
    findTicket: (ref) => wire.call(() => tickets.findTicket(tables, ref)),
    findGroups: (world, groups) => wire.call(() => tickets.findGroups(tables, world, groups)),
    listTickets: (filter) => wire.call(() => tickets.listTickets(tables, filter)),
    listPool: (world, after, limit) =>
      wire.call(() => tickets.listPool(tables, world, after, limit)),
    listTicketsOf: (tenant, id) => wire.call(() => tickets.listTicketsOf(tables, tenant, id)),
    removeTickets: (before, limit) => wire.call(() => tickets.removeTickets(tables, before, limit)),
  } satisfies Partial<Store>;
}

function makeEvents({ tables, wire }: SimStoreDeps, { onEvents }: Feed) {
  return {
    onEvents,
    readEvents: (world, after, limit) =>
      wire.call(() => events.readEvents(tables, world, after, limit)),
    eventHead: (world) => wire.call(() => events.eventHead(tables, world)),
    findEventSeq: (world, id) => wire.call(() => events.findEventSeq(tables, world, id)),
    findEventSubjects: (ids) => wire.call(() => events.findEventSubjects(tables, ids)),
    findPlayerIds: (refs) => wire.call(() => events.findPlayerIds(tables, refs)),
    removeEvents: (world, olderThan, limit) =>
      wire.call(() => events.removeEvents(tables, world, olderThan, limit)),
  } satisfies Partial<Store>;
}

function makeWebhooks({ tables, wire }: SimStoreDeps, tell: () => void) {
  return {
    createWebhook: (created) => wire.call(() => webhooks.createWebhook(tables, created)),
    updateWebhook: (change) => wire.call(() => webhooks.updateWebhook(tables, change)),
    removeWebhook: (tenant, id, write) =>
      wire.call(() => webhooks.removeWebhook(tables, tenant, id, write)),
    findWebhook: (tenant, id) => wire.call(() => webhooks.findWebhook(tables, tenant, id)),
    listWebhooks: (filter) => wire.call(() => webhooks.listWebhooks(tables, filter)),
    listActiveWebhooks: (after, limit) =>
      wire.call(() => webhooks.listActiveWebhooks(tables, after, limit)),
    listOutstanding: (id) => wire.call(() => webhooks.listOutstanding(tables, id)),
    recordProgress: (progress) => wire.call(() => webhooks.recordProgress(tables, progress)),
    recordAttempt: (id, attempt) => wire.call(() => webhooks.recordAttempt(tables, id, attempt)),
    listAttempts: (id, before, limit) =>
      wire.call(() => webhooks.listAttempts(tables, id, before, limit)),
    triggerEvent: (event, write) =>
      wire.call(() => webhooks.triggerEvent(tables, event, write)).finally(tell),
  } satisfies Partial<Store>;
}

function makeService({ tables, wire }: SimStoreDeps) {
  return {
    // No tenant is removed here, and nobody is billed.
    listRemovals: async () => [],
    samplePeaks: async () => {},
    heartbeat: (node, now) => wire.call(() => void tables.heartbeats.set(node, now)),
    lastHeartbeat: () => wire.call(() => lastHeartbeat(tables.heartbeats)),
    pruneHeartbeats: (now) => wire.call(() => pruneHeartbeats(tables.heartbeats, now)),
    signingSecret: (make) =>
      wire.call(() => {
        tables.signing ??= make();
        return tables.signing;
      }),
    sealedSince: () => wire.call(() => 0),
    ping: () => wire.call(() => true).catch(() => false),
    close: async () => {},
  } satisfies Partial<Store>;
}
