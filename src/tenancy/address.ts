/**
 * The part of a network address that identifies one client when its failures are counted (rule H5).
 */

import { IPV4_PARTS, parseAddress } from './ip-address.ts';

/** All invalid addresses are counted together, so that invented ones do not create new windows. */
const UNKNOWN = 'unknown';

/** Groups of the network: a household or a machine has the 64 bits behind them to itself. */
const NETWORK_GROUPS = 4;

/** An IPv4 address as it is, IPv4 in IPv6 as IPv4, of IPv6 the /64 network, whatever its zone. */
export function addressKey(address: string): string {
  const [text = ''] = address.split('%', 1);
  const parts = parseAddress(text);
  if (parts === null) return UNKNOWN;
  if (parts.length === IPV4_PARTS) return text === address ? address : UNKNOWN;
  if (isMappedIpv4(parts)) {
    const [high, low] = [parts[6]!, parts[7]!];
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const network = parts.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The most groups that a provider's customer gets: 65,536 networks. */
const SITE_GROUPS = 3;

/** Of an IPv6 address the /48 site that its network belongs to; null for all others. */
export function siteKey(address: string): string | null {
  const groups = addressKey(address).split(':');
  return groups.length > 1 ? `${groups.slice(0, SITE_GROUPS).join(':')}::/48` : null;
}

/** The network that a client comes from: /24 of IPv4, /48 of IPv6; null for what is no address. */
export function networkOf(address: string): string | null {
  const key = addressKey(address);
  if (key === UNKNOWN) return null;
  return siteKey(address) ?? `${key.slice(0, key.lastIndexOf('.'))}.0/24`;
}

function isMappedIpv4(groups: readonly number[]): boolean {
  return groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff;
}
