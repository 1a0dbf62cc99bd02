/** How a URL on this machine names an address that is listened on. */

/** What listens on every address is found at the loopback one. */
function hostInUrl(host: string): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return address.includes(':') ? `[${address}]` : address;
}

/** Without a slash at its end. */
export function localUrl(host: string, port: number): string {
  return `http://${hostInUrl(host)}:${port}`;
}
