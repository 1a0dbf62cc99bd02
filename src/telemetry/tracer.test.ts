/** Spans with OpenTelemetry's API, and which of them are exported. */

import { expect, test } from 'bun:test';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import { makeManualClock } from '../testing/manual-clock.ts';
import { openReceiver } from '../testing/webhooks/webhook-receiver.ts';
import { makeExporter, toOtlp } from './otlp.ts';
import { makeTraceparent, parseTraceparent } from './span-context.ts';
import { type FinishedSpan, makeTracer } from './tracer.ts';
import { makeTracing } from './tracing.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

function open(ratio = 1) {
  const ended: FinishedSpan[] = [];
  let n = 0;
  const tracer = makeTracer({
    ratio,
    hex: (bytes) => {
      n += 1;
      return n.toString(16).padStart(bytes * 2, '0');
    },
    now: () => 1_000.25,
    onEnd: (span) => ended.push(span),
  });
  return { tracer, tracing: makeTracing(tracer), ended };
}

test("METRICS a traceparent is read in W3C's form, and an invalid one begins a new trace", () => {
  const text = `00-${TRACE}-${SPAN}-01`;
  expect(makeTraceparent(parseTraceparent(text)!)).toBe(text);
  // A later version may have more fields.
  expect(parseTraceparent(`01-${TRACE}-${SPAN}-01-more`)?.spanId).toBe(SPAN);
  for (const wrong of [
    '',
    'junk',
    `00-${TRACE}-${SPAN}`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-1`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `01-${TRACE}-${SPAN}-01-${'x'.repeat(200)}`,
  ]) {
    expect(parseTraceparent(wrong)).toBeNull();
    const { tracing, ended } = open();
    tracing.begin({ name: 'a', role: 'server', parent: wrong })!.end();
    expect(ended[0]!.parent).toBeNull();
  }
});

test('METRICS a span knows its parent, its links, its end, and ends once', () => {
  const { tracing, ended } = open();
  const span = tracing.begin({
    name: 'a',
    role: 'client',
    parent: `00-${TRACE}-${SPAN}-01`,
    attributes: { x: 1 },
    links: [`00-${TRACE}-${SPAN}-01`, 'junk'],
  })!;
  expect(span.trace).toMatch(new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  span.end({ name: 'b', attributes: { y: true }, isError: true });
  span.end({ name: 'c' });
  expect(ended).toHaveLength(1);
  expect(ended[0]).toMatchObject({
    parent: SPAN,
    name: 'b',
    kind: SpanKind.CLIENT,
    attributes: { x: 1, y: true },
    startMs: 1_000.25,
    endMs: 1_000.25,
    status: { code: SpanStatusCode.ERROR },
    links: [{ context: { traceId: TRACE, spanId: SPAN } }],
  });
  const [sent] = toOtlp({ resource: {}, version: '1' }, ended).resourceSpans[0]!.scopeSpans[0]!
    .spans;
  expect(sent).toMatchObject({
    traceId: TRACE,
    parentSpanId: SPAN,
    kind: 3,
    startTimeUnixNano: '1000250000',
    status: { code: 2 },
    attributes: [
      { key: 'x', value: { intValue: '1' } },
      { key: 'y', value: { boolValue: true } },
    ],
  });
});

test('METRICS with a sampling ratio every node keeps the same traces', () => {
  const kept = (id: string) =>
    open(0.25).tracing.begin({ name: 'a', role: 'server', parent: `00-${id}-${SPAN}-01` }) !== null;
  const ids = Array.from({ length: 256 }, (_, n) => `${n.toString(16).padStart(2, '0')}`).map(
    (end) => `${'1'.repeat(24)}${end}${'0'.repeat(6)}`,
  );
  expect(ids.filter(kept)).toEqual(ids.slice(0, 64));
  expect(open(0).tracing.begin({ name: 'a', role: 'server', parent: null })).toBeNull();
});

test('METRICS spans that a collector refuses are dropped, reported once, and limited', async () => {
  const receiver = await openReceiver(() => ({ status: 503 }));
  const clock = makeManualClock();
  const lost: number[] = [];
  const exporter = makeExporter({
    url: receiver.url,
    headers: {},
    resource: {},
    version: '1',
    clock,
    onLost: (spans) => lost.push(spans),
  });
  const { tracing, ended } = open();
  for (let n = 0; n < 10; n++) tracing.begin({ name: 'a', role: 'server', parent: null })!.end();
  for (let n = 0; n < 1_000; n++) for (const span of ended) exporter.add(span);
  // 4,096 are queued; the others are lost.
  expect(lost).toEqual([1]);
  await exporter.stop();
  expect(receiver.received).toHaveLength(8);
  expect(lost).toEqual([1]);
  await receiver.close();
});
