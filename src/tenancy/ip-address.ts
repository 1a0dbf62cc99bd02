/** Network addresses as numbers, for counting them and for blocking them. */

export const IPV4_PARTS = 4;
const IPV6_PARTS = 8;

const OCTET_MAX = 255;
const OCTET = /^(?:0|[1-9]\d{0,2})$/;
const GROUP = /^[0-9a-f]{1,4}$/;

/** 4 octets or 8 groups of 16 bits. */
export type AddressParts = readonly number[];

/**
 * Null for an invalid address. Octets are decimal and IPv6 has no zone: no other spelling counts.
 */
export function parseAddress(text: string): AddressParts | null {
  return parseIpv4(text) ?? parseIpv6(text.toLowerCase());
}

function parseIpv4(text: string): AddressParts | null {
  const octets = text.split('.');
  const isAddress = octets.every((octet) => OCTET.test(octet) && Number(octet) <= OCTET_MAX);
  return isAddress && octets.length === IPV4_PARTS ? octets.map(Number) : null;
}

function parseIpv6(text: string): AddressParts | null {
  if (!text.includes(':')) return null;
  const [front = '', back, ...more] = text.split('::');
  if (more.length > 0) return null;
  const head = parseGroups(front, back === undefined);
  const tail = parseGroups(back ?? '', true);
  if (head === null || tail === null) return null;
  const missing = IPV6_PARTS - head.length - tail.length;
  // `::` stands for at least one group.
  if (back === undefined ? missing !== 0 : missing < 1) return null;
  return [...head, ...Array<number>(missing).fill(0), ...tail];
}

/** Groups between colons; the address may end with an IPv4 address, which counts as two. */
function parseGroups(text: string, isEnd: boolean): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [i, part] of parts.entries()) {
    const ipv4 = isEnd && i === parts.length - 1 ? parseIpv4(part) : null;
    if (ipv4 !== null) {
      const [a, b, c, d] = ipv4 as [number, number, number, number];
      groups.push(a * 256 + b, c * 256 + d);
    } else if (GROUP.test(part)) {
      groups.push(Number.parseInt(part, 16));
    } else {
      return null;
    }
  }
  return groups;
}
