/** The connection from a node to the database and back: slow, unreliable, sometimes cut. */

import { StoreUnavailable } from '../../src/store/shared/store-unavailable.ts';
import type { Chance } from '../kernel/chance.ts';
import type { Life } from '../kernel/life.ts';
import type { Timeline } from '../kernel/timeline.ts';

/** Network faults. Shares of all calls, from 0 to 1; may be changed at any time. */
export interface WireFaults {
  /** The call never arrives, and an error says so. */
  lost: number;
  /** It is done, and an error comes instead of the answer. */
  unanswered: number;
  /** An error comes first, and the call is done after that, if the store is available. */
  late: number;
  /** Every call takes longer by up to this much, ms. */
  slowMs: number;
  /** Nothing arrives any more: calls end with an error when their time is up. */
  isCut: boolean;
  /** The store is unavailable: each call is refused at once, or never answered. */
  away: 'no' | 'refuses' | 'hangs';
}

export function makeWireFaults(): WireFaults {
  return { lost: 0, unanswered: 0, late: 0, slowMs: 0, isCut: false, away: 'no' };
}

export type WireResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: Error };

export type Act<T> = () => Promise<T>;

export interface Wire {
  /** `act` is one atomic step of the database, without waiting; it happens once, or never. */
  send<T>(act: Act<T>, done: (result: WireResult<T>) => void): void;
  call<T>(act: Act<T>): Promise<T>;
  /** The same for a call that is over when it has failed: it is never done late. */
  callOnTime<T>(act: Act<T>): Promise<T>;
}

/** Half of a round trip takes between these, ms. */
const WAY_MS_MIN = 0.1;
const WAY_MS_MAX = 2;
/** A call over a cut connection fails after this time, ms. */
const TIMEOUT_MS = 4_000;
/** Late calls arrive within this time, ms. */
const LATE_MS_MAX = 3_000;

export interface WireDeps {
  readonly timeline: Timeline;
  readonly life: Life;
  readonly chance: Chance;
  readonly faults: WireFaults;
  /**
   * Whether a call arrives although its sender has died. Not if the store is part of the process.
   */
  readonly outlivesSender: boolean;
}

const TEXT = 'the store did not answer';
const FAILED = { kind: 'failed', error: new Error(TEXT) } as const;
const AWAY = { kind: 'failed', error: new StoreUnavailable(TEXT) } as const;

export function makeWire(deps: WireDeps): Wire {
  const call = <T>(act: Act<T>, mayBeLate: boolean): Promise<T> =>
    new Promise((resolve, reject) => {
      sendOver(deps, act, mayBeLate, (result) => {
        if (result.kind === 'answered') resolve(result.value);
        else reject(result.error);
      });
    });
  return {
    send: (act, done) => sendOver(deps, act, true, done),
    call: (act) => call(act, true),
    callOnTime: (act) => call(act, false),
  };
}

function sendOver<T>(
  deps: WireDeps,
  act: Act<T>,
  mayBeLate: boolean,
  done: (result: WireResult<T>) => void,
): void {
  const { timeline, life, chance, faults, outlivesSender } = deps;
  if (isSilent(faults) || faults.away === 'refuses' || chance.hit(faults.lost)) {
    const isAway = !isSilent(faults) && faults.away === 'refuses';
    answer(deps, isSilent(faults) ? TIMEOUT_MS : way(deps), done, isAway ? AWAY : FAILED);
  } else if (mayBeLate && outlivesSender && chance.hit(faults.late)) {
    answer(deps, way(deps), done, FAILED);
    timeline.after(LATE_MS_MAX * chance.fraction(), () => {
      if (faults.away === 'no') perform(act, () => {});
    });
  } else {
    timeline.after(way(deps), () => {
      if (!outlivesSender && !life.isAlive()) return;
      const isThere = !isSilent(faults) && faults.away === 'no';
      const isLost = isSilent(faults) || (isThere && chance.hit(faults.unanswered));
      const back = way(deps) + (isLost ? TIMEOUT_MS : 0);
      if (!isThere) answer(deps, back, done, FAILED);
      else perform(act, (result) => answer(deps, back, done, isLost ? FAILED : result));
    });
  }
}

/** Whether nothing returns from the other end, not even an error. */
function isSilent({ isCut, away }: WireFaults): boolean {
  return isCut || away === 'hangs';
}

/** Half of a round trip, ms. */
function way({ chance, faults }: WireDeps): number {
  return chance.between(WAY_MS_MIN, WAY_MS_MAX) + chance.fraction() * faults.slowMs;
}

function answer<T>(
  { timeline, life }: WireDeps,
  ms: number,
  done: (result: WireResult<T>) => void,
  result: WireResult<T>,
): void {
  timeline.after(ms, () => life.enter(() => done(result)));
}

/** Done before anything else happens: a step takes no time. */
function perform<T>(act: Act<T>, done: (result: WireResult<T>) => void): void {
  act().then(
    (value) => done({ kind: 'answered', value }),
    (error: unknown) => done({ kind: 'failed', error: error as Error }),
  );
}
