/** Traces by the API of OpenTelemetry: any tracer that keeps it will do. */

import {
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { OpenSpan, SpanRole, Tracing } from '../runtime/measures/tracing.ts';
import { makeTraceparent, parseTraceparent } from './span-context.ts';

const KINDS: Readonly<Record<SpanRole, SpanKind>> = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  internal: SpanKind.INTERNAL,
};

export function makeTracing(tracer: Tracer): Tracing {
  return {
    begin({ name, role, parent, attributes = {}, links = [], startedAt }) {
      const above = parseTraceparent(parent);
      const context = above === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, above);
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[role],
          attributes,
          links: links.flatMap((link) => {
            const linked = parseTraceparent(link);
            return linked === null ? [] : [{ context: linked }];
          }),
          ...(startedAt === undefined ? null : { startTime: performance.timeOrigin + startedAt }),
        },
        context,
      );
      return span.isRecording() ? makeOpenSpan(span) : null;
    },
  };
}

function makeOpenSpan(span: Span): OpenSpan {
  return {
    trace: makeTraceparent(span.spanContext()),
    end({ name, attributes, isError = false } = {}) {
      if (name !== undefined) span.updateName(name);
      if (attributes !== undefined) span.setAttributes(attributes);
      if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}
