/** What interrupts a match, and the time that is given back for it. */

import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { findGame } from '../../../games/registry.ts';
import { nextDeadline, RETURN_GRACE_MS } from '../../../match/deadline.ts';
import { decide } from '../../../match/decide.ts';
import type { Session } from '../../../match/session.ts';
import { anySession, playSession } from '../../../testing/matches/random-session.ts';
import { TEST_SEED } from '../../../testing/test-seed.ts';
import {
  type Downtime,
  INTERRUPTION_MS,
  interruptedSince,
  type LostTime,
  lostMs,
  makeDowntime,
  noLostTime,
  noteCommit,
  noteInterruption,
} from './lost-time.ts';

const MINUTE = 60_000;
const game = findGame('tictactoe')!;

/** Sessions at any point of their course. */
const anyOpenSession = anySession(game)
  .map((random) => playSession(random).session)
  .filter(({ status }) => status !== 'ended');

/** The session after the lost time is recorded at `now`. */
function recordLostTime(session: Session, lost: number, now: number): Session {
  const { steps } = decide(session, { kind: 'tick' }, now, lost);
  return steps.at(-1)?.after ?? session;
}

/** A minute after a session's last record. */
function lostOf(downtime: Downtime, lost: LostTime): number {
  const { session } = playSession(
    fc.sample(anySession(game, 0), { seed: TEST_SEED, numRuns: 1 })[0]!,
  );
  return lostMs(downtime, lost, session, session.at + MINUTE);
}

describe('[P6] a process that stalls', () => {
  test('[P6] is interrupted for as long, and a stall reported twice counts once', () => {
    const downtime = makeDowntime();
    const lost = noLostTime(downtime);
    expect(downtime.noteStall(1_000, 4_000)).toBe(3_000);
    expect(downtime.noteStall(2_000, 5_000)).toBe(1_000);
    expect(downtime.noteStall(2_000, 5_000)).toBe(0);
    expect(lostOf(downtime, lost)).toBe(4_000);
    // A match loaded since then has lost nothing.
    expect(lostOf(downtime, noLostTime(downtime))).toBe(0);
  });

  test(`[P6] gives back no more than has passed since the last record (seed ${TEST_SEED})`, () => {
    const property = fc.property(anyOpenSession, fc.nat(MINUTE), (session, passedMs) => {
      const downtime = makeDowntime();
      const lost = noLostTime(downtime);
      const now = session.at + passedMs;
      // As with a store that took no heartbeat, but took that record.
      downtime.noteStall(session.at - MINUTE, now);
      expect(lostMs(downtime, lost, session, now)).toBe(passedMs);
    });
    fc.assert(property, { seed: TEST_SEED, numRuns: 100 });
  });

  test('[P6] loses nothing of a silent store that is reported after a stall within that time', () => {
    const downtime = makeDowntime();
    expect(downtime.noteStall(2_000, 4_000)).toBe(2_000);
    expect(downtime.noteStall(1_200, 4_000)).toBe(800);
    expect(downtime.noteStall(1_200, 4_500)).toBe(500);
    // An outage that is over and reported again does not count again, whatever came after it.
    expect(downtime.noteStall(6_000, 8_000)).toBe(2_000);
    expect(downtime.noteStall(1_200, 4_500)).toBe(0);
    expect(downtime.stillMs()).toBe(5_300);
  });

  test('[P6] a commit gives that time back, and is an interruption itself if it took a second', () => {
    const downtime = makeDowntime();
    const lost = noLostTime(downtime);
    downtime.noteStall(0, 2_000);
    noteCommit(downtime, lost, INTERRUPTION_MS - 1);
    expect(lostOf(downtime, lost)).toBe(0);
    noteCommit(downtime, lost, INTERRUPTION_MS);
    expect(lostOf(downtime, lost)).toBe(INTERRUPTION_MS);
  });

  test('[P6] a stall during a commit counts once', () => {
    const downtime = makeDowntime();
    const lost = noLostTime(downtime);
    downtime.noteStall(1_000, 4_000);
    noteCommit(downtime, lost, 5_000);
    expect(lostOf(downtime, lost)).toBe(5_000);
  });
});

describe('[P6] a match that is loaded', () => {
  const downtime = makeDowntime();
  const holder = (servedUntil: number | null) => ({ from: 'holder', servedUntil }) as const;
  const asleep = (wakeAt: number | null) => ({ from: 'sleep', wakeAt }) as const;

  test(`[P6] has ten seconds, or the whole period that runs out, whatever it had left (seed ${TEST_SEED})`, () => {
    const property = fc.property(
      anyOpenSession,
      fc.nat(10 * MINUTE),
      fc.nat(),
      (session, awayMs, n) => {
        const now = session.at + awayMs;
        const since = session.at + (awayMs === 0 ? 0 : n % awayMs);
        const lost = noLostTime(downtime);
        noteInterruption(lost, session, since, now);
        const after = recordLostTime(session, lostMs(downtime, lost, session, now), now);
        const deadline = nextDeadline(after);
        if (deadline === null) return;
        const { turnTimeoutMs, disconnectGraceMs } = session.setup;
        const clockMs = session.status === 'active' ? (session.clockMs ?? []) : [];
        const least = Math.min(RETURN_GRACE_MS, turnTimeoutMs, disconnectGraceMs, ...clockMs);
        expect(after.status).toBe(session.status);
        expect(deadline - now).toBeGreaterThanOrEqual(least);
        // And no more than it had, or ten seconds.
        const hadMs = nextDeadline(session)! - since;
        expect(deadline - now).toBeLessThanOrEqual(Math.max(hadMs, RETURN_GRACE_MS));
      },
    );
    fc.assert(property, { seed: TEST_SEED, numRuns: 300 });
  });

  test(`[P6] has what it had at its owner's last heartbeat, else at its last record (seed ${TEST_SEED})`, () => {
    const property = fc.property(anyOpenSession, fc.nat(MINUTE), (session, servedMs) => {
      const at = session.at + servedMs;
      const now = at + MINUTE;
      expect(interruptedSince(downtime, holder(at), session, now)).toBe(at);
      expect(interruptedSince(downtime, holder(null), session, now)).toBe(session.at);
    });
    fc.assert(property, { seed: TEST_SEED, numRuns: 100 });
  });

  test(`[P6] goes by the clock if it slept, unless it is late (seed ${TEST_SEED})`, () => {
    const property = fc.property(anyOpenSession, (session) => {
      const due = nextDeadline(session);
      fc.pre(due !== null && due > session.at + 1);
      const ask = (now: number) => interruptedSince(makeDowntime(), asleep(due), session, now);
      expect(ask(due! - 1)).toBeNull();
      expect(ask(due! + 1_999)).toBeNull();
      expect(ask(due! + 2_000)).toBe(due);
    });
    fc.assert(property, { seed: TEST_SEED, numRuns: 100 });
  });

  test(`[P6] keeps the deadlines of an older version, whose sleep stopped during outages (seed ${TEST_SEED})`, () => {
    const property = fc.property(
      anyOpenSession,
      fc.nat(MINUTE),
      fc.nat(),
      (session, outageMs, n) => {
        const deadline = nextDeadline(session);
        fc.pre(deadline !== null && outageMs > 0 && deadline - session.at > 1);
        const wakeAt = deadline! + outageMs;
        // Between the end of the outages and its wake time.
        const now = wakeAt - 1 - (n % (deadline! - session.at));
        fc.pre(now - session.at >= outageMs);
        const since = interruptedSince(downtime, asleep(wakeAt), session, now);
        const lost = noLostTime(downtime);
        noteInterruption(lost, session, since!, now);
        const after = recordLostTime(session, lostMs(downtime, lost, session, now), now);
        expect(after.status).toBe(session.status);
        // And ten seconds, or the whole period if that is less, because it had to be loaded.
        expect(nextDeadline(after)!).toBeWithin(
          wakeAt,
          Math.max(wakeAt, now + RETURN_GRACE_MS) + 1,
        );
        // Once it is due it is over, as in that version.
        expect(interruptedSince(makeDowntime(), asleep(wakeAt), session, wakeAt)).toBeNull();
      },
    );
    fc.assert(property, { seed: TEST_SEED, numRuns: 200 });
  });

  test('[P6] a match that was due when the store last failed is late at once', () => {
    const { session } = playSession(
      fc.sample(anySession(game, 0), { seed: TEST_SEED, numRuns: 1 })[0]!,
    );
    const due = nextDeadline(session)!;
    const failing = makeDowntime();
    failing.noteTrouble(due + 100);
    expect(interruptedSince(failing, asleep(due), session, due + 200)).toBe(due);
    failing.noteTrouble(due - 100);
    expect(interruptedSince(failing, asleep(due), session, due + 200)).toBeNull();
  });

  test('[N5] a match that is due before anything runs out was handed over', () => {
    const { session } = playSession(
      fc.sample(anySession(game, 0), { seed: TEST_SEED, numRuns: 1 })[0]!,
    );
    const givenAt = session.at + 1;
    expect(interruptedSince(downtime, asleep(givenAt), session, givenAt + 300)).toBe(givenAt);
    expect(interruptedSince(downtime, asleep(null), session, givenAt + 300)).toBeNull();
  });
});
