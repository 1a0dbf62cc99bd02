/** The subset of DER needed to find one extension of a certificate; strict and bounded. */

import { Buffer } from 'node:buffer';

/** One value: its tag and content. */
export interface DerValue {
  readonly tag: number;
  readonly content: Uint8Array;
}

const SEQUENCE = 0x30;
const OID = 0x06;
const BOOLEAN = 0x01;
const OCTET_STRING = 0x04;
/** `[3]` of a certificate's body. */
const EXTENSIONS = 0xa3;
/** More values in one sequence than any certificate has. */
const VALUES_MAX = 64;

/** Splits bytes into values. Null unless they are a sequence up to the last byte. */
export function readDer(bytes: Uint8Array): readonly DerValue[] | null {
  const values: DerValue[] = [];
  let at = 0;
  while (at < bytes.length) {
    const head = readHead(bytes, at);
    if (head === null || values.length === VALUES_MAX) return null;
    const end = head.start + head.length;
    if (end > bytes.length) return null;
    values.push({ tag: head.tag, content: bytes.subarray(head.start, end) });
    at = end;
  }
  return values;
}

/** Tags of one byte and lengths in their shortest form: all that certificates use. */
function readHead(
  bytes: Uint8Array,
  at: number,
): { readonly tag: number; readonly start: number; readonly length: number } | null {
  const tag = bytes[at]!;
  const first = bytes[at + 1];
  if (first === undefined || (tag & 0x1f) === 0x1f) return null;
  if (first < 0x80) return { tag, start: at + 2, length: first };
  const count = first & 0x7f;
  if (count === 0 || count > 3 || at + 2 + count > bytes.length) return null;
  let length = 0;
  for (let i = 0; i < count; i++) length = length * 256 + bytes[at + 2 + i]!;
  const isShortest = length >= 0x80 && (count === 1 || length >= 256 ** (count - 1));
  return isShortest ? { tag, start: at + 2 + count, length } : null;
}

/** The sequence inside a value that must have this tag. */
function rowIn(value: DerValue | undefined, tag: number): readonly DerValue[] | null {
  return value?.tag === tag ? readDer(value.content) : null;
}

/**
 * The content of a certificate's extension, by the bytes of its OID. Null when the certificate is invalid, has no
 * such extension or has it twice.
 */
export function findExtension(certificate: Uint8Array, oid: Uint8Array): Uint8Array | null {
  const outer = readDer(certificate);
  if (outer?.length !== 1) return null;
  const body = rowIn(rowIn(outer[0], SEQUENCE)?.[0], SEQUENCE);
  const wrapper = rowIn(
    body?.find(({ tag }) => tag === EXTENSIONS),
    EXTENSIONS,
  );
  if (wrapper?.length !== 1) return null;
  const found: Uint8Array[] = [];
  for (const each of rowIn(wrapper[0], SEQUENCE) ?? []) {
    const value = readExtension(each, oid);
    if (value !== null) found.push(value);
  }
  return found.length === 1 ? found[0]! : null;
}

function readExtension(value: DerValue, oid: Uint8Array): Uint8Array | null {
  const parts = rowIn(value, SEQUENCE) ?? [];
  const [name, second, third] = parts;
  const content = second?.tag === BOOLEAN ? third : second;
  const isIt = name?.tag === OID && Buffer.from(name.content).equals(oid);
  const isWhole = parts.length === (second?.tag === BOOLEAN ? 3 : 2);
  return isIt && isWhole && content?.tag === OCTET_STRING ? content.content : null;
}
