/**
 * Settings as values: each function reads one kind of text, and returns undefined for an invalid
 * one.
 */

import { isIP } from 'node:net';
import path from 'node:path';

const STORE_WAIT_MS_MIN = 100;
const STORE_WAIT_MS_MAX = 60_000;
const GAME_CALL_MS_MIN = 10;
const GAME_CALL_MS_MAX = 60_000;
const HSTS_PRELOAD_S_MIN = 31_536_000;
const PORT_MAX = 65_535;
const HOST_SHAPE = /^[0-9A-Za-z_.:-]{1,253}$/;
const TOKEN_SHAPE = /^[\x21-\x7e]{16,200}$/;

export function parseHost(text: string): string | undefined {
  return HOST_SHAPE.test(text) ? text : undefined;
}

export function parseToken(text: string): string | undefined {
  return TOKEN_SHAPE.test(text) ? text : undefined;
}

export function parseWhole(text: string, max: number): number | undefined {
  if (!/^\d{1,9}$/.test(text)) return undefined;
  return Number(text) <= max ? Number(text) : undefined;
}

export function parseStoreWait(text: string): number | undefined {
  const ms = parseWhole(text, STORE_WAIT_MS_MAX);
  return ms === undefined || ms < STORE_WAIT_MS_MIN ? undefined : ms;
}

export function parseGameCall(text: string): number | undefined {
  const ms = parseWhole(text, GAME_CALL_MS_MAX);
  return ms === undefined || ms < GAME_CALL_MS_MIN ? undefined : ms;
}

export function parsePort(text: string): number | undefined {
  return parseWhole(text, PORT_MAX);
}

export function parseFolder(text: string): string | undefined {
  return text === '' || text.includes('\0') ? undefined : path.resolve(text);
}

export function parseSwitch(text: string): boolean | undefined {
  return text === '1' ? true : text === '0' ? false : undefined;
}

export function parseStoreUrl(text: string): string | undefined {
  const url = URL.parse(text);
  const isPostgres = url !== null && /^postgres(?:ql)?:\/\/\S+$/.test(text);
  return isPostgres && url.pathname.length > 1 ? text : undefined;
}

export function parseBus(text: string): readonly string[] | undefined {
  const servers = text.split(',').map((part) => part.trim());
  const isServer = (server: string): boolean =>
    /^(?:nats|tls):\/\/\S+$/.test(server) && (URL.parse(server)?.hostname ?? '') !== '';
  return servers.every(isServer) ? servers : undefined;
}

export function parsePublicUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text) || /[\s?#]/.test(text)) return undefined;
  const isBare = url.pathname === '/' && url.username === '' && url.password === '';
  return isBare ? url.origin : undefined;
}

/** RFC 6797, section 6.1; browsers' lists take a host with its subdomains, for a year at least. Null: off. */
export function parseHsts(text: string): string | null | undefined {
  if (text === 'off') return null;
  const [, seconds, subdomains, preload] =
    /^max-age=(\d{1,9})(; includeSubDomains)?(; preload)?$/.exec(text) ?? [];
  if (seconds === undefined) return undefined;
  const mayPreload = subdomains !== undefined && Number(seconds) >= HSTS_PRELOAD_S_MIN;
  return preload === undefined || mayPreload ? text : undefined;
}

/** A collector is mostly in the operator's own network, and used without TLS there. */
export function parseCollector(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:\/\//i.test(text) || /[\s?#]/.test(text)) return undefined;
  if (url.username !== '' || url.password !== '') return undefined;
  return url.href.replace(/\/$/, '');
}

/** As OpenTelemetry writes them: `name=value,name=value`. */
export function parseHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const headers: Record<string, string> = {};
  for (const part of text.split(',')) {
    const [, name, value] = /^\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)\s*=\s*([!-~]*)\s*$/.exec(part) ?? [];
    if (name === undefined || value === undefined || !/^(?:[^%]|%[2-7][0-9A-Fa-f])*$/.test(value)) {
      return undefined;
    }
    headers[name] = decodeURIComponent(value);
  }
  return headers;
}

export function parseRatio(text: string): number | undefined {
  const ratio = /^(?:0|1|[01]?\.\d{1,9})$/.test(text) ? Number(text) : Number.NaN;
  return ratio <= 1 ? ratio : undefined;
}

export function parseServiceName(text: string): string | undefined {
  return /^[\x20-\x7e]{1,100}$/.test(text) ? text : undefined;
}

/** RFC 9116, section 2.5.3: URIs, those of the web over https. A line of the file each. */
export function parseContacts(text: string): readonly string[] | undefined {
  const contacts = text.split(',').map((part) => part.trim());
  const isContact = (contact: string): boolean =>
    /^(?:mailto:[!-~]+@[!-~]+|tel:[!-~]+|https:\/\/[!-~]+)$/.test(contact) &&
    URL.parse(contact) !== null;
  return contacts.every(isContact) ? contacts : undefined;
}

/** Secrets travel to these: nothing but this machine is spoken to in clear. */
export function parseServiceUrl(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '') return undefined;
  if (/[\s?#]/.test(text)) return undefined;
  return isSafe(url) ? url.href.replace(/\/$/, '') : undefined;
}

/** Encrypted, or within this machine. */
export function isSafe({ protocol, hostname }: URL): boolean {
  const isHere = ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
  return protocol === 'https:' || (protocol === 'http:' && isHere);
}

/** Some of a closed list, each once. */
export function parseListOf<T extends string>(
  valid: readonly T[],
): (text: string) => readonly T[] | undefined {
  return (text) => {
    const names = text.split(',').map((part) => part.trim());
    const found = valid.filter((name) => names.includes(name));
    return found.length === names.length ? found : undefined;
  };
}

export function parseProxies(text: string): readonly string[] | undefined {
  const proxies = text.split(',').map((part) => part.trim());
  return proxies.every(isAddressOrNetwork) ? proxies : undefined;
}

function isAddressOrNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/');
  const version = isIP(address);
  if (version === 0 || address.includes('%') || more.length > 0) return false;
  return prefix === undefined || parseWhole(prefix, version === 4 ? 32 : 128) !== undefined;
}
