/** W3C Trace Context: a span's place as the text that travels with a request. */

import { isSpanContextValid, type SpanContext, TraceFlags } from '@opentelemetry/api';

const SHAPE = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;
/** A header that is longer is none. */
const LENGTH_MAX = 200;

export function makeTraceparent({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, '0')}`;
}

/** Null for what is no `traceparent`. */
export function parseTraceparent(text: string | null): SpanContext | null {
  if (text === null || text.length > LENGTH_MAX) return null;
  const [, traceId, spanId, flags] = SHAPE.exec(text) ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  const found: SpanContext = { traceId, spanId, traceFlags, isRemote: true };
  return isSpanContextValid(found) ? found : null;
}
