/** The history as a hash that two runs of one seed share, and its last lines for people. */

export interface Trace {
  /** Records an entry; the parts are joined by spaces, after the time since the start in µs. */
  note(...parts: readonly (string | number)[]): void;
  /** Eight hex digits over all entries. */
  hash(): string;
  /** The latest lines, the oldest first. */
  lines(): readonly string[];
}

const LINES_MAX = 400;

export function makeTrace(now: () => number, start: number): Trace {
  const ring: string[] = [];
  let count = 0;
  let hash = 0;
  return {
    note(...parts) {
      const line = `${Math.round((now() - start) * 1_000)} ${parts.join(' ')}`;
      hash = Bun.hash.xxHash32(line, hash);
      ring[count % LINES_MAX] = line;
      count += 1;
    },
    hash: () => (hash >>> 0).toString(16).padStart(8, '0'),
    lines: () => [...ring.slice(count % LINES_MAX), ...ring.slice(0, count % LINES_MAX)],
  };
}
