/** A database's location, in a form that may be shown to anybody. */

export function placeOf(url: string): string {
  if (!URL.canParse(url)) return 'the database';
  const { hostname, port, pathname } = new URL(url);
  return `the database ${pathname.slice(1)} at ${hostname}${port === '' ? '' : `:${port}`}`;
}
