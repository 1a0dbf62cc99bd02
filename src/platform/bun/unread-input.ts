/**
 * Finds clients that send faster than their bytes can be read. Bun reports no fragments and no bytes, so the
 * system is asked how much of each connection waits to be read; where the event loop is on time, not even that.
 */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface UnreadInputLimits {
  /** The server's. */
  readonly port: number;
  /** Waiting at one look. */
  readonly bytesMax: number;
  /** Waiting at two looks in a row. */
  readonly bytesLong: number;
}

/** Reads a table of the system; empty where there is none. */
export interface TableReader {
  /** In another thread. */
  soon(path: string): Promise<string>;
  /** Everybody waits meanwhile. */
  now(path: string): string;
}

const SYSTEM: TableReader = {
  soon: (path) => readFile(path, 'latin1').catch(() => ''),
  now(path) {
    try {
      return readFileSync(path, 'latin1');
    } catch {
      return '';
    }
  },
};

/** Of IPv4 and IPv6; Linux alone has them. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
/** The state of a connection that neither end has closed. */
const ESTABLISHED = '01';
const LOOK_MS = 50;
/** A timer that rings so much later says that others waited, too. Milliseconds. */
const LATE_MS = 1;
/** Another turn of the event loop until the answer would take longer than to wait for it. Milliseconds. */
const URGENT_MS = 20;
/** The system takes its time over long tables: the next look is so much later for each row. Milliseconds. */
const ROW_MS = 0.2;
/** Where an IPv4 address begins within IPv6. */
const MAPPED_HEX = '00000000000000000000ffff';

/**
 * Calls `onFlooding` with the `peerName` of each client over one of the limits. Until the answer is called;
 * never where the system has no such tables.
 */
export function watchUnreadInput(
  { port, bytesMax, bytesLong }: UnreadInputLimits,
  onFlooding: (peer: string) => void,
  reader: TableReader = SYSTEM,
): () => void {
  let suspects: ReadonlySet<string> = new Set();
  let timer: ReturnType<typeof setTimeout>;
  let isOver = false;
  /** Answers how many rows there were. */
  const judge = (texts: readonly string[]): number => {
    const rows = texts.flatMap((text) => text.trimEnd().split('\n'));
    const found = rows
      .map(parseRow)
      .filter((row) => row.isOpen && row.port === port && row.bytes > bytesLong);
    for (const { peer, bytes } of isOver ? [] : found) {
      if (bytes > bytesMax || suspects.has(peer())) onFlooding(peer());
    }
    suspects = new Set(found.map(({ peer }) => peer()));
    return rows.length;
  };
  const wait = (ms: number): void => {
    const from = performance.now();
    timer = setTimeout(async () => {
      const lateMs = performance.now() - from - ms;
      let rows = 0;
      if (lateMs >= URGENT_MS) rows = judge(TABLES.map((path) => reader.now(path)));
      else if (lateMs >= LATE_MS || suspects.size > 0) {
        rows = judge(await Promise.all(TABLES.map((path) => reader.soon(path))));
      }
      if (!isOver) wait(LOOK_MS + rows * ROW_MS);
    }, ms);
    timer.unref();
  };
  wait(LOOK_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** One spelling of each address: IPv6 is as URLs have it. */
export function peerName(address: string, port: number): string {
  return `${address.includes(':') ? new URL(`http://[${address}]`).hostname : address} ${port}`;
}

interface Row {
  readonly isOpen: boolean;
  /** The server's. */
  readonly port: number;
  readonly bytes: number;
  /** Made only for the few that matter. */
  peer(): string;
}

/** `number: address:port address:port state unsent:unread …`, all in hex, the server's end first. */
function parseRow(text: string): Row {
  const [, local = '', remote = '', state, queues = ''] = text.trimStart().split(' ', 5);
  const [address = '', port = ''] = remote.split(':');
  return {
    isOpen: state === ESTABLISHED,
    port: parseHex(local.split(':')[1] ?? ''),
    bytes: parseHex(queues.split(':')[1] ?? ''),
    peer: () => peerName(parseHexAddress(address), parseHex(port)),
  };
}

function parseHex(text: string): number {
  return Number.parseInt(text, 16);
}

/** The tables have each 32 bits of an address in the machine's own order: the little end is first. */
function parseHexAddress(text: string): string {
  const words = text.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, 'hex').reverse()]);
  const hex = Buffer.from(bytes).toString('hex');
  const isIpv4 = bytes.length === 4 || hex.startsWith(MAPPED_HEX);
  return isIpv4 ? bytes.slice(-4).join('.') : hex.match(/.{4}/g)!.join(':');
}
