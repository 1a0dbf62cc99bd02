/**
 * The matches of all nodes, as the rest of the service sees them: a session that this node holds, or
 * that nobody does, is the local host's; what is another node's goes there and comes from there.
 */

import { type Calls, makeCalls } from '../runtime/calls.ts';
import { SEIZED } from '../runtime/lost-time.ts';
import type { LocalHost, MatchHost } from '../runtime/match-host.ts';
import type { PlayerCommand, PlayerSeat } from '../runtime/player-work.ts';
import { answerText } from '../runtime/player-work.ts';
import type { Clock } from '../runtime/ports.ts';
import type { Tracing } from '../runtime/tracing.ts';
import type { MatchView, Subscriber, Told, Work, WorkResult } from '../runtime/work.ts';
import { HOLD } from '../runtime/work.ts';
import type { SessionStore } from '../store/store.ts';
import type { Edge, Place, Reply } from './edge.ts';
import { makeEdge } from './edge.ts';
import type { ForEdge, ForOwner } from './messages.ts';
import type { Outbox } from './outbox.ts';
import { makeOwner, type Owner } from './owner.ts';
import type { Peers } from './peers.ts';
import { planWork } from './remote-work.ts';
import type { Retry, SessionRouter } from './session-router.ts';
import { makeSessionRouter, RETRY } from './session-router.ts';

export interface ClusterHostDeps {
  readonly local: LocalHost;
  readonly outbox: Outbox;
  readonly peers: Peers;
  readonly store: Pick<SessionStore, 'loadSession'>;
  readonly clock: Clock;
  /** Does this node hold its lease? Without it it takes no session. */
  isHeld(): boolean;
  /** It has its lease again, and others may be about to have theirs: what is by its row another's is left alone. */
  isJustBack(): boolean;
  /** Are there other nodes? */
  hasOthers(): boolean;
  /** A session was taken from a node that may be alive: it is to hear of it. */
  onTaken(session: string): void;
  /** How many watch a session on all nodes, as far as that is known here. */
  watchers(session: string): number;
  /** Something went wrong that should not; for the log. */
  onError(error: unknown): void;
  /** Null where there are no traces. */
  readonly tracing?: Tracing | null | undefined;
}

export interface ClusterHost extends MatchHost {
  take(from: string, item: ForOwner | ForEdge): void;
  /** A node is gone, or the link to it broke. */
  lost(node: string): void;
  /** From now on sessions are no longer taken, only given away. */
  retire(): void;
  /** Waits for what was being taken when the node retired: it is in memory then. */
  settle(): Promise<void>;
  /** The end: nothing is looked for elsewhere any more. */
  close(): void;
}

/** What is asked for once and waits for an answer is given up after so long. Ms. */
const GIVE_UP_MS = 8_000;
/** Somebody who is to be shown a session waits longer: his socket stays open while the store is away. Ms. */
const ATTACH_GIVE_UP_MS = 30_000;

/** Sessions in memory that are looked at each second. */
const LOOKED_AT_ONCE = 1_000;
/** Sessions of this node that are listed in one go. */
const HELD_STEP = 1_000;

const UNAVAILABLE: Told & { readonly kind: 'rejected' } = {
  kind: 'rejected',
  code: 'unavailable',
  error: 'It is not known whether this was committed: send it again with the same id',
};

/** All that the host's functions work on. */
interface Parts {
  readonly deps: ClusterHostDeps;
  readonly local: LocalHost;
  readonly edge: Edge;
  readonly owner: Owner;
  readonly route: SessionRouter['route'];
  /** Sessions in memory that were looked at in this round: are they still this node's? */
  readonly looked: Set<string>;
  /** Who is about to be shown a session. */
  readonly coming: Map<Subscriber, Coming>;
  /** Calls that may bring sessions to this node. */
  readonly calls: Calls;
  /** It takes no sessions any more. */
  isRetired: boolean;
  /** An answer was lost: sessions may be this node's by their rows without its knowledge. */
  isUnsure: boolean;
}

interface Coming {
  hasLeft: boolean;
}

export function makeClusterHost(deps: ClusterHostDeps): ClusterHost {
  const { local, outbox, clock, onError } = deps;
  const router = makeSessionRouter({
    ...{ clock, peers: deps.peers, has: local.has, onError },
    claim: (session) => parts.calls.note(claim(parts, session)),
    mayTake: () => mayTake(parts),
    isLeftAlone: (session) => isLeftAlone(parts, session),
    onTrouble: local.hadTrouble,
    onTaken(session) {
      local.took(session, SEIZED);
      deps.onTaken(session);
    },
  });
  const parts: Parts = {
    ...{ deps, local, looked: new Set(), coming: new Map(), calls: makeCalls() },
    ...{ isRetired: false, isUnsure: false },
    owner: makeOwner({ local, outbox, mayHold: (session) => mayHold(parts, session) }),
    edge: makeEdge({
      ...{ outbox, clock, tracing: deps.tracing },
      redo(place, commands) {
        for (const command of commands) void play(parts, place, command);
      },
    }),
    route: router.route,
  };
  return {
    ...local,
    ...makePlayerCalls(parts),
    // Where nobody else is its players can only come here.
    sleepsUntil: (session) => (deps.hasOthers() ? local.sleepsUntil(session) : null),
    peek: (session) => peek(parts, session),
    take: (from, item) => take(parts, from, item),
    lost(node) {
      parts.owner.lost(node);
      parts.edge.lost(node);
    },
    // Who is leaving, or may not hold anything, takes nothing up.
    async tend() {
      if (!mayTake(parts)) return;
      await dropStrays(parts);
      if (parts.isUnsure) await findForgotten(parts);
      // It may take up what is another's by its row.
      if (!deps.isJustBack()) await local.tend();
    },
    async recover() {
      if (!mayTake(parts)) return 0;
      const call = deps.peers.look().then(() => (mayTake(parts) ? local.recover() : 0));
      return parts.calls.note(orUnsure(parts, call));
    },
    retire() {
      parts.isRetired = true;
    },
    async settle() {
      await parts.calls.ended();
    },
    close: router.close,
  };
}

function mayTake({ deps, isRetired }: Parts): boolean {
  return deps.isHeld() && !isRetired;
}

async function mayHold(parts: Parts, session: string): Promise<boolean> {
  const { deps } = parts;
  if (!mayTake(parts) || (await deps.peers.ownerOf(session)) !== null) return false;
  return !(await isLeftAlone(parts, session)) && mayTake(parts);
}

/** Is it another's by its row, who may be about to have his lease again? */
async function isLeftAlone({ deps }: Parts, session: string): Promise<boolean> {
  return deps.isJustBack() && (await deps.peers.strays([session])).length > 0;
}

async function claim(parts: Parts, session: string): Promise<string | null> {
  const { local, deps } = parts;
  const claimed = orUnsure(parts, deps.peers.claim(session));
  local.claiming(
    session,
    claimed.then(({ isNew, wakeAt }) => (isNew ? { from: 'sleep', wakeAt } : null)),
  );
  const { owner, isNew } = await claimed;
  // A drain gives away what is in memory.
  if (isNew && parts.isRetired) local.run(session, HOLD);
  return owner;
}

/** What players, and tenants on their behalf, do with sessions. */
function makePlayerCalls(parts: Parts) {
  const { deps, local, edge } = parts;
  const { outbox } = deps;
  return {
    run(session, work) {
      if (local.has(session)) local.run(session, work);
      else void runWork(parts, session, work);
    },
    play(session, seat, command, origin) {
      const place = edge.placeOf(origin);
      if (place !== undefined) edge.play(place, command);
      else if (local.has(session)) local.play(session, seat, command, origin);
      else void play(parts, { session, subscriber: origin }, command);
    },
    playAs: (session, seat, command) => playAs(parts, session, seat, command),
    attach: (session, subscriber, done) => void attach(parts, session, subscriber).then(done),
    detach(session, subscriber, isPutAway = false) {
      const place = edge.placeOf(subscriber);
      const coming = parts.coming.get(subscriber);
      if (coming !== undefined) coming.hasLeft = true;
      if (place === undefined) local.detach(session, subscriber, isPutAway);
      else edge.leave(place, isPutAway);
    },
    hold(session, seat, from, masks, origin) {
      const place = origin === undefined ? undefined : edge.placeOf(origin);
      if (place === undefined) return local.hold(session, seat, from, masks);
      outbox.put(place.owner, { t: 'hold', p: place.id, from, masks });
      return null;
    },
    askState(_, subscriber, seen) {
      const place = edge.placeOf(subscriber);
      if (place !== undefined) edge.askState(place, seen);
      return place !== undefined;
    },
    watchers: (session) => (local.has(session) ? local.watchers(session) : deps.watchers(session)),
    relay(session, makeText) {
      const place = edge.placeIn(session);
      if (place === undefined) {
        local.relay(session, makeText);
        return;
      }
      const frame = JSON.parse(makeText(0)) as object;
      outbox.put(place.owner, { t: 'relay', p: place.id, frame });
    },
  } satisfies Partial<MatchHost>;
}

function take({ owner, edge }: Parts, from: string, item: ForOwner | ForEdge): void {
  switch (item.t) {
    case 'attach':
    case 'detach':
    case 'play':
    case 'hold':
    case 'relay':
    case 'state':
    case 'ask':
      owner.take(from, item);
      return;
    case 'attached':
    case 'frames':
    case 'whole':
    case 'lost':
    case 'answer':
      edge.take(from, item);
  }
}

/** Nobody who is shown something here is left with a match that has moved on elsewhere. */
async function dropStrays({ deps, local, looked }: Parts): Promise<void> {
  const unseen = local.sessions().filter((session) => !looked.has(session));
  const some = unseen.slice(0, LOOKED_AT_ONCE);
  if (unseen.length <= LOOKED_AT_ONCE) looked.clear();
  else for (const session of some) looked.add(session);
  if (some.length === 0) return;
  for (const session of await deps.peers.strays(some)) local.letGo(session);
}

/** A read says no less than a write that was answered before it, on whichever node. */
async function peek({ deps, local }: Parts, session: string): Promise<MatchView | null> {
  // Alone and within its lease a node has no one who could have taken the session.
  const isSure = deps.isHeld() && !deps.hasOthers();
  if (isSure || !local.has(session)) return local.peek(session);
  const holder = await deps.peers.placeOf(session);
  if (holder === 'here') return local.peek(session);
  if (holder === 'elsewhere') local.letGo(session);
  return local.read(session);
}

/** What a call of unknown fate has done in the store, nobody else will take up. */
function orUnsure<T>(parts: Parts, call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    parts.isUnsure = true;
    throw error;
  });
}

/** Holds what is this node's by its row. */
async function findForgotten(parts: Parts): Promise<void> {
  const { local, deps } = parts;
  parts.isUnsure = false;
  for (let after = ''; ; ) {
    const ids = await orUnsure(parts, deps.peers.held(after, HELD_STEP));
    for (const id of ids) if (!local.has(id)) local.reclaim(id);
    if (ids.length < HELD_STEP) return;
    after = ids.at(-1)!;
  }
}

async function attach(
  { local, edge, route, coming }: Parts,
  session: string,
  subscriber: Subscriber,
): Promise<Told> {
  const claims = subscriber.viewer !== null;
  const mine: Coming = { hasLeft: false };
  coming.set(subscriber, mine);
  const told = await route<Told>({
    ...{ session, claims },
    here: () => new Promise((resolve) => local.attach(session, subscriber, resolve)),
    there: async (node) => toTold(await edge.attach(node, session, subscriber)),
    failed: UNAVAILABLE,
    giveUpMs: ATTACH_GIVE_UP_MS,
    isWanted: () => !mine.hasLeft,
  });
  if (coming.get(subscriber) === mine) coming.delete(subscriber);
  // It may be this node's by its row and not be here: nobody else would wake it.
  if (claims && told.kind === 'rejected') local.lookFor(session);
  return told;
}

function playAs(
  { local, edge, route }: Parts,
  session: string,
  seat: PlayerSeat,
  command: PlayerCommand,
): Promise<Told> {
  return route<Told>({
    ...{ session, claims: false },
    here: () => local.playAs(session, seat, command),
    // Its id makes it harmless to ask twice (rule P4).
    there: async (node) => toTold(await edge.ask(node, session, { kind: 'play', seat, command })),
    failed: UNAVAILABLE,
    giveUpMs: GIVE_UP_MS,
  });
}

/** A command of somebody who has no place at the moment, or whose place was lost under it. */
async function play(
  parts: Parts,
  { session, subscriber }: Pick<Place, 'session' | 'subscriber'>,
  command: PlayerCommand,
): Promise<void> {
  const { viewer, player } = subscriber;
  const told = await playAs(parts, session, { seat: viewer!, player }, command);
  subscriber.send([answerText(session, command.id, told)]);
}

async function runWork(parts: Parts, session: string, work: Work): Promise<void> {
  const { deps, local, edge, route } = parts;
  /** The version at which it was asked for and no answer came: by then it may have been done. */
  let askedAt: number | null = null;
  const isDoubtful = (v: number): boolean => askedAt !== null && askedAt !== v;
  const result = await route<WorkResult>({
    ...{ session, claims: false },
    here: () =>
      runLocal(local, session, {
        ...work,
        command: (match) => (isDoubtful(match.session.v) ? UNAVAILABLE : work.command(match)),
      }),
    async there(node) {
      const stored = await deps.store.loadSession(session);
      if (stored === null) return { kind: 'not_found' };
      const planned = planWork(stored, work, deps.clock.now());
      if (planned.kind === 'settled') return planned.result;
      const { v } = planned.ask;
      if (isDoubtful(v)) return UNAVAILABLE;
      const reply = await edge.ask(node, session, planned.ask);
      if (reply.kind === 'lost') askedAt = v;
      const told = toTold(reply);
      return told.kind === 'done' ? planned.result : told;
    },
    failed: UNAVAILABLE,
    giveUpMs: GIVE_UP_MS,
  });
  // A refusal may be the refusal of what was done by then.
  work.done(askedAt !== null && result.kind === 'rejected' ? UNAVAILABLE : result);
}

/** Runs work to its end; `done` is the caller's to call. */
function runLocal(local: LocalHost, session: string, work: Work): Promise<WorkResult> {
  return new Promise((resolve) => {
    local.run(session, {
      ...work,
      done(result) {
        resolve(result);
        return undefined;
      },
    });
  });
}

function toTold(reply: Reply): Told | Retry {
  const { kind } = reply;
  return kind === 'lost' || kind === 'not_mine' || kind === 'stale' ? RETRY : reply;
}
