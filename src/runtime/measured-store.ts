/** A store whose calls are timed. */

import type { SessionStore } from '../store/store.ts';
import type { Instruments } from './instruments.ts';

type Call = (...args: readonly unknown[]) => unknown;

/** The same store. Calls that answer with a promise are timed by their names, commits by themselves. */
export function makeMeasuredStore<S extends Pick<SessionStore, 'commit'>>(
  store: S,
  instruments: Instruments,
): S {
  const measured: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(store)) {
    measured[name] = typeof call === 'function' ? timed(name, call as Call, instruments) : call;
  }
  const commit: SessionStore['commit'] = (asked, done) => {
    const from = performance.now();
    store.commit(asked, (outcome) => {
      instruments.commit.observe((performance.now() - from) / 1_000);
      done(outcome);
    });
  };
  return { ...(measured as S), commit };
}

function timed(name: string, call: Call, { storeCall }: Instruments): Call {
  return (...args) => {
    const from = performance.now();
    const answer = call(...args);
    if (!(answer instanceof Promise)) return answer;
    const observe = (): void => storeCall(name).observe((performance.now() - from) / 1_000);
    answer.then(observe, observe);
    return answer;
  };
}
