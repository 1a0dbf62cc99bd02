/** Distinguishes matchd's frames without parsing them: the server writes their type first. */

const START = Buffer.from('{"t":"');
const LIST = 0x5b;
/** What follows the session's number in a list that is not an update. */
const OVER = Buffer.from('[0,"over"');
const QUOTE = 0x22;
const LETTER_A = 0x61;
const LETTER_U = 0x75;

/** The frame's `t`. */
export function kindOf(payload: Buffer): string {
  if (payload[0] === LIST) return payload.subarray(0, OVER.length).equals(OVER) ? 'over' : 'update';
  const first = payload[START.length];
  const isUsual = payload[START.length - 1] === QUOTE && payload[2] === START[2];
  if (!isUsual) return String((JSON.parse(payload.toString()) as { t?: unknown }).t);
  if (first === LETTER_A) return 'ack';
  if (first === LETTER_U) return 'update';
  return payload.toString('latin1', START.length, payload.indexOf(QUOTE, START.length));
}
