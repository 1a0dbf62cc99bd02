/** `matchd listen`: forwards events, as signed webhooks, to a program on the developer's machine. */

import type { Environment } from '../../config.ts';
import { makeSystemClock, systemRandomness } from '../../runtime/system.ts';
import { makeSecret, parseSecret, SECRET_BYTES, signWebhook } from '../../webhooks/signature.ts';
import type { Refusal } from '../terminal/answer.ts';
import { isRefusal, wrongUsage } from '../terminal/answer.ts';
import { untilStopped } from '../terminal/stop-signal.ts';
import type { ClientOptions } from './client.ts';
import { isHttpUrl, readClient } from './client.ts';
import { followEvents, type StreamedEvent } from './event-stream.ts';

export interface ListenOptions extends ClientOptions {
  readonly forwardTo: string;
  readonly types?: string;
  readonly secret?: string;
  readonly json?: boolean;
}

/** The result of one event; printed as a line. */
interface Forwarded {
  readonly id: string;
  readonly type: string;
  /** Null when there was no answer. */
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

const FORWARD_MS_MAX = 15_000;

/** Null once it was told to stop. */
export async function listen(env: Environment, options: ListenOptions): Promise<Refusal | null> {
  // As it was given: with a slash at its end it is another address than without.
  const { forwardTo: target } = options;
  if (!isHttpUrl(target)) return wrongUsage(`${JSON.stringify(target)} is not a URL`);
  const secret = options.secret ?? makeSecret(systemRandomness.bytes(SECRET_BYTES));
  if (parseSecret(secret) === null) {
    return wrongUsage('A secret is whsec_ and the base64 of 24 to 64 bytes');
  }
  const client = await readClient(env, options);
  if (isRefusal(client)) return client;
  const say = options.json ? sayJson : sayWords;
  const clock = makeSystemClock();
  const ending = new AbortController();
  void untilStopped().then(() => ending.abort());
  say({ secret, from: client.base, to: target });
  await followEvents({
    ...client,
    types: options.types ?? null,
    clock,
    signal: ending.signal,
    async onEvent(event) {
      const began = clock.now();
      const result = await forward(target, secret, event, began);
      const durationMs = clock.now() - began;
      say({ id: event.id, type: event.type, ...result, durationMs } satisfies Forwarded);
    },
    onOpen: () => say({ isOpen: true }),
    onBreak: (why, waitMs) => say({ isOpen: false, error: why, waitMs }),
  });
  return null;
}

async function forward(
  target: string,
  secret: string,
  { id, body }: StreamedEvent,
  now: number,
): Promise<Pick<Forwarded, 'status' | 'error'>> {
  const headers = signWebhook(id, body, [{ text: secret, expiresAt: null }], now);
  try {
    const response = await fetch(target, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(FORWARD_MS_MAX),
    });
    await response.body?.cancel();
    return { status: response.status, error: null };
  } catch (error) {
    return { status: null, error: (error as Error).message };
  }
}

type Line =
  | { readonly secret: string; readonly from: string; readonly to: string }
  | { readonly isOpen: true }
  | { readonly isOpen: false; readonly error: string; readonly waitMs: number }
  | Forwarded;

function sayJson(line: Line): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

function sayWords(line: Line): void {
  process.stdout.write(`${inWords(line)}\n`);
}

function inWords(line: Line): string {
  if ('secret' in line) return `${line.from} to ${line.to}\nSigned with ${line.secret}`;
  if ('id' in line) {
    const { type, id, status, error, durationMs } = line;
    return `${status ?? 'failed'}  ${type}  ${id}  ${durationMs} ms${error === null ? '' : `  ${error}`}`;
  }
  if (line.isOpen) return 'Listening. Press Ctrl+C to stop.';
  return `Disconnected (${line.error}): retrying in ${line.waitMs} ms`;
}
