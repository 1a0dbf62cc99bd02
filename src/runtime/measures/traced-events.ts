/** The trace that an event comes from, until its delivery to a webhook. */

/** Cached events; the oldest are dropped first. */
const EVENTS_MAX = 10_000;

export interface TracedEvents {
  note(event: string, trace: string): void;
  /** A `traceparent`; null for an event of no trace, and for one that happened on another node. */
  traceOf(event: string): string | null;
}

export function makeTracedEvents(): TracedEvents {
  const traces = new Map<string, string>();
  return {
    note(event, trace) {
      traces.set(event, trace);
      if (traces.size <= EVENTS_MAX) return;
      const [oldest] = traces.keys();
      traces.delete(oldest!);
    },
    traceOf: (event) => traces.get(event) ?? null,
  };
}
