/** A store whose calls are timed. */

import { isRecordEvent } from '../../events/event.ts';
import type { MatchCommit, SessionStore } from '../../store/store.ts';
import type { Instruments } from './instruments.ts';
import type { TracedEvents } from './traced-events.ts';
import type { OpenSpan, Tracing } from './tracing.ts';

type Call = (...args: readonly unknown[]) => unknown;

/** How commits show in traces. */
export interface CommitTraces {
  readonly tracing: Tracing;
  readonly events: Pick<TracedEvents, 'note'>;
}

/**
 * The same store, measured. Calls that return a promise are timed by name, commits separately. `traces` is null
 * without tracing.
 */
export function makeMeasuredStore<S extends Pick<SessionStore, 'commit'>>(
  store: S,
  instruments: Instruments,
  traces: CommitTraces | null,
): S {
  const measured: Record<string, unknown> = {};
  for (const [name, call] of Object.entries(store)) {
    measured[name] = typeof call === 'function' ? timed(name, call as Call, instruments) : call;
  }
  const commit: SessionStore['commit'] = (asked, done) => {
    const from = performance.now();
    const span = traces === null ? null : beginCommit(traces, asked);
    store.commit(span === null ? asked : { ...asked, trace: span.trace }, (outcome) => {
      instruments.commit.observe((performance.now() - from) / 1_000);
      span?.end({ attributes: { 'matchd.outcome': outcome }, isError: outcome === 'unknown' });
      done(outcome);
    });
  };
  return { ...(measured as S), commit };
}

/** Null for a commit of no trace. */
function beginCommit(
  { tracing, events: traced }: CommitTraces,
  { trace, session, entries, events = [] }: MatchCommit,
): OpenSpan | null {
  if (trace === undefined) return null;
  const span = tracing.begin({
    name: 'commit',
    role: 'internal',
    parent: trace,
    attributes: { 'matchd.session': session, 'matchd.records': entries.length },
  });
  if (span !== null) {
    for (const event of events) if (!isRecordEvent(event)) traced.note(event.id, span.trace);
  }
  return span;
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
