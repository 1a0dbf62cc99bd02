/** Times and durations as people type them. */

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};
/** Longest duration that is understood: ten years. */
const DURATION_MS_MAX = 3_650 * 86_400_000;
const ISO_SHAPE =
  /^(\d{4}-\d{2}-\d{2})(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?(?:Z|[+-]\d{2}:\d{2}))?$/;

export const DURATION_FORM = 'a number and s, m, h or d, such as 24h or 7d';
export const MOMENT_FORM = `a date (2027-01-31), a time (2027-01-31T12:00:00Z), or from now on: ${DURATION_FORM}`;

/** Milliseconds, or null for an invalid duration. A bare 0 is valid. */
export function parseDuration(text: string): number | null {
  if (text === '0') return 0;
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return null;
  const ms = Number(digits) * UNITS_MS[unit]!;
  return ms <= DURATION_MS_MAX ? ms : null;
}

/** Milliseconds since 1970, or null. A date alone is its beginning in UTC. */
export function parseMoment(text: string, now: number): number | null {
  const duration = parseDuration(text);
  if (duration !== null) return now + duration;
  const date = ISO_SHAPE.exec(text)?.[1];
  // Some engines take the 30th of February for the 2nd of March.
  if (date === undefined || !isDate(date)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : at;
}

export function printTime(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}

function isDate(date: string): boolean {
  const at = Date.parse(date);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date);
}
