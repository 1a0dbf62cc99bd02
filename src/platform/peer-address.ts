/** Addresses as the service sees them: IPv4 dotted, also when it came in over an IPv6 socket. */

const MAPPED_PREFIX = '::ffff:';

/** `::ffff:10.0.0.1` becomes `10.0.0.1`; every other address stays as it is. */
export function makePeerAddress(address: string): string {
  const isMapped = address.startsWith(MAPPED_PREFIX) && address.includes('.');
  return isMapped ? address.slice(MAPPED_PREFIX.length) : address;
}
