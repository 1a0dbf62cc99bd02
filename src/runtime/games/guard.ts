/**
 * Limits what an operator's rules may take: the time of a call and the size of a state (decision 0045). Shipped
 * games are trusted and not guarded.
 */

import vm from 'node:vm';
import type { AnyBot, AnyMind } from '../../../game/src/bot.ts';
import type { AnyGame, Json, TickRules } from '../../../game/src/game.ts';
import { type Rules, type RulesRef, refOf } from '../../games/games.ts';

export interface GuardLimits {
  /** A call of the rules is stopped after this time. Milliseconds. */
  readonly callMs: number;
  /** The limit for a while after a call of these rules was stopped: each stop blocks every other match. */
  readonly strictCallMs: number;
  readonly strictForMs: number;
  /** A call that takes longer is reported. Milliseconds. */
  readonly slowMs: number;
  /** A state as JSON. Characters. */
  readonly stateCharsMax: number;
}

export const GUARD_LIMITS: GuardLimits = {
  callMs: 1_000,
  strictCallMs: 100,
  strictForMs: 60_000,
  slowMs: 50,
  stateCharsMax: 256 * 1_024,
};

/** One call into an operator's rules. */
export interface GuardedCall {
  readonly rules: RulesRef;
  /** The function of the game or the bot, or the host's name for several calls. */
  readonly what: string;
  readonly ms: number;
}

export interface GuardDeps {
  readonly limits: GuardLimits;
  /** A stopwatch, in milliseconds. */
  readonly elapsedMs: () => number;
  onCall?(call: GuardedCall): void;
  /** It took longer than `slowMs`. */
  onSlow?(call: GuardedCall): void;
}

/**
 * Runs several calls into rules as one guarded call. It is repeated if it was stopped, so `act` starts from the
 * beginning each time, unless `isOnce` is given.
 */
export type RunRules = <T>(rules: Rules, what: string, act: () => T, isOnce?: boolean) => T;

export interface Guard {
  readonly run: RunRules;
  /** The same rules with every function guarded. */
  protect(rules: Rules): Rules;
}

/** A call of the rules took too long and was stopped. */
export class RulesStoppedError extends Error {
  constructor({ game, rulesVersion }: RulesRef, what: string, ms: number) {
    super(`the rules of ${game}, version ${rulesVersion}, took longer than ${ms} ms: ${what}`);
    this.name = 'RulesStoppedError';
  }
}

/** A state is not JSON, or too large. */
export class StateError extends Error {
  constructor({ game, rulesVersion }: RulesRef, what: string) {
    super(`the rules of ${game}, version ${rulesVersion}: ${what}`);
    this.name = 'StateError';
  }
}

/** Where the script finds the function to call: a global property, which is faster to find than a symbol. */
const SLOT = '__matchdGuarded';
/** A game that runs by the clock takes many steps, and each adds little to the state. */
const STEPS_A_CHECK = 60;

/** Functions that draw from the randomness they are given: a repeated call would draw other values. */
const DRAWING: ReadonlySet<string> = new Set(['deal', 'apply', 'missTurn', 'imagine', 'choose']);

/** No limit, for tests and shipped games. */
export const runUnguarded: RunRules = (_, __, act) => act();

export function makeGuard({ limits, elapsedMs, onCall, onSlow }: GuardDeps): Guard {
  // The only way to stop a function on its own thread. A stop is no exception: neither `catch` nor `finally` within
  // the call sees it.
  const script = new vm.Script(`${SLOT}()`, { filename: 'matchd:guarded' });
  const slots = globalThis as { [SLOT]?: () => unknown };
  const usual = { timeout: limits.callMs, displayErrors: false };
  const strict = { timeout: limits.strictCallMs, displayErrors: false };
  const strictUntil = new Map<string, number>();
  let isInside = false;

  const attempt = <T>(act: () => T, options: typeof usual): T => {
    isInside = true;
    slots[SLOT] = act;
    try {
      return script.runInThisContext(options) as T;
    } finally {
      isInside = false;
    }
  };

  /** The limit is wall-clock time: a process that stood still was not working, so the call may be repeated. */
  const again = <T>(error: unknown, act: () => T, isOnce: boolean): T => {
    if (isOnce || !isStop(error)) throw error;
    return attempt(act, strict);
  };

  const call = <T>(ref: RulesRef, what: string, act: () => T, isOnce: boolean): T => {
    if (isInside) return act();
    const began = elapsedMs();
    const isStrict = strictUntil.size > 0 && began < (strictUntil.get(nameOf(ref)) ?? 0);
    const options = isStrict ? strict : usual;
    try {
      try {
        return attempt(act, options);
      } catch (error) {
        return again(error, act, isOnce);
      }
    } catch (error) {
      if (!isStop(error)) throw error;
      strictUntil.set(nameOf(ref), elapsedMs() + limits.strictForMs);
      throw new RulesStoppedError(ref, what, options.timeout);
    } finally {
      const made = { rules: ref, what, ms: elapsedMs() - began };
      onCall?.(made);
      if (made.ms > limits.slowMs) onSlow?.(made);
    }
  };

  return {
    run: (rules, what, act, isOnce = false) =>
      rules.hash === null ? act() : call(refOf(rules), what, act, isOnce),
    protect(rules) {
      const ref = refOf(rules);
      const guarded: CallOf = (what, act) => call(ref, what, act, DRAWING.has(what));
      const check: CheckState = (state) => checkState(ref, state, limits.stateCharsMax);
      return {
        game: protectGame(rules.game, guarded, check),
        bot: rules.bot === null ? null : protectBot(rules.bot, guarded),
        hash: rules.hash,
      };
    },
  };
}

type CallOf = <T>(what: string, act: () => T) => T;
type CheckState = (state: Json | undefined) => void;
type AnyFunction = (...args: unknown[]) => unknown;

function nameOf({ game, rulesVersion, rulesHash }: RulesRef): string {
  return `${game} ${rulesVersion} ${rulesHash}`;
}

function isStop(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}

function checkState(ref: RulesRef, state: Json | undefined, charsMax: number): void {
  const text: string | undefined = JSON.stringify(state);
  if (text === undefined) throw new StateError(ref, 'a state is no JSON');
  if (text.length <= charsMax) return;
  throw new StateError(ref, `a state has ${text.length} characters as JSON, at most ${charsMax}`);
}

/** The part of a result that holds a state; null when there is none. */
type Holder = { readonly state?: Json };
const HOLDERS: Readonly<Record<string, (result: unknown) => Holder | null>> = {
  initial: (result) => ({ state: result as Json }),
  forfeit: (result) => ({ state: result as Json }),
  deal: applied,
  apply: applied,
  missTurn: applied,
};

/** A refusal has no state, nor does a turn that cannot be missed. */
function applied(result: unknown): Holder | null {
  if (result === null || (typeof result === 'object' && 'code' in result)) return null;
  return result as Holder;
}

function protectGame(game: AnyGame, guarded: CallOf, check: CheckState): AnyGame {
  const entries = Object.entries(game).map(([name, value]) => {
    if (typeof value !== 'function') return [name, value];
    const holderOf = HOLDERS[name];
    const act = value as AnyFunction;
    const protectedAct: AnyFunction = (...args) =>
      guarded(name, () => {
        const result = act.apply(game, args);
        const holder = holderOf?.(result) ?? null;
        if (holder !== null) check(holder.state);
        return result;
      });
    return [name, protectedAct];
  });
  const made = Object.fromEntries(entries) as AnyGame;
  const { ticks } = game;
  return Object.freeze(
    ticks === undefined ? made : { ...made, ticks: protectTicks(ticks, guarded, check) },
  );
}

function protectTicks(ticks: TickRules<Json>, guarded: CallOf, check: CheckState): TickRules<Json> {
  let steps = 0;
  return Object.freeze({
    ...ticks,
    step: (state: Json, masks: readonly number[]) =>
      guarded('step', () => {
        const after = ticks.step(state, masks);
        steps += 1;
        if (steps % STEPS_A_CHECK === 0) check(after);
        return after;
      }),
    tickOf: (state: Json) => guarded('tickOf', () => ticks.tickOf(state)),
    hash: (state: Json) => guarded('hash', () => ticks.hash(state)),
    eventsOf: (before: Json, after: Json) =>
      guarded('eventsOf', () => ticks.eventsOf(before, after)),
  });
}

function protectBot(bot: AnyBot, guarded: CallOf): AnyBot {
  return {
    makeMind() {
      const mind: AnyMind = guarded('makeMind', () => bot.makeMind());
      return { choose: (...args) => guarded('choose', () => mind.choose(...args)) };
    },
  };
}
