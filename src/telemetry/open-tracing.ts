/** Traces that go to a collector: loaded only where one is configured. */

import { Buffer } from 'node:buffer';
import type { Tracing } from '../runtime/measures/tracing.ts';
import type { Clock, Randomness } from '../runtime/ports.ts';
import { makeExporter } from './otlp.ts';
import { makeTracer } from './tracer.ts';
import { makeTracing } from './tracing.ts';

export interface TracingSettings {
  /** The collector's address, without a slash at its end; `/v1/traces` follows it. */
  readonly collector: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly ratio: number;
  readonly service: string;
  /** This process: `nod_…`. */
  readonly node: string;
  readonly version: string;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly onLost: (spans: number, reason: string) => void;
}

export interface ExportedTracing extends Tracing {
  /** Sends what is left. */
  stop(): Promise<void>;
}

export function openTracing(settings: TracingSettings): ExportedTracing {
  const { collector, headers, ratio, service, node, version, clock, randomness } = settings;
  const exporter = makeExporter({
    url: `${collector}/v1/traces`,
    headers,
    version,
    clock,
    onLost: settings.onLost,
    resource: {
      'service.name': service,
      'service.version': version,
      'service.instance.id': node,
    },
  });
  const tracer = makeTracer({
    ratio,
    hex: (bytes) => Buffer.from(randomness.bytes(bytes)).toString('hex'),
    now: () => performance.timeOrigin + performance.now(),
    onEnd: exporter.add,
  });
  return { ...makeTracing(tracer), stop: exporter.stop };
}
