/** Days of the reader's calendar as spans of time. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** When the day begins, as an ISO time; null for an invalid day. */
export function beginOfDay(day: string): string | null {
  return midnight(day, 0);
}

/** When the day ends. */
export function endOfDay(day: string): string | null {
  return midnight(day, 1);
}

function midnight(day: string, daysLater: number): string | null {
  const [, year, month, date] = DAY.exec(day)?.map(Number) ?? [];
  const begin = new Date(year!, month! - 1, date);
  // The 30th of February would be the 2nd of March; years before 100 would be of another century.
  if (begin.getFullYear() !== year || begin.getMonth() !== month! - 1) return null;
  // Counted in days, because a day may have 23 or 25 hours.
  begin.setDate(date! + daysLater);
  return begin.toISOString();
}
