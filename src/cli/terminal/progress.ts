/** Progress of long work: lines on standard error, at a terminal only. */

import { plain } from './paint.ts';

/** How far it is. */
export interface Count {
  readonly done: number;
  /** Of how many; null where that is not known. */
  readonly of: number | null;
  /** The unit: `rows`. */
  readonly unit: string;
}

/** Says what begins now; called again with the same words, how far that is. */
export type Progress = (what: string, count?: Count) => void;

/** The output of a line. */
export interface ProgressTerminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Between two counts of one line. */
const RENEW_MS = 100;
const COLUMNS_USUAL = 80;
/** Moves to the line before, and clears it. */
const LINE_BEFORE = '\u001b[1A\u001b[2K';

export function makeProgress(
  asJson: boolean,
  terminal: ProgressTerminal = process.stderr,
  now: () => number = () => performance.now(),
): Progress {
  if (asJson || terminal.isTTY !== true) return () => {};
  let current: string | null = null;
  let writtenAt = 0;
  return (what, count) => {
    const isSame = what === current;
    const isLast = count !== undefined && count.done === count.of;
    if (isSame && !isLast && now() - writtenAt < RENEW_MS) return;
    current = what;
    writtenAt = now();
    // A line that is broken in two could not be written over.
    const line = `${what}${countText(count)} …`;
    const fitting = [...plain(line)].slice(0, (terminal.columns ?? COLUMNS_USUAL) - 1).join('');
    terminal.write(`${isSame ? LINE_BEFORE : ''}${fitting}\n`);
  };
}

function countText(count: Count | undefined): string {
  if (count === undefined) return '';
  const { done, of, unit } = count;
  return `: ${done}${of === null ? '' : ` of ${of}`} ${unit}`;
}
