/** Places in an event's data where a reader is shown a player's id, which is never stored there. */

const SEAT_MARK = /^\$seat:(\d{1,2})$/;

/** Stands for the player on the seat. */
export function makeSeatMark(seat: number): string {
  return `$seat:${seat}`;
}

/** The seat a text stands for; null when it is no mark. */
export function parseSeatMark(text: string): number | null {
  const seat = SEAT_MARK.exec(text)?.[1];
  return seat === undefined ? null : Number(seat);
}

/** `{ "$player": "<pseudonym>" }` stands for a player outside of sessions. */
export function makePlayerMark(ref: string): { readonly $player: string } {
  return { $player: ref };
}

/** The pseudonym an object stands for; null when it is no mark. */
export function parsePlayerMark(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || !('$player' in value)) return null;
  return typeof value.$player === 'string' ? value.$player : null;
}

/** Every pseudonym in a value. */
export function playerMarksIn(value: unknown): string[] {
  const ref = parsePlayerMark(value);
  if (ref !== null) return [ref];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(playerMarksIn);
}
