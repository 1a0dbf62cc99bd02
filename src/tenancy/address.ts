/** What of a network address stands for one client when its mistakes are counted (rule H5). */

/** All that is no address is counted together, lest made-up ones be as many windows. */
const UNKNOWN = 'unknown';

const OCTET = '(?:0|[1-9]\\d?|1\\d\\d|2[0-4]\\d|25[0-5])';
const IPV4 = new RegExp(`^${OCTET}(?:\\.${OCTET}){3}$`);
const GROUP = /^[0-9a-f]{1,4}$/;
const GROUPS = 8;
/** Groups of the network: a household or a machine has the 64 bits behind them to itself. */
const NETWORK_GROUPS = 4;

/** An IPv4 address as it is, IPv4 in IPv6 as IPv4, of IPv6 the /64 network. */
export function addressKey(address: string): string {
  if (IPV4.test(address)) return address;
  const groups = parseIpv6(address);
  if (groups === null) return UNKNOWN;
  if (isMappedIpv4(groups)) {
    const [high, low] = [groups[6]!, groups[7]!];
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

function isMappedIpv4(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}

/** The eight groups of an IPv6 address, or null. A zone (`%eth0`) is left out. */
function parseIpv6(address: string): readonly number[] | null {
  const [text = ''] = address.toLowerCase().split('%', 1);
  const [front = '', back, ...more] = text.split('::');
  if (more.length > 0) return null;
  const head = parseGroups(front, back === undefined);
  const tail = parseGroups(back ?? '', true);
  if (head === null || tail === null) return null;
  const missing = GROUPS - head.length - tail.length;
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
