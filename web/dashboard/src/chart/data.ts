/** The data of a chart, and how its times and values are shown. */

import { duration } from '../words/duration.ts';
import { number } from '../words/number.ts';

/** A line of a chart. Null for steps without a measurement. */
export interface Series {
  readonly name: string;
  /** One of the theme's colours. */
  readonly color: 'accent' | 'green' | 'blue' | 'amber' | 'red';
  readonly values: readonly (number | null)[];
}

export interface ChartData {
  /** When each step begins, ISO. */
  readonly at: readonly string[];
  readonly series: readonly Series[];
  /** `1m`, `10m`, `1h`, `1d` or `1mo`; `none`: each value has a time of its own. */
  readonly step: string;
  readonly unit: '' | 'ms' | '%';
  /** For values that are never near zero: the axis spans those that are there. */
  readonly isFromData?: boolean;
  readonly isBars?: boolean;
}

const clock = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
/** In the reader's time zone. */
const ownDay = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
/** An axis without steps shows only days from this span on. */
const DAYS_FROM_S = 3 * 86_400;

/** The service's days begin at midnight in UTC. */
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

const month = new Intl.DateTimeFormat('en-GB', {
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
});

/** Steps of days and months begin at midnight in UTC, whatever the reader's time zone. */
export function isInUtc(step: string): boolean {
  return step === '1d' || step === '1mo';
}

/** When a step begins, as short as the step allows. */
export function stepTime(at: string | number, step: string): string {
  if (isInUtc(step)) return (step === '1d' ? day : month).format(new Date(at));
  if (step === 'none') return exact.format(new Date(at));
  return (step === '1h' ? dayAndClock : clock).format(new Date(at));
}

/** The words below an axis, `at` in seconds. */
export function axisTimes(at: readonly number[], step: string): string[] {
  if (step !== 'none') return at.map((each) => stepTime(each * 1_000, step));
  const isLong = at.length > 0 && at.at(-1)! - at[0]! >= DAYS_FROM_S;
  return at.map((each) => (isLong ? ownDay : dayAndClock).format(new Date(each * 1_000)));
}

export function withUnit(value: number | null, unit: ChartData['unit']): string {
  if (value === null) return '—';
  if (unit === 'ms') return duration(value);
  const text = number(value);
  return unit === '' ? text : `${text} ${unit}`;
}
