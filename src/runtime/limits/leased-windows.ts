/**
 * Rate-limit windows of plans over several nodes: tokens are leased from the store in chunks and spent here (rule
 * H6).
 */

import type { LimitStore, TokenGrant, TokenWindow } from '../../store/limits.ts';
import type { WindowTake } from '../../tenancy/limiter.ts';
import { WINDOW_MS, windowEnd } from '../../tenancy/limiter.ts';
import type { Clock } from '../ports.ts';
import { type Calls, makeCalls } from './calls.ts';

/** Chunks double from one token up to this. */
const CHUNK_MAX = 64;
/** A window with chunks of this size is in use: tokens of the next one are leased, too. */
const AHEAD_CHUNK = 8;
/** After the store had none left it is asked again after this delay: other nodes may have returned some. Ms. */
const DRY_MS = 200;
/** Tokens of an idle window are returned after this. Ms. */
const IDLE_MS = 1_000;
/** No request waits longer for the store. Ms. */
const ANSWER_MS = 1_000;
/** A store that could not be asked is left alone for this long. Ms. */
const AWAY_MS = 1_000;
/** The shutdown waits no longer for the store. Ms. */
const CLOSE_MS = 1_000;

export interface LeasedWindowsDeps {
  readonly store: Pick<LimitStore, 'takeTokens' | 'returnTokens'>;
  readonly clock: Clock;
  /** The number of live nodes, including this one. */
  nodes(): number;
  /** The store cannot be asked: only leased tokens can be spent until it answers again. */
  onAway(error: unknown): void;
}

export interface LeasedWindows {
  /**
   * As `WindowLimiter.take`; waits for the store when a chunk is used up. Null when the store is away and nothing
   * is leased: then nothing is allowed. Never rejects.
   */
  take(key: string, limit: number, now: number): WindowTake | Promise<WindowTake | null> | null;
  /** Returns surplus tokens and drops ended windows. To be called every second. */
  maintain(): void;
  /**
   * The shutdown: returns all unspent tokens, also those on their way here; nothing is allowed any more. Rejects
   * when the store did not accept them in time: the rest is lost until its windows end.
   */
  close(): Promise<void>;
}

/** A window on this node. */
interface Window extends TokenWindow {
  limit: number;
  /** Leased tokens, and how many are spent. */
  granted: number;
  spent: number;
  /** What the store had left at its last answer. */
  left: number;
  /** The next chunk's size. */
  chunk: number;
  /** Requests that wait for tokens. */
  waiting: number;
  /** The shared lease in progress. */
  refill: Promise<void> | null;
  /** None were left: the store is not asked before this time. */
  dryUntil: number;
  /** Time of the last request. */
  usedAt: number;
}

interface Leases extends LeasedWindowsDeps {
  readonly windows: Map<string, Window>;
  /** The following windows, if tokens are leased already. */
  readonly ahead: Map<string, Window>;
  /** The store is not asked before; 0 while it answers. */
  awayUntil: number;
  /** Calls to the store in progress. A failed return rejects. */
  readonly calls: Calls;
  isClosed: boolean;
}

export function makeLeasedWindows(deps: LeasedWindowsDeps): LeasedWindows {
  const leases: Leases = {
    ...deps,
    windows: new Map(),
    ahead: new Map(),
    awayUntil: 0,
    calls: makeCalls(),
    isClosed: false,
  };
  return {
    take(key, limit, now) {
      if (leases.isClosed) return null;
      const window = windowAt(leases, key, now) ?? openWindow(leases, key, limit, now);
      if (window.limit !== limit) changeLimit(leases, window, limit);
      window.usedAt = now;
      const take = takeHere(leases, window, now);
      return take === 'ask' ? takeLater(leases, window, now) : take;
    },
    maintain() {
      const now = deps.clock.now();
      for (const key of leases.windows.keys()) {
        const window = windowAt(leases, key, now);
        if (window === null) leases.windows.delete(key);
        else if (now - window.usedAt >= IDLE_MS) giveBack(leases, window);
      }
    },
    close: () => close(leases),
  };
}

async function close(leases: Leases): Promise<void> {
  leases.isClosed = true;
  const { windows, ahead, clock } = leases;
  for (const window of [...windows.values(), ...ahead.values()]) giveBack(leases, window);
  const timeUp = Promise.withResolvers<void>();
  const cancel = clock.after(CLOSE_MS, () =>
    timeUp.reject(new Error('the store has not taken back all that was leased in time')),
  );
  await Promise.race([endCalls(leases), timeUp.promise]).finally(cancel);
}

/** Later tokens are returned by another call. */
async function endCalls({ calls }: Leases): Promise<void> {
  const errors = await calls.ended();
  if (errors.length > 0) throw errors[0];
}

/** The key's window at this time: the current one, or the one leased ahead. */
function windowAt({ windows, ahead }: Leases, key: string, now: number): Window | null {
  const known = windows.get(key);
  if (known !== undefined && known.endsAt > now) return known;
  const next = ahead.get(key);
  ahead.delete(key);
  if (next?.endsAt !== windowEnd(key, now)) return null;
  windows.set(key, next);
  return next;
}

function openWindow({ windows }: Leases, key: string, limit: number, now: number): Window {
  const window = makeWindow({ key, endsAt: windowEnd(key, now) }, limit);
  windows.set(key, window);
  return window;
}

function makeWindow({ key, endsAt }: TokenWindow, limit: number): Window {
  return {
    key,
    endsAt,
    limit,
    granted: 0,
    spent: 0,
    left: limit,
    chunk: 1,
    waiting: 0,
    refill: null,
    dryUntil: 0,
    usedAt: endsAt - WINDOW_MS,
  };
}

/** `ask`: the store has to be asked. */
function takeHere(leases: Leases, window: Window, now: number): WindowTake | null | 'ask' {
  if (window.spent < window.granted) {
    window.spent += 1;
    return answer(window, true);
  }
  if (leases.isClosed) return null;
  if (now < window.dryUntil) return answer(window, false);
  return now < leases.awayUntil ? null : 'ask';
}

async function takeLater(leases: Leases, window: Window, now: number): Promise<WindowTake | null> {
  window.waiting += 1;
  // A request that gets nothing of a chunk waits for the next.
  for (;;) {
    window.refill ??= refill(leases, window);
    await window.refill;
    const take = takeHere(leases, window, now);
    if (take === 'ask') continue;
    window.waiting -= 1;
    return take;
  }
}

/** Resolves with tokens in the window, or with a time before which the store is not asked again. */
function refill(leases: Leases, window: Window): Promise<void> {
  const { store, clock } = leases;
  const wanted = Math.min(CHUNK_MAX, Math.max(window.chunk, window.waiting));
  const ended = Promise.withResolvers<void>();
  const end = (): void => {
    window.refill = null;
    ended.resolve();
  };
  const fail = (error: unknown): void => {
    goAway(leases, error);
    end();
  };
  const cancel = clock.after(ANSWER_MS, () =>
    fail(new Error('the store has not answered in time')),
  );
  const asking = store.takeTokens(askFor(leases, window, wanted)).then(
    (grant) => {
      // Even when no request waits for it any more.
      accept(leases, window, grant);
      cancel();
      end();
    },
    (error: unknown) => {
      cancel();
      fail(error);
    },
  );
  leases.calls.note(asking);
  return ended.promise;
}

function askFor({ nodes }: Leases, { key, endsAt, limit }: Window, wanted: number) {
  return { key, endsAt, limit, wanted, part: 2 * nodes() };
}

function accept(leases: Leases, window: Window, { granted, left }: TokenGrant): void {
  leases.awayUntil = 0;
  window.granted += granted;
  window.left = left;
  if (granted === 0) window.dryUntil = leases.clock.now() + DRY_MS;
  window.chunk = Math.min(CHUNK_MAX, window.chunk * 2);
  if (leases.isClosed) giveBack(leases, window);
  // An answer may come after its window has ended: the next window is then in use, not ahead.
  else if (window.chunk === AHEAD_CHUNK && leases.windows.get(window.key) === window) {
    leaseAhead(leases, window);
  }
}

/** The node's share of half of the next window: with it the node survives a minute without the store. */
function leaseAhead(leases: Leases, { key, endsAt, limit }: Window): void {
  const share = Math.floor(limit / (2 * leases.nodes()));
  if (leases.ahead.has(key) || share === 0) return;
  const next = makeWindow({ key, endsAt: endsAt + WINDOW_MS }, limit);
  leases.ahead.set(key, next);
  const asking = leases.store.takeTokens(askFor(leases, next, share)).then(
    ({ granted, left }) => {
      next.granted += granted;
      next.left = left;
      if (leases.isClosed) giveBack(leases, next);
    },
    () => {},
  );
  leases.calls.note(asking);
}

function goAway(leases: Leases, error: unknown): void {
  if (leases.awayUntil === 0) leases.onAway(error);
  leases.awayUntil = leases.clock.now() + AWAY_MS;
}

/** Tokens leased under another limit are returned: the store counts by the new one. */
function changeLimit(leases: Leases, window: Window, limit: number): void {
  giveBack(leases, window);
  window.left = Math.max(0, window.left + limit - window.limit);
  window.limit = limit;
  window.dryUntil = 0;
}

function giveBack(leases: Leases, window: Window): void {
  window.chunk = 1;
  const count = window.granted - window.spent;
  if (count <= 0) return;
  // Deducted before it is sent: tokens lost on the way are lost for all nodes, and never spent twice.
  window.granted -= count;
  window.left += count;
  leases.calls.note(leases.store.returnTokens({ key: window.key, endsAt: window.endsAt }, count));
}

/** The remainder is exact on one node; with several, each knows the store's last answer. */
function answer({ limit, granted, spent, left, endsAt }: Window, allowed: boolean): WindowTake {
  const remaining = allowed ? Math.max(0, Math.min(limit, left + granted - spent)) : 0;
  return { allowed, limit, remaining, resetAt: endsAt };
}
