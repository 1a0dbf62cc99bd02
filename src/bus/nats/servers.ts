/** Addresses of NATS servers, as they are configured: `nats://a:4222,tls://user:password@b`. */

export interface ServersAccess {
  /** `host:port`. */
  readonly servers: readonly string[];
  readonly user?: string;
  readonly pass?: string;
  readonly token?: string;
  /** An empty object requests TLS with the machine's own roots. */
  readonly tls?: Record<string, never>;
}

const DEFAULT_PORT = '4222';

/** Throws for an invalid one, without repeating it, because it may contain a password. */
export function parseServers(text: string): ServersAccess {
  const urls = text.split(',').map((each, at) => parseServer(each.trim(), at + 1));
  const first = urls[0]!;
  const servers = urls.map(({ hostname, port }) => `${hostname}:${port || DEFAULT_PORT}`);
  const user = decodeURIComponent(first.username);
  const pass = decodeURIComponent(first.password);
  const hasTls = urls.some(({ protocol }) => protocol === 'tls:');
  return {
    servers,
    ...(pass !== '' ? { user, pass } : user !== '' ? { token: user } : null),
    ...(hasTls ? { tls: {} } : null),
  };
}

function parseServer(text: string, number: number): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !['nats:', 'tls:'].includes(url.protocol) || url.hostname === '') {
    throw new Error(`Address ${number} of the bus is not of the form nats://host:port`);
  }
  return url;
}
