/** Which network addresses webhooks may be sent to: those of the public internet alone (rule E3). */

import type { AddressParts } from '../tenancy/ip-address.ts';
import { IPV4_PARTS, parseAddress } from '../tenancy/ip-address.ts';

interface Network {
  readonly parts: AddressParts;
  /** Bits that count. */
  readonly prefix: number;
}

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
/**
 * The reserved parts: protocols' own (Teredo, ORCHID), 6to4, documentation, sinks, and unassigned:
 * IANA reserves everything from `2d00::` on, including the former 6bone (`3ffe::/16`).
 */
const IPV6_CLOSED = networks(
  '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 2d00::/8 2e00::/7 3000::/4',
);
const LOOPBACK = networks('127.0.0.0/8 ::1/128');

/** False for an address that is not in its usual form; one with a zone (`%eth0`) is not. */
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
function isTunnel(parts: AddressParts): boolean {
  return (parts[4] === 0 || parts[4] === 0x0200) && parts[5] === 0x5efe;
}

function networks(text: string): readonly Network[] {
  return text.split(' ').map((each) => {
    const [address = '', prefix] = each.split('/');
    return { parts: parseAddress(address)!, prefix: Number(prefix) };
  });
}

function isIn(parts: AddressParts, list: readonly Network[]): boolean {
  return list.some((network) => holds(network, parts));
}

function holds(network: Network, parts: AddressParts): boolean {
  if (network.parts.length !== parts.length) return false;
  const size = parts.length === IPV4_PARTS ? 8 : 16;
  return parts.every((part, i) => {
    const bits = Math.min(size, Math.max(0, network.prefix - i * size));
    return part >> (size - bits) === network.parts[i]! >> (size - bits);
  });
}
