/** The origin whose passkeys an installation accepts, by its public address (rule D5a). */

export interface RelyingParty {
  /** A host name: passkeys are made for it, and no other site can use them. */
  readonly id: string;
  /** Where the dashboard has to be open for a passkey to work. */
  readonly origin: string;
}

const IP_ADDRESS = /^(?:\d+\.\d+\.\d+\.\d+|\[.*\])$/;
const LOOPBACK = /^(?:127\.\d+\.\d+\.\d+|\[::1\])$/;
const LOCAL_NAME = /(?:^|\.)localhost$/;

/**
 * Null where browsers allow no passkeys: an address without a name, or http. In development this
 * machine's own address counts as `localhost`, which browsers do allow.
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const { protocol, hostname, port, origin } = new URL(publicUrl);
  if (protocol === 'http:' && LOOPBACK.test(hostname)) {
    return { id: 'localhost', origin: `http://localhost${port === '' ? '' : `:${port}`}` };
  }
  if (IP_ADDRESS.test(hostname)) return null;
  return protocol === 'https:' || LOCAL_NAME.test(hostname) ? { id: hostname, origin } : null;
}
