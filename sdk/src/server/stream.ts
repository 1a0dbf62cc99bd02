/** Answers that have no end: read line by line, opened again when they break off. */

import type { MatchdEvent } from '../generated/events.ts';
import type { ServerFrame, StateFrame } from '../generated/frames.ts';
import type { CallOptions, Tried } from './call.ts';
import type { MatchdError } from './error.ts';
import type { Ports } from './ports.ts';
import { isPassing, waitBeforeRetry } from './retry.ts';

export interface StreamOptions {
  /** Ends the stream; the loop over it is left without an error. */
  readonly signal?: AbortSignal | undefined;
}

/** The first line of a bot's stream, and of every stream that replaces a broken one. */
export interface BotWelcome {
  readonly t: 'welcome';
  readonly bot: string;
  readonly sessions: readonly string[];
  /** The whole state of each. */
  readonly states: readonly StateFrame[];
}
/** What a bot receives: everything again at first, then the changes. */
export type BotFrame = BotWelcome | Exclude<ServerFrame, { readonly t: 'welcome' }>;

/** The service sends something every 20 s: a longer silence means that the connection is lost. */
const SILENCE_MS_MAX = 45_000;
/** A stream that held for so long was a good one: the next wait is a short one again. */
const STEADY_MS = 30_000;
/** So often a stream is tried that was never open: after that something is wrong for good. */
const ATTEMPTS_MAX = 4;

/** Opens a response whose body continues; `lastId` is that of the last event that was read. */
export type Open = (
  options: Pick<CallOptions, 'signal'>,
  lastId: string | null,
) => Promise<Tried<Response>>;

/** Lines of every answer in turn. Ends with the signal, or throws what cannot pass. */
async function* readLines(
  open: Open,
  lastId: () => string | null,
  { signal }: StreamOptions,
  ports: Ports,
): AsyncGenerator<string> {
  let wasOpen = false;
  for (let attempt = 0; !signal?.aborted; attempt += 1) {
    const began = ports.now();
    const control = new AbortController();
    const abort = (): void => control.abort();
    signal?.addEventListener('abort', abort);
    let refusal: MatchdError | null = null;
    let isOpen = false;
    try {
      const tried = await open({ signal: control.signal }, lastId());
      if ('failure' in tried) refusal = tried.failure;
      else {
        wasOpen = isOpen = true;
        yield* linesOf(tried.answer, control);
      }
    } catch (error) {
      if (signal?.aborted) return;
      // Not the connection's fault: the request was invalid, or the listener threw.
      if (!isOpen) throw error;
    } finally {
      signal?.removeEventListener('abort', abort);
      control.abort();
    }
    if (signal?.aborted) return;
    if (refusal !== null) {
      const isLast = !wasOpen && attempt + 1 >= ATTEMPTS_MAX;
      if (isLast || !isPassing(refusal.status, refusal.code)) throw refusal;
    }
    if (ports.now() - began > STEADY_MS) attempt = 0;
    const wait = waitBeforeRetry(attempt, refusal?.retryAfterMs ?? null, ports.random());
    if (wait === null) throw refusal;
    await ports.wait(wait, signal);
  }
}

/** The lines of one response; an incomplete last line is dropped. */
async function* linesOf({ body }: Response, control: AbortController): AsyncGenerator<string> {
  const reader = body!.getReader();
  control.signal.addEventListener('abort', () => void reader.cancel().catch(() => {}));
  const decoder = new TextDecoder();
  let rest = '';
  for (;;) {
    const timer = setTimeout(() => control.abort(), SILENCE_MS_MAX);
    const { done, value } = await reader.read().finally(() => clearTimeout(timer));
    if (done) return;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop()!;
    yield* lines;
  }
}

/** Server-sent events: continues after the last id, so that nothing is missed or repeated. */
export async function* readEvents(
  open: Open,
  options: StreamOptions,
  ports: Ports,
): AsyncGenerator<MatchdEvent> {
  let lastId: string | null = null;
  let id: string | null = null;
  let data = '';
  const track: Open = (own, last) => {
    id = last;
    data = '';
    return open(own, last);
  };
  for await (const line of readLines(track, () => lastId, options, ports)) {
    if (line.startsWith('id: ')) id = line.slice(4);
    else if (line.startsWith('data: ')) data += line.slice(6);
    if (line !== '') continue;
    // The end of a message: one without data only says where the stream is.
    const event = data === '' ? null : (JSON.parse(data) as MatchdEvent);
    data = '';
    lastId = id;
    if (event !== null) yield event;
  }
}

/** One JSON object a line; blank ones keep the connection open. */
export async function* readFrames(
  open: Open,
  options: StreamOptions,
  ports: Ports,
): AsyncGenerator<BotFrame> {
  for await (const line of readLines(open, () => null, options, ports)) {
    if (line !== '') yield JSON.parse(line) as BotFrame;
  }
}
