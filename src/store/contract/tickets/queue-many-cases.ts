/** Many players in the queue at the same time: writes are shared, decisions are individual. */

import { expect } from 'bun:test';
import type { SessionChange } from '../../store.ts';
import type { Store } from '../../whole-store.ts';
import type { SessionWish } from '../stage.ts';
import { append, entryOf, kindOf, seatOf, sessionId, sessionOf, T0, TENANT } from '../stage.ts';
import type { QueueCase } from './queue-cases.ts';

const WORLD = { tenant: TENANT, mode: 'live', game: 'tictactoe' } as const;
/** How often each kind occurs. */
const TIMES = 6;
/** An existing session, in which `held` waits. */
const FIRST = 900;

interface Kind<Wish> {
  readonly wish: (n: number) => Wish;
  /** Null: any one of the kind succeeds. */
  readonly becomes: string | null;
}

const CREATES: readonly Kind<SessionWish>[] = [
  { wish: (n) => ({ seats: [seatOf(0, `p${n}`)] }), becomes: 'created' },
  {
    wish: (n) => ({ seats: [seatOf(0, `p${n}`), { ...seatOf(1, 'bot'), isBot: true }] }),
    becomes: 'created',
  },
  { wish: (n) => ({ seats: [seatOf(0, `other${n}`)] }), becomes: 'created' },
  { wish: (n) => ({ seats: [seatOf(0, `p${n}`), seatOf(1, 'held')] }), becomes: 'already_waiting' },
  { wish: (n) => ({ seats: [seatOf(0, `p${n}`), seatOf(1, 'twice')] }), becomes: null },
  {
    wish: (n) => ({ seats: [seatOf(0, `p${n}`)], roomCode: 'FIRST0' }),
    becomes: 'room_code_taken',
  },
  {
    wish: (n) => ({ seats: [seatOf(0, `p${n}`)], quota: { openSessionsMax: 1 } }),
    becomes: 'open_full',
  },
];

interface Join {
  readonly playerId: string;
  readonly v: number;
  readonly full?: true;
}

const JOINS: readonly Kind<Join>[] = [
  { wish: (n) => ({ playerId: `j${n}`, v: 1 }), becomes: 'committed' },
  { wish: (n) => ({ playerId: `j${n}`, v: 1, full: true }), becomes: 'committed' },
  { wish: (n) => ({ playerId: `other${n}`, v: 1 }), becomes: 'committed' },
  { wish: () => ({ playerId: 'held', v: 1 }), becomes: 'conflict' },
  { wish: () => ({ playerId: 'twice', v: 1 }), becomes: null },
  { wish: (n) => ({ playerId: `j${n}`, v: 0 }), becomes: 'conflict' },
];

/** All kinds in turn, this many times, so that each batch is mixed. */
function mix<Wish>(kinds: readonly Kind<Wish>[]) {
  return Array.from({ length: TIMES * kinds.length }, (_, n) => {
    const { wish, becomes } = kinds[n % kinds.length]!;
    return { n, wish: wish(n), becomes };
  });
}

type Mixed<Wish> = ReturnType<typeof mix<Wish>>;

/** `taken`: the outcome of those that succeed. */
function expectOutcomes<W>(all: Mixed<W>, outcomes: readonly string[], taken: string): void {
  const sure = all.filter(({ becomes }) => becomes !== null);
  expect(sure.map(({ n }) => `${n} ${outcomes[n]}`)).toEqual(
    sure.map(({ n, becomes }) => `${n} ${becomes}`),
  );
  const unsure = all.filter(({ becomes }) => becomes === null);
  expect(unsure.filter(({ n }) => outcomes[n] === taken).length).toBe(1);
}

/** Some wait for another game, which does not matter, and one for this. */
async function prepare(store: Store, count: number): Promise<void> {
  const waiting = { pairing: 'before' };
  const first = sessionOf(FIRST, { seats: [seatOf(0, 'held')], roomCode: 'FIRST0' });
  await store.createSession({ ...first, waiting });
  for (let n = 0; n < count; n++) {
    const other = sessionOf(FIRST + 1 + n, { game: 'connect4', seats: [seatOf(0, `other${n}`)] });
    await store.createSession({ ...other, waiting });
  }
}

async function waitersOf(store: Store, ids: readonly string[], n: number): Promise<string[]> {
  const found = await store.findWaiting(WORLD, ids);
  return found.flatMap(({ playerId, session }) => (session === sessionId(n) ? playerId : []));
}

async function createMany(store: Store): Promise<void> {
  const all = mix(CREATES);
  await prepare(store, all.length);
  const outcomes = await Promise.all(
    all.map(async ({ n, wish }) =>
      kindOf(await store.createSession({ ...sessionOf(n, wish), waiting: { pairing: `${n}` } })),
    ),
  );
  expectOutcomes(all, outcomes, 'created');
  for (const { n, wish } of all) {
    const isMade = outcomes[n] === 'created';
    const seats = isMade ? wish.seats! : [];
    expect(await store.listWaiting({ ...WORLD, pairing: `${n}` }, 9)).toEqual(
      isMade ? [{ session: sessionId(n), rating: 1500, since: T0, taken: seats.length }] : [],
    );
    expect((await store.loadSession(sessionId(n))) !== null).toBe(isMade);
    const ids = wish.seats!.map(({ playerId }) => playerId);
    expect(await waitersOf(store, ids, n)).toEqual(
      seats.flatMap(({ playerId, isBot }) => (isBot ? [] : playerId)),
    );
  }
}

async function joinMany(store: Store): Promise<void> {
  const all = mix(JOINS);
  await prepare(store, all.length);
  for (const { n } of all) {
    const session = sessionOf(n, { seats: [seatOf(0, `p${n}`)] });
    await store.createSession({ ...session, waiting: { pairing: `${n}` } });
  }
  const outcomes = await Promise.all(
    all.map(({ n, wish: { playerId, v, full } }) => {
      const change: SessionChange = { seats: [seatOf(1, playerId)], queued: true };
      return append(store, sessionId(n), [entryOf(v)], full ? { ...change, full } : change);
    }),
  );
  expectOutcomes(all, outcomes, 'committed');
  for (const { n, wish } of all) {
    const isSeated = outcomes[n] === 'committed';
    const loaded = await store.loadSession(sessionId(n));
    expect(loaded!.entries.length).toBe(isSeated ? 2 : 1);
    const waiting = isSeated ? (wish.full ? [] : [`p${n}`, wish.playerId]) : [`p${n}`];
    expect(await waitersOf(store, [`p${n}`, wish.playerId], n)).toEqual(waiting);
  }
}

export const queueManyCases: readonly QueueCase[] = [
  {
    title: '[S2] each of many parallel creates succeeds or is refused as if it came alone',
    run: createMany,
  },
  {
    title: '[S2] each of many parallel joins succeeds or is refused as if it came alone',
    run: joinMany,
  },
];
