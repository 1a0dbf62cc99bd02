/** The address a request came from, behind trusted proxies (rule H5). */

import { BlockList, isIP, isIPv6 } from 'node:net';

export interface Peer {
  /** The address at the other end of the connection, without port. */
  readonly address: string;
}

export type ClientAddress = (request: Request, peer: Peer) => string;

/** `proxies` are addresses and networks in CIDR form. Throws for an invalid one. */
export function makeClientAddress(proxies: readonly string[]): ClientAddress {
  if (proxies.length === 0) return (_, peer) => peer.address;
  const trusted = makeTrusted(proxies);
  return (request, peer) => {
    const forwarded = request.headers.get('x-forwarded-for');
    const hops = forwarded === null ? [] : forwarded.split(',');
    let client = peer.address;
    // Each proxy appends its client; the first address that is not ours is the client.
    while (trusted(client)) {
      const hop = hops.pop();
      if (hop === undefined) break;
      const address = withoutPort(hop.trim());
      if (isIP(address) === 0) break;
      client = address;
    }
    return client;
  };
}

function makeTrusted(proxies: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const proxy of proxies) {
    const [address = '', prefix] = proxy.split('/');
    const bits = prefix === undefined ? null : Number(prefix);
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    const bitsMax = family === 'ipv6' ? 128 : 32;
    const isRange = bits !== null && /^\d{1,3}$/.test(prefix!) && bits <= bitsMax;
    if (isIP(address) === 0 || (bits !== null && !isRange)) {
      throw new Error(`trustedProxies: ${proxy} is no address and no network`);
    }
    if (bits === null) list.addAddress(address, family);
    else list.addSubnet(address, bits, family);
  }
  return (address) => list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

/** `1.2.3.4:5` and `[::1]:5`, as some proxies write them. */
function withoutPort(hop: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(hop);
  if (bracketed !== null) return bracketed[1]!;
  return /^[\d.]+:\d+$/.test(hop) ? hop.slice(0, hop.indexOf(':')) : hop;
}
