/** Ids of events that records tell: they follow from the record, so nothing has to be kept for them. */

import { sha256Hex } from '../games/random.ts';
import { digitsOf, ID_ALPHABET, makeTimeDigits, REST_DIGITS } from '../match/id-text.ts';

/** The same whenever it is made: `evt_`, the record's time, 80 bits of SHA-256 of its place. */
export function makeRecordEventId(session: string, v: number, at: number): string {
  return `evt_${makeTimeDigits(at)}${makeRest(session, v)}`;
}

/** Can the id be that of this record, whatever its time? */
export function isRecordEventId(id: string, session: string, v: number): boolean {
  return digitsOf(id).slice(-REST_DIGITS) === makeRest(session, v);
}

function makeRest(session: string, v: number): string {
  const hash = sha256Hex(`${session}:${v}`);
  let text = '';
  for (let i = 0; i < REST_DIGITS; i += 1) {
    // Of every two hex digits, five bits.
    text += ID_ALPHABET[Number.parseInt(hash.slice(2 * i, 2 * i + 2), 16) & 31];
  }
  return text;
}
