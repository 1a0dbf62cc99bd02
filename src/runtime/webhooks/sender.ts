/** One request to an endpoint: to a checked address, without redirects, within a time (rule E3). */

import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { presentResponse, RESPONSE_BYTES_MAX } from '../../webhooks/response-text.ts';
import { mayConnect, type Target, type TargetPolicy } from '../../webhooks/target.ts';
import type { Clock } from '../ports.ts';

/** From the look-up of the name to the answer's headers, in milliseconds. */
export const SEND_MS_MAX = 15_000;
/** A look-up at registration has so long: each delivery checks anew. Milliseconds. */
const REGISTER_MS_MAX = 5_000;
/** Of an answer no more is read. What is kept of it is far less. */
const ANSWER_BYTES_MAX = 64 * 1_024;

/** Why no answer came, as the tenant is told it: nothing of what is inside. */
export type SendError =
  /** No key opens what it is signed with: it has to be rotated (rule D12). */
  | 'secret_lost'
  | 'timeout'
  | 'name_not_found'
  | 'address_not_allowed'
  | 'certificate_invalid'
  | 'connection_failed';

export type SendResult =
  | {
      readonly status: number;
      readonly retryAfter: string | null;
      /** How an answer that is no success began, as it may be shown; absent for nothing. */
      readonly response?: string;
    }
  | { readonly error: SendError };

/** Every address a name stands for. Rejects when there is none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface SenderDeps {
  readonly clock: Clock;
  readonly policy: TargetPolicy;
  readonly resolve: Resolve;
  /** Certificates to trust instead of the usual ones, as PEM; for tests. */
  readonly ca?: string;
}

export interface Sender {
  /** Never rejects. `signal` gives up at once, as if time were over. */
  send(
    target: Target,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<SendResult>;
  /** Do the target's addresses of just now let it be registered? A name without any in time does. */
  mayRegister(target: Target): Promise<boolean>;
}

/** The system's own look-up, hosts file and all. */
export const resolveBySystem: Resolve = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

export function makeSender(deps: SenderDeps): Sender {
  return {
    send: (target, headers, body, signal) => send(deps, target, { headers, body, signal }),
    async mayRegister(target) {
      const { promise: noneInTime, resolve } = Promise.withResolvers<null>();
      const cancel = deps.clock.after(REGISTER_MS_MAX, () => resolve(null));
      const looked = addressesOf(deps, target).catch(() => null);
      const addresses = await Promise.race([looked, noneInTime]);
      cancel();
      return addresses === null || mayConnect(target, addresses, deps.policy);
    },
  };
}

interface Message {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly signal: AbortSignal;
}

function send(deps: SenderDeps, target: Target, message: Message): Promise<SendResult> {
  const { signal } = message;
  return new Promise((resolve) => {
    let request: ClientRequest | null = null;
    /** What the headers said; the body is waited for, so that its connection is accounted for. */
    let answer: SendResult | null = null;
    let isOver = false;
    const finish = (otherwise: SendResult): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      signal.removeEventListener('abort', giveUp);
      resolve(answer ?? otherwise);
      request?.destroy();
    };
    const giveUp = (): void => finish({ error: 'timeout' });
    const cancel = deps.clock.after(SEND_MS_MAX, giveUp);
    signal.addEventListener('abort', giveUp);
    const connect = (addresses: readonly string[]): void => {
      if (isOver) return;
      if (!mayConnect(target, addresses, deps.policy)) {
        finish({ error: 'address_not_allowed' });
        return;
      }
      request = post(deps, target, message, addresses);
      request.on('response', (response: IncomingMessage) => {
        const body = makeBeginning(response);
        answer = toResult(response);
        readBody(response, body.add, () => {
          answer = withBody(answer!, body.text());
          finish({ error: 'connection_failed' });
        });
      });
      request.on('error', (error) => finish({ error: nameError(error) }));
    };
    if (signal.aborted) giveUp();
    else addressesOf(deps, target).then(connect, () => finish({ error: 'name_not_found' }));
  });
}

function toResult({ statusCode, headers }: IncomingMessage): SendResult {
  return { status: statusCode ?? 0, retryAfter: headers['retry-after'] ?? null };
}

async function addressesOf(deps: SenderDeps, target: Target): Promise<readonly string[]> {
  return target.isAddress ? [target.hostname] : deps.resolve(target.hostname);
}

/** Connects to one of the checked addresses: the name is not looked up a second time. */
function post(
  { ca }: SenderDeps,
  target: Target,
  { headers, body }: Message,
  addresses: readonly string[],
): ClientRequest {
  const start = target.isSecure ? requestSecure : requestPlain;
  const checked = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const request = start({
    method: 'POST',
    host: target.hostname,
    port: target.port,
    path: target.path,
    headers: { host: target.host, ...headers, 'content-length': String(Buffer.byteLength(body)) },
    // No connection outlives its delivery: the next one is checked anew.
    agent: false,
    lookup: (_name, options, done) => {
      if (options.all) done(null, checked);
      else done(null, checked[0]!.address, checked[0]!.family);
    },
    ...(ca === undefined ? null : { ca }),
  });
  request.end(body);
  return request;
}

function withBody(answer: SendResult, response: string | null): SendResult {
  return response === null ? answer : { ...answer, response };
}

/** Keeps the first bytes of an answer that is no success. */
function makeBeginning({ statusCode = 0 }: IncomingMessage) {
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const kept: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(chunk: Uint8Array): void {
      if (isSuccess || bytes > RESPONSE_BYTES_MAX) return;
      // One byte more than is shown says that there was more.
      kept.push(chunk.subarray(0, RESPONSE_BYTES_MAX + 1 - bytes));
      bytes += kept.at(-1)!.length;
    },
    text: () => presentResponse(Buffer.concat(kept)),
  };
}

/** Reads what comes, up to the limit. */
function readBody(
  response: IncomingMessage,
  add: (chunk: Uint8Array) => void,
  done: () => void,
): void {
  let bytes = 0;
  response.on('data', (chunk: Uint8Array) => {
    add(chunk);
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) done();
  });
  for (const name of ['end', 'error', 'aborted', 'close'] as const) response.on(name, done);
}

function nameError({ code = '' }: Error & { readonly code?: string }): SendError {
  return /CERT|ALTNAME|VERIFY|SELF_SIGNED|SSL|TLS/.test(code)
    ? 'certificate_invalid'
    : 'connection_failed';
}
