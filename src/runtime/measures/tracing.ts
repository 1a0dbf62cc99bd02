/** The port to traces: measured spans and their parents. */

/** A span's kind, as in OpenTelemetry. */
export type SpanRole = 'server' | 'client' | 'internal';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** How a span ended. */
export interface SpanEnd {
  /** Another name than at the start. */
  readonly name?: string;
  readonly attributes?: SpanAttributes;
  readonly isError?: boolean;
}

export interface OpenSpan {
  /** A W3C `traceparent`: spans with it as their parent are children of this one. */
  readonly trace: string;
  /** To be called once. */
  end(how?: SpanEnd): void;
}

export interface SpanStart {
  readonly name: string;
  readonly role: SpanRole;
  /** A `traceparent`; null, or an invalid one, begins a trace. */
  readonly parent: string | null;
  readonly attributes?: SpanAttributes;
  /** Linked spans of other traces: a `traceparent` each. */
  readonly links?: readonly string[];
  /** When it began, by `performance.now`; absent: now. */
  readonly startedAt?: number;
}

export interface Tracing {
  /** Null when the trace is not sampled: then no child is, either. */
  begin(start: SpanStart): OpenSpan | null;
}
