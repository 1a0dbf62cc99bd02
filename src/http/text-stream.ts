/** Streams of text that ask for more only when the client has taken what was sent. */

import type { Cancel, Clock } from '../runtime/ports.ts';
import type { TextStream } from './exchange.ts';

/** Sooner than any server or proxy drops a connection on which nothing moves. */
const HEARTBEAT_MS = 20_000;

/** Where a stream's text comes from. */
export interface TextSource {
  /** Sent at once, so that the client knows that it is connected. */
  readonly first: string;
  /** Sent while there is nothing else to send. */
  readonly heartbeat: string;
  /** What is there to send now; an empty text for nothing yet; null ends the stream. */
  next(): Promise<string | null>;
  /** Calls `wake` when there may be more; once is enough. Answers how to stop waiting. */
  wait(wake: () => void): Cancel;
  /** How the stream is ended from outside: called once, at its beginning. */
  opened(end: () => void): void;
  /** The stream is over, by whichever side. Called once. */
  closed(): void;
}

/** A stream whose backlog is at most what `next` answers at a time. */
export function makeTextStream(clock: Clock, source: TextSource): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let isClosed = false;
  let stopWaiting: Cancel = () => {};
  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    stopWaiting();
    source.closed();
  };
  /** Resolves when there may be more (true) or when it is time for a heartbeat (false). */
  const somethingNew = (): Promise<boolean> =>
    new Promise((resolve) => {
      // Whoever waits may be woken before there is anything to stop.
      let cancelWait: Cancel = () => {};
      const stop = (isNew: boolean): void => {
        cancelTimer();
        cancelWait();
        resolve(isNew);
      };
      const cancelTimer = clock.after(HEARTBEAT_MS, () => stop(false));
      stopWaiting = () => stop(false);
      cancelWait = source.wait(() => stop(true));
    });
  const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    while (!isClosed) {
      const text = await source.next();
      if (isClosed) return;
      if (text === null) {
        controller.close();
        close();
        return;
      }
      if (text !== '' || !(await somethingNew())) {
        if (!isClosed) controller.enqueue(encoder.encode(text === '' ? source.heartbeat : text));
        return;
      }
    }
  };
  return new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(source.first));
      source.opened(() => {
        if (isClosed) return;
        close();
        controller.close();
      });
    },
    async pull(controller) {
      try {
        await pull(controller);
      } catch (error) {
        close();
        throw error;
      }
    },
    cancel: close,
  });
}

/** A text with an end. */
export interface TextBody {
  readonly chunks: ReadableStream<Uint8Array>;
  /** Resolves when all was taken, or nothing more will be. Never rejects. */
  readonly ended: Promise<void>;
}

/** Made as the client takes it. Broken off, it ends the connection in its middle. */
export function makeTextBody(
  parts: AsyncGenerator<string>,
  onError: (error: unknown) => void,
): TextBody {
  const encoder = new TextEncoder();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const chunks = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await parts.next();
        if (done !== true) {
          controller.enqueue(encoder.encode(value));
          return;
        }
        controller.close();
        end();
      } catch (error) {
        end();
        onError(error);
        throw error;
      }
    },
    async cancel() {
      end();
      await parts.return(undefined);
    },
  });
  return { chunks, ended };
}

/** A text that is there already, sent as it is. */
export function wholeText(contentType: string, text: string): TextStream {
  const blob = new Blob([text]);
  return { contentType, chunks: blob.stream(), ended: Promise.resolve() };
}
