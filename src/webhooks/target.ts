/** The address a webhook is sent to: what may be registered, and what may be connected to (rule E3). */

import { isAddress, isLoopback, isPublicAddress } from './address.ts';

/** What a place of service allows. */
export interface TargetPolicy {
  /** Development: also http, every port, and this machine itself. */
  readonly allowLocal: boolean;
}

export interface Target {
  /** As it is kept and shown: WHATWG's one form of it. */
  readonly url: string;
  readonly isSecure: boolean;
  /** Host and, where it is not the scheme's own, port. */
  readonly host: string;
  /** The name or address alone, without brackets. */
  readonly hostname: string;
  readonly port: number;
  readonly path: string;
  /** Is the host an address, so that there is nothing to look up? */
  readonly isAddress: boolean;
}

const URL_CHARS_MAX = 2_048;
const PORTS: ReadonlySet<number> = new Set([443, 8443]);
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
/**
 * Last labels that mean this machine, its network or its cluster, whatever they resolve to: special
 * names (RFC 6761, 6762 with its appendix G, 7686, 9476), Kubernetes' and Consul's own.
 */
const INNER_LABELS: ReadonlySet<string | undefined> = new Set(
  (
    'localhost local localdomain internal intranet private corp home lan arpa ' +
    'onion alt svc pod cluster consul'
  ).split(' '),
);
const LOCAL_NAME = /(?:^|\.)localhost$/;
/** URL parsers pass over these or take them for something else. */
const ODD_CHARACTERS = /[\s\\\p{Cc}]/u;

/** How a message says what is valid. */
export function describeTargets({ allowLocal }: TargetPolicy): string {
  const rule = 'an https URL on port 443 or 8443 of a public host';
  return allowLocal ? `${rule}, or an http or https URL of this machine` : rule;
}

/** Null for what no webhook may be sent to, as far as the text tells. */
export function parseTarget(text: string, policy: TargetPolicy): Target | null {
  if (text.length > URL_CHARS_MAX || ODD_CHARACTERS.test(text)) return null;
  const url = URL.parse(text);
  if (url === null || url.username !== '' || url.password !== '' || text.includes('#')) return null;
  const ownPort = DEFAULT_PORTS[url.protocol];
  if (ownPort === undefined) return null;
  const hostname = url.hostname.replace(/^\[|\]$/g, '');
  const target: Target = {
    url: url.href,
    isSecure: url.protocol === 'https:',
    host: url.host,
    hostname,
    port: url.port === '' ? ownPort : Number(url.port),
    path: url.pathname + url.search,
    isAddress: isAddress(hostname),
  };
  return isAllowed(target, policy) ? target : null;
}

function isAllowed(target: Target, policy: TargetPolicy): boolean {
  const { hostname, isSecure, port } = target;
  if (policy.allowLocal && isLocal(target)) return true;
  if (!isSecure || !PORTS.has(port)) return false;
  if (target.isAddress) return isPublicAddress(hostname);
  const labels = hostname.replace(/\.$/, '').split('.');
  return labels.length > 1 && !labels.includes('') && !INNER_LABELS.has(labels.at(-1));
}

function isLocal({ hostname, isAddress: isLiteral }: Target): boolean {
  return isLiteral ? isLoopback(hostname) : LOCAL_NAME.test(hostname);
}

/**
 * May a connection be made to these addresses, which are all that the name stands for just now?
 * One that is not public spoils them all: the next answer may have it first.
 */
export function mayConnect(
  target: Target,
  addresses: readonly string[],
  { allowLocal }: TargetPolicy,
): boolean {
  if (addresses.length === 0) return false;
  const mayBeLocal = allowLocal && isLocal(target);
  return addresses.every((each) => (mayBeLocal ? isLoopback(each) : isPublicAddress(each)));
}
