/** Text streams with backpressure: more is produced only when the client has read what was sent. */

import type { Cancel, Clock } from '../../runtime/ports.ts';
import type { TextStream } from './exchange.ts';

/** Before any server or proxy drops an idle connection. */
const HEARTBEAT_MS = 20_000;

/** The source of a stream's text. */
export interface TextSource {
  /** Sent at once, so that the client knows that it is connected. */
  readonly first: string;
  /** Sent while there is nothing else to send. */
  readonly heartbeat: string;
  /** The text to send now; an empty text for nothing yet; null ends the stream. */
  next(): Promise<string | null>;
  /** Calls `wake` when there may be more; once is enough. Returns a function that stops waiting. */
  wait(wake: () => void): Cancel;
  /** Registers the function that ends the stream from outside: called once, at its beginning. */
  opened(end: () => void): void;
  /** The stream has ended, on either side. Called once. */
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
  /** Resolves when there may be more (true) or when a heartbeat is due (false). */
  const somethingNew = (): Promise<boolean> =>
    new Promise((resolve) => {
      // The wake-up may come before there is anything to stop.
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

/** A finite text. */
export interface TextBody {
  readonly chunks: ReadableStream<Uint8Array>;
  /** Resolves when everything was read, or nothing more will be. Never rejects. */
  readonly ended: Promise<void>;
}

/** Produced as the client reads it. An error ends the connection in the middle. */
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

/** A complete text, sent unchanged. */
export function wholeText(contentType: string, text: string): TextStream {
  const blob = new Blob([text]);
  return { contentType, chunks: blob.stream(), ended: Promise.resolve() };
}
