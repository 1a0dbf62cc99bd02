/**
 * What a damaged write-ahead log still shows. SQLite reads a log up to the first frame with a wrong
 * checksum and ignores the rest. Those frames remain in the file until they are overwritten. The
 * format: https://sqlite.org/walformat.html and https://sqlite.org/fileformat2.html.
 */

import type { Buffer } from 'node:buffer';

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES_MIN = 512;
const PAGE_BYTES_MAX = 65_536;
/** The first four bytes of a log; with the last bit set its checksums are big-endian. */
const WAL_MAGIC = 0x377f_0682;
/** Pages whose cells are table rows. */
const LEAF_TABLE = 0x0d;
const HEADER_BYTES = 8;

/** A session in the frames after the damage, and its last version there. */
export type Remains = ReadonlyMap<string, number>;

/** The sessions in the part of a log that SQLite does not read. Empty if it reads all of it. */
export function readRemains(wal: Buffer): Remains {
  const remains = new Map<string, number>();
  if (wal.length < WAL_HEADER_BYTES + FRAME_HEADER_BYTES) return remains;
  const pageSize = wal.readUInt32BE(8);
  if (pageSize < PAGE_BYTES_MIN || pageSize > PAGE_BYTES_MAX) return remains;
  for (const page of pagesAfterDamage(wal, pageSize)) {
    for (const { session, v } of logRowsOf(page)) {
      remains.set(session, Math.max(v, remains.get(session) ?? 0));
    }
  }
  return remains;
}

/** Pages after the last commit that SQLite reads, up to the last commit in the file. */
function pagesAfterDamage(wal: Buffer, pageSize: number): Buffer[] {
  const frameBytes = FRAME_HEADER_BYTES + pageSize;
  const { salts, end } = readableOf(wal, pageSize);
  const pages: Buffer[] = [];
  let committed = 0;
  for (let at = end; at + frameBytes <= wal.length; at += frameBytes) {
    // A frame of an older generation, or one that is damaged there.
    if (saltsAt(wal, at + 8) !== salts) continue;
    pages.push(wal.subarray(at + FRAME_HEADER_BYTES, at + frameBytes));
    if (wal.readUInt32BE(at + 4) > 0) committed = pages.length;
  }
  return pages.slice(0, committed);
}

interface Readable {
  /** Marks the frames of this generation. */
  readonly salts: string;
  /** The offset of the first frame that SQLite does not read. */
  readonly end: number;
}

function readableOf(wal: Buffer, pageSize: number): Readable {
  const sum = makeChecksum(wal.readUInt32BE(0) === WAL_MAGIC + 1);
  sum.add(wal.subarray(0, WAL_HEADER_BYTES - 8));
  if (!sum.isAt(wal, WAL_HEADER_BYTES - 8)) {
    return { salts: saltsAt(wal, WAL_HEADER_BYTES + 8), end: WAL_HEADER_BYTES };
  }
  const salts = saltsAt(wal, 16);
  const frameBytes = FRAME_HEADER_BYTES + pageSize;
  let end = WAL_HEADER_BYTES;
  for (let at = WAL_HEADER_BYTES; at + frameBytes <= wal.length; at += frameBytes) {
    sum.add(wal.subarray(at, at + 8));
    sum.add(wal.subarray(at + FRAME_HEADER_BYTES, at + frameBytes));
    if (saltsAt(wal, at + 8) !== salts || !sum.isAt(wal, at + 16)) break;
    if (wal.readUInt32BE(at + 4) > 0) end = at + frameBytes;
  }
  return { salts, end };
}

function saltsAt(wal: Buffer, at: number): string {
  return wal.toString('latin1', at, at + 8);
}

/** The running checksum of a log. */
function makeChecksum(isBigEndian: boolean) {
  let [first, second] = [0, 0];
  return {
    add(bytes: Buffer): void {
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      for (let at = 0; at < bytes.length; at += 8) {
        first = (first + view.getUint32(at, !isBigEndian) + second) >>> 0;
        second = (second + view.getUint32(at + 4, !isBigEndian) + first) >>> 0;
      }
    },
    isAt: (bytes: Buffer, at: number): boolean =>
      bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second,
  };
}

interface LogRow {
  readonly session: string;
  readonly v: number;
}

/** Rows of matches' logs on a page; none on other pages, or on a damaged one. */
function logRowsOf(page: Buffer): LogRow[] {
  if (page.readUInt8(0) !== LEAF_TABLE) return [];
  const rows: LogRow[] = [];
  const cells = page.readUInt16BE(3);
  for (let cell = 0; cell < cells && HEADER_BYTES + 2 * cell + 2 <= page.length; cell++) {
    const row = logRowAt(page, page.readUInt16BE(HEADER_BYTES + 2 * cell));
    if (row !== null) rows.push(row);
  }
  return rows;
}

/** Columns of the log table: session, v, at, record. */
const LOG_COLUMNS = 4;
const SESSION_ID = /^ses_\w{1,64}$/;

function logRowAt(page: Buffer, cell: number): LogRow | null {
  const payload = varintAt(page, cell);
  const rowid = payload && varintAt(page, payload.end);
  if (rowid === null) return null;
  const header = varintAt(page, rowid.end);
  if (header === null) return null;
  const bodyAt = rowid.end + header.value;
  const types: number[] = [];
  for (let at = header.end; at < bodyAt && types.length <= LOG_COLUMNS; ) {
    const type = varintAt(page, at);
    if (type === null) return null;
    types.push(type.value);
    at = type.end;
  }
  const [session = 0, v = 0, time = 0, record = 0] = types;
  const isLog = types.length === LOG_COLUMNS && isText(session) && isText(record);
  if (!isLog || !isWhole(v) || !isWhole(time)) return null;
  const idEnd = bodyAt + (session - 13) / 2;
  const id = page.toString('latin1', bodyAt, idEnd);
  const version = wholeAt(page, idEnd, v);
  return SESSION_ID.test(id) && version !== null ? { session: id, v: version } : null;
}

const isText = (type: number): boolean => type >= 13 && type % 2 === 1;
/** Integers take 1, 2, 3, 4, 6 or 8 bytes; 0 and 1 may take none. */
const isWhole = (type: number): boolean => (type >= 1 && type <= 6) || type === 8 || type === 9;

function wholeAt(page: Buffer, at: number, type: number): number | null {
  if (type >= 8) return type - 8;
  const bytes = type <= 4 ? type : 6;
  return type === 6 || at + bytes > page.length ? null : page.readIntBE(at, bytes);
}

/** Each byte but the last has the continuation bit; the ninth is always the last. */
const VARINT_BYTES_MAX = 9;

/** Exact up to four bytes: enough for the lengths and types of our rows. */
function varintAt(
  page: Buffer,
  at: number,
): { readonly value: number; readonly end: number } | null {
  let value = 0;
  for (let end = at; end < Math.min(at + VARINT_BYTES_MAX, page.length); end++) {
    const byte = page[end]!;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return { value, end: end + 1 };
  }
  return null;
}
