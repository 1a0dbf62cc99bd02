/** A tracer that keeps OpenTelemetry's API and hands finished spans on. */

import {
  type Attributes,
  type AttributeValue,
  type Context,
  type HrTime,
  INVALID_SPAN_CONTEXT,
  SpanKind as Kind,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
  type SpanOptions,
  type SpanStatus,
  SpanStatusCode,
  type TimeInput,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';

/** A span that has ended. */
export interface FinishedSpan {
  readonly context: SpanContext;
  /** Null at the head of a trace. */
  readonly parent: string | null;
  readonly name: string;
  readonly kind: SpanKind;
  /** Milliseconds since 1970, with fractions. */
  readonly startMs: number;
  readonly endMs: number;
  readonly attributes: Attributes;
  readonly links: readonly Link[];
  readonly events: readonly { readonly name: string; readonly atMs: number }[];
  readonly status: SpanStatus;
}

export interface TracerDeps {
  /** The part of all traces that is kept, 0 to 1. By their ids: every node decides alike. */
  readonly ratio: number;
  /** So many random bytes as hex. */
  readonly hex: (bytes: number) => string;
  /** Milliseconds since 1970, with fractions. */
  readonly now: () => number;
  readonly onEnd: (span: FinishedSpan) => void;
}

const TRACE_BYTES = 16;
const SPAN_BYTES = 8;
/** The digits of a trace's id by which it is chosen, and how many numbers they write. */
const CHOICE_DIGITS = 8;
const CHOICES = 16 ** CHOICE_DIGITS;

export function makeTracer(deps: TracerDeps): Tracer {
  const startSpan: Tracer['startSpan'] = (name, options = {}, context) => {
    const above = context === undefined ? undefined : trace.getSpanContext(context);
    const parent = options.root === true ? undefined : above;
    const traceId = parent?.traceId ?? deps.hex(TRACE_BYTES);
    const chosen = Number.parseInt(traceId.slice(-CHOICE_DIGITS), 16) / CHOICES;
    if (chosen >= deps.ratio) return trace.wrapSpanContext(INVALID_SPAN_CONTEXT);
    const own = { traceId, spanId: deps.hex(SPAN_BYTES), traceFlags: TraceFlags.SAMPLED };
    return makeSpan(deps, own, parent?.spanId ?? null, name, options);
  };
  const startActiveSpan = (name: string, ...rest: readonly unknown[]): unknown => {
    const act = rest.at(-1) as (span: Span) => unknown;
    const [options, context] = rest.slice(0, -1) as [SpanOptions?, Context?];
    return act(startSpan(name, options, context));
  };
  return { startSpan, startActiveSpan: startActiveSpan as Tracer['startActiveSpan'] };
}

function makeSpan(
  { now, onEnd }: TracerDeps,
  context: SpanContext,
  parent: string | null,
  firstName: string,
  { kind = Kind.INTERNAL, attributes: given = {}, links: first = [], startTime }: SpanOptions,
): Span {
  const attributes: Record<string, AttributeValue | undefined> = { ...given };
  const links = [...first];
  const events: { name: string; atMs: number }[] = [];
  const startMs = toMs(startTime) ?? now();
  let name = firstName;
  let status: SpanStatus = { code: SpanStatusCode.UNSET };
  let isOpen = true;
  const span: Span = {
    spanContext: () => context,
    setAttribute: (key, value) => span.setAttributes({ [key]: value }),
    setAttributes(more) {
      Object.assign(attributes, more);
      return span;
    },
    addEvent(event, _attributes, at) {
      events.push({ name: event, atMs: toMs(at) ?? now() });
      return span;
    },
    addLink: (link) => span.addLinks([link]),
    addLinks(more) {
      links.push(...more);
      return span;
    },
    setStatus(next) {
      status = next;
      return span;
    },
    updateName(next) {
      name = next;
      return span;
    },
    end(at) {
      if (!isOpen) return;
      isOpen = false;
      const endMs = Math.max(startMs, toMs(at) ?? now());
      onEnd({ context, parent, name, kind, startMs, endMs, attributes, links, events, status });
    },
    isRecording: () => isOpen,
    recordException: (_exception, at) => void span.addEvent('exception', toMs(at)),
  };
  return span;
}

/** Milliseconds since 1970 of what the API takes for a time; undefined for none. */
function toMs(time: TimeInput | undefined): number | undefined {
  if (time === undefined || typeof time === 'number') return time;
  if (Array.isArray(time)) return (time as HrTime)[0] * 1_000 + (time as HrTime)[1] / 1e6;
  return (time as { getTime(): number }).getTime();
}
