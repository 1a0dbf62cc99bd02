/** Which web origins a key may be used from (rule H7). Keeps other websites out; proves nothing. */

import type { ApiKey } from './tenant.ts';

/** Entries of one key's list. */
export const ORIGINS_MAX = 50;
/** Longest entry or Origin header that is looked at. */
const ORIGIN_CHARS_MAX = 300;
const HOST_CHARS_MAX = 253;
const PORT_MAX = 65_535;

/**
 * The header that browsers send for pages without an origin, such as files and sandboxed frames.
 */
const OPAQUE = 'null';
const WILDCARD = '*.';
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' };
/** Pages of these schemes never send them as an Origin: an entry would admit none. */
const SCHEMES_WITHOUT_ORIGIN = ['file', 'ws', 'wss', 'data', 'blob', 'about', 'javascript'];

/** Scheme, host and port and nothing else; the host is checked on its own. */
const ORIGIN_SHAPE =
  /^([a-z][a-z0-9+.-]*):\/\/([^\s/:@?#\\[\]%]+|\[[0-9a-f:.]+\])(?::([1-9]\d{0,4}))?$/i;
const LABEL = /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/;
/** The last label of a host is a number only where all of it is an IPv4 address. */
const NUMBER_LABEL = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/;

interface Origin {
  /** In lower case, as all of it. */
  readonly scheme: string;
  readonly host: string;
  /** Empty for the scheme's own. */
  readonly port: string;
}

/**
 * An entry of an allow-list in its stored form: `scheme://host[:port]`, lower case, no default
 * port, international names as browsers send them (`xn--…`). The leftmost label may be `*`, which
 * stands for exactly one label. The word `null` lists opaque origins. Null for an invalid entry.
 */
export function parseOriginPattern(text: string): string | null {
  if (text === OPAQUE) return OPAQUE;
  const origin = splitOrigin(text);
  if (origin === null || SCHEMES_WITHOUT_ORIGIN.includes(origin.scheme)) return null;
  const isWild = origin.host.startsWith(WILDCARD);
  const host = normalHost(origin.scheme, isWild ? origin.host.slice(WILDCARD.length) : origin.host);
  if (host === null) return null;
  if (!isWild) return joinOrigin({ ...origin, host });
  return mayBeWild(host) ? joinOrigin({ ...origin, host: WILDCARD + host }) : null;
}

/**
 * May a request with this Origin header act? `origins` are entries as `parseOriginPattern` gives
 * them; an empty list restricts nothing. The header is taken as it came: nothing is resolved or
 * decoded, so what no browser sends matches nothing.
 */
export function isOriginAllowed(origins: readonly string[], origin: string): boolean {
  if (origins.length === 0) return true;
  if (origin === OPAQUE) return origins.includes(OPAQUE);
  const split = splitOrigin(origin);
  if (split === null || !isHost(split.host)) return false;
  if (origins.includes(joinOrigin(split))) return true;
  const dot = split.host.indexOf('.');
  if (dot <= 0) return false;
  return origins.includes(joinOrigin({ ...split, host: `*${split.host.slice(dot)}` }));
}

/** The same for a request that may have no Origin: servers send none, browsers elsewhere do. */
export function isRequestOriginAllowed(
  key: Pick<ApiKey, 'origins' | 'requireOrigin'>,
  origin: string | null,
): boolean {
  return origin === null ? !key.requireOrigin : isOriginAllowed(key.origins, origin);
}

function splitOrigin(text: string): Origin | null {
  if (text.length > ORIGIN_CHARS_MAX) return null;
  const [, schemeText, hostText, port = ''] = ORIGIN_SHAPE.exec(text) ?? [];
  if (schemeText === undefined || hostText === undefined || Number(port) > PORT_MAX) return null;
  const scheme = lowerCase(schemeText);
  const isDefault = Object.hasOwn(DEFAULT_PORTS, scheme) && DEFAULT_PORTS[scheme] === port;
  return { scheme, host: lowerCase(hostText), port: isDefault ? '' : port };
}

function joinOrigin({ scheme, host, port }: Origin): string {
  return `${scheme}://${host}${port === '' ? '' : `:${port}`}`;
}

/** ASCII only: the Kelvin sign must not become a `k`. */
function lowerCase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The host as browsers write it in an origin; null for an invalid one. */
function normalHost(scheme: string, host: string): string | null {
  if (!Object.hasOwn(DEFAULT_PORTS, scheme)) return isHost(host) ? host : null;
  const url = URL.parse(`${scheme}://${host}`);
  return url !== null && isHost(url.hostname) ? url.hostname : null;
}

/** No wildcard for a whole top-level domain or for numbers; `*.localhost` is one machine. */
function mayBeWild(host: string): boolean {
  if (host.startsWith('[') || NUMBER_LABEL.test(host)) return false;
  return host.includes('.') || host === 'localhost';
}

function isHost(host: string): boolean {
  if (host.startsWith('[')) return true; // What may stand between the brackets the shape says.
  return host.length <= HOST_CHARS_MAX && host.split('.').every((label) => LABEL.test(label));
}
