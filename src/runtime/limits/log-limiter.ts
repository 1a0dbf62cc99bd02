/** Keeps a flood of refused requests from flooding the log: some lines are written, the rest are counted. */

import type { Clock } from '../ports.ts';

/** Lines of one address and kind in a window: enough to see what a client does wrong. */
const LINES_PER_SOURCE = 20;
/** Lines of all addresses together in a window. */
const LINES_MAX = 1_000;
const WINDOW_MS = 60_000;
/** Pairs of address and kind that are counted apart in a window; those beyond share one count. */
const SOURCES_MAX = 2_000;
/** Pairs whose suppressed lines are reported one by one when the window ends, the largest first. */
const REPORTED_MAX = 20;

export interface LogLimiter {
  /**
   * True when a line of that address and kind may be written now; otherwise the line counts as
   * suppressed. `address` is a client's address key, `kind` an error code.
   */
  take(address: string, kind: string): boolean;
  /** Reports what a window suppressed once the window has ended. To be called every second. */
  sweep(): void;
  /** Reports what has been suppressed so far, without waiting for the window's end. */
  flush(): void;
}

/** What is suppressed is reported in lines of level `warn`. */
export interface SuppressionReport {
  readonly address: string;
  readonly kind: string;
  /** Suppressed lines. */
  readonly suppressed: number;
}

interface Source {
  readonly address: string;
  readonly kind: string;
  seen: number;
  suppressed: number;
}

/** The rest of a window: what is not counted by address and kind. */
const OTHERS = { address: 'others', kind: 'all' };

export function makeLogLimiter(
  clock: Pick<Clock, 'now'>,
  report: (entry: SuppressionReport) => void,
): LogLimiter {
  let sources = new Map<string, Source>();
  let others: Source = { ...OTHERS, seen: 0, suppressed: 0 };
  let lines = 0;
  let endsAt = 0;

  const sourceOf = (address: string, kind: string): Source => {
    const name = `${kind} ${address}`;
    const known = sources.get(name);
    if (known !== undefined) return known;
    if (sources.size >= SOURCES_MAX) return others;
    const source: Source = { address, kind, seen: 0, suppressed: 0 };
    sources.set(name, source);
    return source;
  };

  const flush = (): void => {
    const suppressing = [...sources.values()]
      .filter(({ suppressed }) => suppressed > 0)
      .sort((a, b) => b.suppressed - a.suppressed);
    const rest = suppressing.slice(REPORTED_MAX);
    others.suppressed += rest.reduce((sum, { suppressed }) => sum + suppressed, 0);
    for (const { address, kind, suppressed } of [...suppressing.slice(0, REPORTED_MAX), others]) {
      if (suppressed > 0) report({ address, kind, suppressed });
    }
    sources = new Map();
    others = { ...OTHERS, seen: 0, suppressed: 0 };
    lines = 0;
  };

  const sweep = (): void => {
    const now = clock.now();
    if (now < endsAt) return;
    flush();
    endsAt = now + WINDOW_MS;
  };

  return {
    take(address, kind) {
      sweep();
      const source = sourceOf(address, kind);
      source.seen += 1;
      if (source.seen <= LINES_PER_SOURCE && lines < LINES_MAX) {
        lines += 1;
        return true;
      }
      source.suppressed += 1;
      return false;
    },
    sweep,
    flush,
  };
}
