/** Where a checkout comes from, as a package's `repository` names it. */

/**
 * `remote` as git has it: a URL, or `git@host:owner/name.git`. Null for a path on this machine. Names and
 * passwords in it are left out.
 */
export function repositoryUrl(remote: string): string | null {
  const short = /^(?:[\w.-]+@)?([\w.-]+\.[\w-]+):(?!\/)(.+)$/.exec(remote);
  const url = URL.parse(short === null ? remote : `ssh://${short[1]}/${short[2]}`);
  if (url === null || !['https:', 'http:', 'ssh:', 'git:'].includes(url.protocol)) return null;
  const path = url.pathname.replace(/\/$/, '').replace(/(?:\.git)?$/, '.git');
  const scheme = url.protocol === 'http:' ? 'http' : 'https';
  return `git+${scheme}://${url.host}${path}`;
}
