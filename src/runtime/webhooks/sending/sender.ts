/** One request to an endpoint: to a checked address, without redirects, within a time limit (rule E3). */

import { lookup } from 'node:dns/promises';
import { type ClientRequest, type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import { presentResponse, RESPONSE_BYTES_MAX } from '../../../webhooks/response-text.ts';
import { mayConnect, type Target, type TargetPolicy } from '../../../webhooks/target.ts';
import type { Clock } from '../../ports.ts';

/** From the DNS look-up to the response headers, in milliseconds. */
export const SEND_MS_MAX = 15_000;
/** Time limit of a look-up at registration: each delivery checks again. Milliseconds. */
const REGISTER_MS_MAX = 5_000;
/** Bytes of an answer that are read. Far fewer are stored. */
const ANSWER_BYTES_MAX = 64 * 1_024;

/** Why no answer came, in words for the tenant: nothing about our network. */
export type SendError =
  /** No key opens its signing secret: it has to be rotated (rule D12). */
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
      /** The start of an unsuccessful response, in displayable form; absent for none. */
      readonly response?: string;
    }
  | { readonly error: SendError };

/** Every address of a name. Rejects when there is none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

export interface SenderDeps {
  readonly clock: Clock;
  readonly policy: TargetPolicy;
  readonly resolve: Resolve;
  /** Certificates to trust instead of the usual ones, as PEM; for tests. */
  readonly ca?: string;
}

export interface Sender {
  /** Never rejects. `signal` cancels at once, like the time limit. */
  send(
    target: Target,
    headers: Readonly<Record<string, string>>,
    body: string,
    signal: AbortSignal,
  ): Promise<SendResult>;
  /** Do the target's present addresses allow its registration? A name that does not resolve in time passes. */
  mayRegister(target: Target): Promise<boolean>;
}

/** The system's own look-up, hosts file included. */
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
    /** The response headers; the body is awaited, so that its connection is counted. */
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
    // No connection is reused: the next delivery is checked again.
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

/** Keeps the first bytes of an unsuccessful response. */
function makeBeginning({ statusCode = 0 }: IncomingMessage) {
  const isSuccess = statusCode >= 200 && statusCode < 300;
  const kept: Uint8Array[] = [];
  let bytes = 0;
  return {
    add(chunk: Uint8Array): void {
      if (isSuccess || bytes > RESPONSE_BYTES_MAX) return;
      // One byte more than is shown reveals that there was more.
      kept.push(chunk.subarray(0, RESPONSE_BYTES_MAX + 1 - bytes));
      bytes += kept.at(-1)!.length;
    },
    text: () => presentResponse(Buffer.concat(kept)),
  };
}

/** Reads up to the limit. */
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
