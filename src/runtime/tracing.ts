/** The port to traces: what is measured, one span each, and how it hangs together. */

/** Who speaks in a span, as OpenTelemetry has it. */
export type SpanRole = 'server' | 'client' | 'internal';

export type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

/** How a span ended. */
export interface SpanEnd {
  /** Another name than it began with. */
  readonly name?: string;
  readonly attributes?: SpanAttributes;
  readonly isError?: boolean;
}

export interface OpenSpan {
  /** A W3C `traceparent`: what is begun with it as its parent belongs to the span. */
  readonly trace: string;
  /** To be called once. */
  end(how?: SpanEnd): void;
}

export interface SpanStart {
  readonly name: string;
  readonly role: SpanRole;
  /** A `traceparent`; null, or one that is none, begins a trace. */
  readonly parent: string | null;
  readonly attributes?: SpanAttributes;
  /** Spans of other traces that it belongs to: a `traceparent` each. */
  readonly links?: readonly string[];
  /** When it began, by `performance.now`; now, where it is absent. */
  readonly startedAt?: number;
}

export interface Tracing {
  /** Null where the trace is not sampled: then nothing below it is, either. */
  begin(start: SpanStart): OpenSpan | null;
}
