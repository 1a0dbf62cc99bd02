/** Which trace an event comes from, for as long as it may be on its way to a webhook. */

/** Events that are remembered; the oldest are forgotten first. */
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
