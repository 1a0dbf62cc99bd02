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
const LOOK_MS = 50;
/** A timer that rings so much later says that others waited, too. Milliseconds. */
const LATE_MS = 1;
/** Another turn of the event loop until the answer would take longer than to wait for it. Milliseconds. */
const URGENT_MS = 20;
/**
 * The system takes its time over its tables, some 13 ms over empty ones: the next look is so many times later than
 * this one took, and sooner where somebody is suspected.
 */
const REST = 100;
const REST_SUSPECTED = 20;
/** Until one was taken. Milliseconds. */
const COST_MS_FIRST = 20;
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
  /** What a look takes, ms. One that had to wait for a thread or for its turn seems to take longer. */
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
      if (!isOver) wait(LOOK_MS + (isDue ? rest * costMs : 0));
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

/** A connection that has more to be read than a limit. */
interface Unread {
  readonly peer: string;
  readonly bytes: number;
}

/**
 * A row of an open connection that has something to be read: `number: address:port address:port state unsent:unread …`,
 * all in hex, the server's end first.
 */
const UNREAD_ROW =
  /^.{14,48}:([0-9A-F]{4}) ([0-9A-F]{8}|[0-9A-F]{32}):([0-9A-F]{4}) 01 [0-9A-F]{8}:(?!00000000)([0-9A-F]{8}) /gm;

/** Of thousands of rows mostly none has anything to be read: only those that have are taken apart. */
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

/** The tables have each 32 bits of an address in the machine's own order: the little end is first. */
function parseHexAddress(text: string): string {
  const words = text.match(/.{8}/g) ?? [];
  const bytes = words.flatMap((word) => [...Buffer.from(word, 'hex').reverse()]);
  const hex = Buffer.from(bytes).toString('hex');
  const isIpv4 = bytes.length === 4 || hex.startsWith(MAPPED_HEX);
  return isIpv4 ? bytes.slice(-4).join('.') : hex.match(/.{4}/g)!.join(':');
}
