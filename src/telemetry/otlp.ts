/** Finished spans on their way to a collector: OTLP over HTTP, as JSON. */

import type { Attributes, AttributeValue } from '@opentelemetry/api';
import type { Cancel, Clock } from '../runtime/ports.ts';
import type { FinishedSpan } from './tracer.ts';

export interface ExporterDeps {
  /** Where spans are sent: the collector's address with `/v1/traces`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** What the spans are of: `service.name` and so on. */
  readonly resource: Attributes;
  readonly version: string;
  readonly clock: Pick<Clock, 'after'>;
  /** Spans were lost: the collector does not take them, or not fast enough. Once until it does again. */
  readonly onLost: (spans: number, reason: string) => void;
}

export interface Exporter {
  add(span: FinishedSpan): void;
  /** Sends what is left, and ends. Never rejects. */
  stop(): Promise<void>;
}

/** Spans that wait at most; more are lost. */
const WAITING_MAX = 4_096;
/** Spans of one request. */
const BATCH_MAX = 512;
const EVERY_MS = 1_000;
const SEND_MS_MAX = 5_000;
/** At the end of the process. */
const LAST_MS_MAX = 2_000;

export function makeExporter(deps: ExporterDeps): Exporter {
  let waiting: FinishedSpan[] = [];
  let lost = 0;
  let isFailing = false;
  let isScheduled = false;
  let underWay: Promise<void> | null = null;
  let cancel: Cancel = () => {};

  const send = async (spans: readonly FinishedSpan[], ms: number): Promise<void> => {
    try {
      const response = await fetch(deps.url, {
        method: 'POST',
        headers: { ...deps.headers, 'Content-Type': 'application/json' },
        body: JSON.stringify(toOtlp(deps, spans)),
        signal: AbortSignal.timeout(ms),
        redirect: 'error',
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the collector answers ${response.status}`);
      isFailing = false;
    } catch (error) {
      lose(spans.length, String(error));
    }
  };
  const lose = (spans: number, reason: string): void => {
    lost += spans;
    if (isFailing) return;
    isFailing = true;
    deps.onLost(lost, reason);
    lost = 0;
  };
  const flush = async (ms: number): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_MAX);
      waiting = waiting.slice(BATCH_MAX);
      await send(batch, ms);
    }
  };
  /** Nothing is set while nothing waits: a process that failed to start is to end. */
  const sendSoon = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    cancel = deps.clock.after(EVERY_MS, () => {
      underWay = flush(SEND_MS_MAX).finally(() => {
        underWay = null;
        isScheduled = false;
        if (waiting.length > 0) sendSoon();
      });
    });
  };
  return {
    add(span) {
      if (waiting.length >= WAITING_MAX) {
        lose(1, 'more spans than the collector takes');
        return;
      }
      waiting.push(span);
      sendSoon();
    },
    async stop() {
      cancel();
      await (underWay ?? flush(LAST_MS_MAX));
    },
  };
}

/** The body of a request to `/v1/traces`. */
export function toOtlp(
  { resource, version }: Pick<ExporterDeps, 'resource' | 'version'>,
  spans: readonly FinishedSpan[],
) {
  return {
    resourceSpans: [
      {
        resource: { attributes: toKeyValues(resource) },
        scopeSpans: [{ scope: { name: 'matchd', version }, spans: spans.map(toSpan) }],
      },
    ],
  };
}

function toSpan(span: FinishedSpan) {
  const { context, parent, name, kind, startMs, endMs, attributes, links, events, status } = span;
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parent === null ? null : { parentSpanId: parent }),
    name,
    // OTLP counts from 1: 0 stands for a kind that was not said.
    kind: kind + 1,
    startTimeUnixNano: toNanos(startMs),
    endTimeUnixNano: toNanos(endMs),
    attributes: toKeyValues(attributes),
    links: links.map(({ context: { traceId, spanId }, attributes: of = {} }) => ({
      traceId,
      spanId,
      attributes: toKeyValues(of),
    })),
    events: events.map((event) => ({ name: event.name, timeUnixNano: toNanos(event.atMs) })),
    status: { code: status.code, ...(status.message && { message: status.message }) },
  };
}

/** A number of 19 digits, which JSON holds as a text. */
function toNanos(ms: number): string {
  return `${BigInt(Math.round(ms * 1_000)) * 1_000n}`;
}

function toKeyValues(attributes: Attributes) {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value: toAnyValue(value) }],
  );
}

function toAnyValue(value: AttributeValue): object {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  if (typeof value === 'number') {
    return Number.isSafeInteger(value) ? { intValue: `${value}` } : { doubleValue: value };
  }
  const values = (value as readonly (string | number | boolean | null)[]).filter(
    (each) => each !== null && each !== undefined,
  );
  return { arrayValue: { values: values.map((each) => toAnyValue(each as AttributeValue)) } };
}
