/** `matchd doctor` on the network: ports, the public address, and where webhooks go. */

import { connect, createServer } from 'node:net';
import { resolveBySystem } from '../../runtime/webhooks/sending/sender.ts';
import { mayConnect, parseTarget, type TargetPolicy } from '../../webhooks/target.ts';
import { localUrl } from '../start/local-url.ts';
import { type Finding, fail, ok, warn } from './finding.ts';

const ANSWER_MS_MAX = 5_000;
/** Endpoints that are tried, and how many at once. */
const WEBHOOKS_MAX = 50;

/** Free, or taken by a matchd, which is then running. */
export async function checkPort(host: string, port: number): Promise<Finding> {
  const found = await probePort(host, port);
  if (found === null) return ok('port', `${host}:${port} is free`);
  if (found !== 'EADDRINUSE') {
    const todo =
      found === 'EACCES' ? 'use a port above 1023, behind a proxy' : 'check --host and --port';
    return fail('port', `${host}:${port} cannot listen (${found})`, todo);
  }
  const version = await ask(`${localUrl(host, port)}/version`);
  return version?.name === 'matchd'
    ? ok('port', `${host}:${port}: matchd ${version.version} is running`)
    : fail(
        'port',
        `${host}:${port} is in use by another program`,
        'stop it, or choose another --port',
      );
}

/** Null when it is free, else the error's code. */
function probePort(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen(port, host, () => server.close(() => resolve(null)));
  });
}

interface VersionAnswer {
  readonly name?: string;
  readonly version?: string;
}

/** Null when it is not matchd's answer. */
async function ask(url: string): Promise<VersionAnswer | null> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(ANSWER_MS_MAX) });
    return (await response.json()) as VersionAnswer;
  } catch {
    return null;
  }
}

export async function checkPublicUrl(publicUrl: string | null): Promise<Finding> {
  if (publicUrl === null) {
    return warn('public URL', 'not set', 'serve needs it: --public-url or MATCHD_PUBLIC_URL');
  }
  const version = await ask(`${publicUrl}/version`);
  return version?.name === 'matchd'
    ? ok('public URL', `${publicUrl} leads to matchd ${version.version}`)
    : warn(
        'public URL',
        `${publicUrl} does not answer as matchd`,
        'start the service, or check the proxy',
      );
}

/** To be checked: those that fail first, the longest of them before the others, then the newest. */
export const CHECKED_WEBHOOKS = `SELECT hook.id, hook.url, hook.disabled, hook.failing_since,
    (SELECT coalesce(CAST(tried.status AS TEXT) || ' ', '') || tried.error FROM webhook_attempt AS tried
      WHERE tried.webhook = hook.id AND tried.error IS NOT NULL ORDER BY tried.n DESC LIMIT 1) AS last_failure
  FROM webhook AS hook WHERE hook.disabled IS NULL OR hook.disabled = 'failing'
  ORDER BY CASE WHEN hook.failing_since IS NULL THEN 1 ELSE 0 END, hook.failing_since, hook.id DESC
  LIMIT ${WEBHOOKS_MAX}`;

/** A line for each endpoint that fails or cannot be reached, or one for all. Nothing is sent to them. */
export async function checkWebhooks(
  rows: readonly Readonly<Record<string, unknown>>[],
  policy: TargetPolicy,
): Promise<readonly Finding[]> {
  const findings = await Promise.all(
    rows.map(async (row) => {
      const [id, url] = [String(row['id']), String(row['url'])];
      const isOff = row['disabled'] !== null;
      return [isOff ? null : await checkWebhook(id, url, policy), failureOf(row)];
    }),
  );
  const wrong = findings.flat().filter((each) => each !== null);
  if (wrong.length > 0) return wrong;
  return [ok('webhooks', `${rows.length} endpoints, all reachable, none failing`)];
}

/** A successful connection says nothing about the responses: deliveries do. */
function failureOf(row: Readonly<Record<string, unknown>>): Finding | null {
  const { id, disabled, failing_since: since, last_failure: last } = row;
  if (since === null && disabled === null) return null;
  const when = since === null ? '' : ` since ${new Date(Number(since)).toISOString()}`;
  const why = last === null ? '' : `; last response: ${last}`;
  return disabled === null
    ? warn(
        'webhooks',
        `${id} has failed${when}${why}`,
        'check its deliveries with its tenant; events are retried',
      )
    : warn(
        'webhooks',
        `${id} has failed${when} and was disabled${why}`,
        'when it works again, its tenant enables it',
      );
}

async function checkWebhook(
  id: string,
  url: string,
  policy: TargetPolicy,
): Promise<Finding | null> {
  const target = parseTarget(url, policy);
  if (target === null)
    return warn(
      'webhooks',
      `${id}: ${url} is not an allowed target`,
      'ask the tenant to change it',
    );
  const { hostname, port, isAddress } = target;
  const addresses = isAddress ? [hostname] : await resolveBySystem(hostname).catch(() => []);
  const where = `${id} at ${target.host}`;
  if (addresses.length === 0) {
    return warn(
      'webhooks',
      `${where}: the name does not resolve`,
      'check DNS, or ask the tenant to change the URL',
    );
  }
  if (!mayConnect(target, addresses, policy)) {
    return warn(
      'webhooks',
      `${where}: the name resolves to an internal address`,
      'ask the tenant to change the URL (rule E3)',
    );
  }
  return (await canConnect(addresses[0]!, port))
    ? null
    : warn('webhooks', `${where}: no connection`, 'check the firewall for outgoing connections');
}

function canConnect(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, timeout: ANSWER_MS_MAX });
    const end = (isOpen: boolean): void => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', () => end(true));
    socket.once('timeout', () => end(false));
    socket.once('error', () => end(false));
  });
}
