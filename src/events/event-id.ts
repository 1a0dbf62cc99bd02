/**
 * Ids of events that are derived from records: they follow from the record, so nothing has to be
 * stored for them.
 */

import { sha256Bytes } from '../../game/src/random.ts';
import { ID_ALPHABET, makeTimeDigits, REST_DIGITS } from '../match/id-text.ts';

/** The same whenever it is made: `evt_`, the record's time, 80 bits of SHA-256 of its place. */
export function makeRecordEventId(session: string, v: number, at: number): string {
  return `evt_${makeTimeDigits(at)}${makeRest(session, v)}`;
}

/** Can the id be that of this record, whatever its time? */
export function isRecordEventId(id: string, session: string, v: number): boolean {
  const rest = id.slice(-REST_DIGITS);
  const hash = hashOf(session, v);
  for (let i = 0; i < REST_DIGITS; i += 1) if (rest[i] !== digitOf(hash[i]!)) return false;
  return true;
}

function makeRest(session: string, v: number): string {
  return Array.from(hashOf(session, v).subarray(0, REST_DIGITS), digitOf).join('');
}

function hashOf(session: string, v: number): Uint8Array {
  return sha256Bytes(`${session}:${v}`);
}

/** Of every byte, five bits. */
function digitOf(byte: number): string {
  return ID_ALPHABET[byte & 31]!;
}
