/** Which network addresses webhooks may be sent to: those of the public internet alone (rule E3). */

/** An address as numbers: 4 octets or 8 groups of 16 bits. */
type Parts = readonly number[];

interface Network {
  readonly parts: Parts;
  /** Bits that count. */
  readonly prefix: number;
}

const IPV4_PARTS = 4;
const IPV6_PARTS = 8;
const OCTET = '(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const GROUP = /^[0-9a-f]{1,4}$/;

/**
 * IPv4 that is private, local, reserved or for documentation (IANA's registry of special
 * addresses), and the one public address behind which a cloud keeps its machines' secrets.
 */
const IPV4_CLOSED = networks(
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 ' +
    '192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 ' +
    '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32',
);
/** Global unicast: all else (loopback, mapped IPv4, NAT64, unique local, multicast) is outside. */
const IPV6_OPEN = networks('2000::/3');
/** Parts of it that are protocols' own (Teredo, ORCHID), 6to4, documentation or sinks. */
const IPV6_CLOSED = networks('2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20');
const LOOPBACK = networks('127.0.0.0/8 ::1/128');

/** False for what is no address in its usual form; one with a zone (`%eth0`) is none. */
export function isPublicAddress(text: string): boolean {
  const parts = parseAddress(text);
  if (parts === null) return false;
  if (parts.length === IPV4_PARTS) return !isIn(parts, IPV4_CLOSED);
  return isIn(parts, IPV6_OPEN) && !isIn(parts, IPV6_CLOSED) && !isTunnel(parts);
}

export function isLoopback(text: string): boolean {
  const parts = parseAddress(text);
  return parts !== null && isIn(parts, LOOPBACK);
}

/** Is it an address rather than a name? */
export function isAddress(text: string): boolean {
  return parseAddress(text) !== null;
}

/** ISATAP: the last 32 bits are an IPv4 address that a router may unpack. */
function isTunnel(parts: Parts): boolean {
  return (parts[4] === 0 || parts[4] === 0x0200) && parts[5] === 0x5efe;
}

function networks(text: string): readonly Network[] {
  return text.split(' ').map((each) => {
    const [address = '', prefix] = each.split('/');
    return { parts: parseAddress(address)!, prefix: Number(prefix) };
  });
}

function isIn(parts: Parts, list: readonly Network[]): boolean {
  return list.some((network) => holds(network, parts));
}

function holds(network: Network, parts: Parts): boolean {
  if (network.parts.length !== parts.length) return false;
  const size = parts.length === IPV4_PARTS ? 8 : 16;
  return parts.every((part, i) => {
    const bits = Math.min(size, Math.max(0, network.prefix - i * size));
    return part >> (size - bits) === network.parts[i]! >> (size - bits);
  });
}

function parseAddress(text: string): Parts | null {
  return IPV4.test(text) ? text.split('.').map(Number) : parseIpv6(text.toLowerCase());
}

function parseIpv6(text: string): Parts | null {
  if (!text.includes(':')) return null;
  const [front = '', back, ...more] = text.split('::');
  if (more.length > 0) return null;
  const head = parseGroups(front, back === undefined);
  const tail = parseGroups(back ?? '', true);
  if (head === null || tail === null) return null;
  const missing = IPV6_PARTS - head.length - tail.length;
  // `::` stands for one group at least.
  if (back === undefined ? missing !== 0 : missing < 1) return null;
  return [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** Groups between colons; at the address's end may stand an IPv4 address, which is two. */
function parseGroups(text: string, isEnd: boolean): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    if (isEnd && i === parts.length - 1 && IPV4.test(part)) {
      const [a, b, c, d] = part.split('.').map(Number) as [number, number, number, number];
      groups.push(a * 256 + b, c * 256 + d);
    } else if (GROUP.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return null;
    }
  }
  return groups;
}
