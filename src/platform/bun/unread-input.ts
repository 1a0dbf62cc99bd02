/**
 * Finds clients that send faster than the process reads. Bun reports no fragments and no bytes, so the system is
 * asked for each connection's unread bytes, except while the event loop is on time.
 */

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface UnreadInputLimits {
  /** The server's port. */
  readonly port: number;
  /** Limit at one look. */
  readonly bytesMax: number;
  /** Limit at two looks in a row. */
  readonly bytesLong: number;
}

/** Reads a table of the system; empty if there is none. */
export interface TableReader {
  /** On another thread. */
  soon(path: string): Promise<string>;
  /** Blocks the event loop. */
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

/** For IPv4 and IPv6; on Linux only. */
const TABLES = ['/proc/self/net/tcp', '/proc/self/net/tcp6'];
const POLL_MS = 50;
/** A timer this late means that others waited, too. Milliseconds. */
const LATE_MS = 1;
/** A timer this late means that blocking reads are quicker than waiting a turn for others. Milliseconds. */
const URGENT_MS = 20;
/**
 * The system's tables are slow, some 13 ms even when empty: the next look is delayed by this multiple of the last
 * one's time, and is sooner for suspected clients.
 */
const REST = 100;
const REST_SUSPECTED = 20;
/** Assumed until the first look. Milliseconds. */
const COST_MS_FIRST = 20;
/** Where an IPv4 address begins within IPv6. */
const MAPPED_HEX = '00000000000000000000ffff';

/**
 * Calls `onFlooding` with the `peerName` of each client over one of the limits, until the returned function is
 * called; never on systems without such tables.
 */
export function watchUnreadInput(
  { port, bytesMax, bytesLong }: UnreadInputLimits,
  onFlooding: (peer: string) => void,
  reader: TableReader = SYSTEM,
): () => void {
  let suspects: ReadonlySet<string> = new Set();
  let timer: ReturnType<typeof setTimeout>;
  let isOver = false;
  /** The time of a look, ms. One that waited for a thread or for its turn seems to take longer. */
  let costMs = COST_MS_FIRST;
  const judge = (texts: readonly string[]): void => {
    const found = isOver ? [] : texts.flatMap((text) => findUnread(text, port, bytesLong));
    for (const { peer, bytes } of found) {
      if (bytes > bytesMax || suspects.has(peer)) onFlooding(peer);
    }
    suspects = new Set(found.map(({ peer }) => peer));
  };
  const wait = (ms: number): void => {
    const from = performance.now();
    timer = setTimeout(async () => {
      const rungAt = performance.now();
      const lateMs = rungAt - from - ms;
      const isDue = lateMs >= LATE_MS || suspects.size > 0;
      if (isDue) {
        judge(
          lateMs >= URGENT_MS ? TABLES.map(reader.now) : await Promise.all(TABLES.map(reader.soon)),
        );
        costMs = Math.min(performance.now() - rungAt, 2 * costMs);
      }
      const rest = suspects.size > 0 ? REST_SUSPECTED : REST;
      if (!isOver) wait(POLL_MS + (isDue ? rest * costMs : 0));
    }, ms);
    timer.unref();
  };
  wait(POLL_MS);
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}

/** One form of each address: IPv6 as in URLs. */
export function peerName(address: string, port: number): string {
  return `${address.includes(':') ? new URL(`http://[${address}]`).hostname : address} ${port}`;
}

/** A connection with more unread bytes than a limit. */
interface Unread {
  readonly peer: string;
  readonly bytes: number;
}

/**
 * A row of an open connection with unread bytes: `number: address:port address:port state unsent:unread …`, all in
 * hex, the server's end first.
 */
const UNREAD_ROW =
  /^.{14,48}:([0-9A-F]{4}) ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) 01 [0-9A-F]{8}:(?!00000000)([0-9A-F]{8}) /gm;

/** Of thousands of rows almost none has unread bytes: only those are parsed. */
function findUnread(table: string, port: number, bytesMin: number): Unread[] {
  return Array.from(table.matchAll(UNREAD_ROW), ([, own, address, peerPort, unread]) => {
    return { own: parseHex(own!), address: address!, port: peerPort!, bytes: parseHex(unread!) };
  })
    .filter(({ own, bytes }) => own === port && bytes > bytesMin)
    .map(({ address, port: peerPort, bytes }) => {
      return { peer: peerName(parseHexAddress(address), parseHex(peerPort)), bytes };
    });
}

function parseHex(text: string): number {
  return Number.parseInt(text, 16);
}

/** The tables have each 32 bits of an address in the machine's byte order, little-endian. */
function parseHexAddress(text: string): string {
  const words = text.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, 'hex').reverse()]);
  const hex = Buffer.from(bytes).toString('hex');
  const isIpv4 = bytes.length === 4 || hex.startsWith(MAPPED_HEX);
  return isIpv4 ? bytes.slice(-4).join('.') : hex.match(/.{4}/g)!.join(':');
}
