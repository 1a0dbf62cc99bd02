/** What `matchd doctor` finds: one line a check, with what to do about it. */

import { type Answer, EXIT_CODES } from '../terminal/answer.ts';
import { paint, type Tone } from '../terminal/paint.ts';
import { printTable } from '../terminal/text-table.ts';

export interface Finding {
  readonly check: string;
  /** `warn`: it works, and may not forever. `fail`: it does not, or will lose something. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly found: string;
  /** Null when there is nothing to do. */
  readonly todo: string | null;
}

/** The result of a check: null when there is nothing to examine. */
export type Found = Finding | readonly Finding[] | null;

/** The name of a check, and its function. */
export type Check = readonly [name: string, look: () => Found | Promise<Found>];

export function ok(check: string, found: string): Finding {
  return { check, status: 'ok', found, todo: null };
}

export function warn(check: string, found: string, todo: string): Finding {
  return { check, status: 'warn', found, todo };
}

export function fail(check: string, found: string, todo: string): Finding {
  return { check, status: 'fail', found, todo };
}

const TONES: Readonly<Record<Finding['status'], Tone>> = {
  ok: 'good',
  warn: 'warning',
  fail: 'bad',
};

export function report(findings: readonly Finding[]): Answer {
  const count = (status: Finding['status']) =>
    findings.filter((each) => each.status === status).length;
  const counts = { ok: count('ok'), warn: count('warn'), fail: count('fail') };
  const rows = findings.flatMap(({ check, status, found, todo }) => [
    [paint(TONES[status], status), check, found],
    ...(todo === null ? [] : [['', '', `to do: ${todo}`]]),
  ]);
  const sum = `${counts.ok} ok, ${counts.warn} warnings, ${counts.fail} failures`;
  return {
    json: { ...counts, findings },
    text: `${printTable(['', 'CHECK', 'FOUND'], rows, '')}\n\n${sum}`,
    exit: counts.fail === 0 ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}
