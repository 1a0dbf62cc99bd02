/** Follows `GET /v1/events/stream` and continues where it broke off. */

import type { Clock } from '../../runtime/ports.ts';

/** One event of the stream. */
export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  /** The event as JSON, as it came. */
  readonly body: string;
}

export interface StreamOptions {
  /** Where the service is, without a slash at its end. */
  readonly base: string;
  readonly key: string;
  /** Names separated by commas; null for all. */
  readonly types: string | null;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called in order, one at a time; the next event waits for it. */
  readonly onEvent: (event: StreamedEvent) => Promise<void>;
  readonly onOpen: () => void;
  /** The stream broke, and is opened again after a while. */
  readonly onBreak: (why: string, waitMs: number) => void;
}

const WAIT_MS = 500;
const WAIT_MS_MAX = 15_000;
/** Statuses that another try does not fix. */
const FINAL: ReadonlySet<number> = new Set([400, 401, 403, 404]);

/** Until it is aborted. Rejects when the service refuses for good. */
export async function followEvents(options: StreamOptions): Promise<void> {
  let last: string | null = null;
  let waitMs = WAIT_MS;
  while (!options.signal.aborted) {
    let why = 'the stream ended';
    try {
      const response = await open(options, last);
      options.onOpen();
      for await (const { id, event } of readMessages(response)) {
        if (event !== null) {
          await options.onEvent(event);
          waitMs = WAIT_MS;
        }
        last = id;
      }
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      why = (error as Error).message;
    }
    if (options.signal.aborted) return;
    options.onBreak(why, waitMs);
    await wait(options, waitMs);
    waitMs = Math.min(WAIT_MS_MAX, waitMs * 2);
  }
}

class RefusedError extends Error {}

async function open(
  { base, key, types, signal }: StreamOptions,
  last: string | null,
): Promise<Response> {
  const query = types === null ? '' : `?types=${encodeURIComponent(types)}`;
  const response = await fetch(`${base}/v1/events/stream${query}`, {
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'text/event-stream',
      ...(last === null ? null : { 'last-event-id': last }),
    },
    signal,
  });
  if (response.ok) return response;
  const { error = response.statusText } = (await response.json().catch(() => ({}))) as {
    readonly error?: string;
  };
  const message = `${base} answers ${response.status}: ${error}`;
  throw FINAL.has(response.status) ? new RefusedError(message) : new Error(message);
}

function wait({ clock, signal }: StreamOptions, ms: number): Promise<void> {
  return new Promise((resolve) => {
    const cancel = clock.after(ms, resolve);
    signal.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}

/** A place in the log: where the stream begins, or that of an event. */
interface Message {
  readonly id: string;
  readonly event: StreamedEvent | null;
}

/** Messages of a stream of server-sent events; comments and other fields are ignored. */
async function* readMessages(response: Response): AsyncGenerator<Message> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const chunk of response.body ?? []) {
    const blocks = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const message = parseBlock(block);
      if (message !== null) yield message;
    }
  }
}

function parseBlock(block: string): Message | null {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(': ');
    if (colon > 0) fields.set(line.slice(0, colon), line.slice(colon + 2));
  }
  const [id, type, body] = [fields.get('id'), fields.get('event'), fields.get('data')];
  if (id === undefined) return null;
  return { id, event: type === undefined || body === undefined ? null : { id, type, body } };
}
