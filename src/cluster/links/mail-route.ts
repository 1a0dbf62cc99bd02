/** Texts between nodes through the store, while the bus is down. */

import type { Cancel, Clock } from '../../runtime/ports.ts';
import type { MailStore } from '../../store/cluster.ts';

/** How often mail is read while it is in use, while it is not, and after a failure. Ms. */
const POLL_MS = 50;
const IDLE_LOOK_MS = 1_000;
const FAILED_LOOK_MS = 500;
/** Texts of one read, and of one write. */
const STEP_MAX = 500;
/** Texts waiting for the store above this are dropped: the link sends them again anyway. */
const WAITING_MAX = 2_000;

export interface MailRoute {
  send(node: string, text: string): void;
  close(): void;
}

export interface MailRouteDeps {
  readonly node: string;
  readonly store: MailStore;
  readonly clock: Clock;
  /** Is mail on its way, as far as is known? */
  isInUse(): boolean;
  take(text: string): void;
  /** The store cannot be asked, and its texts are lost. Called once, until it works again. */
  onError(error: unknown): void;
}

export function makeMailRoute(deps: MailRouteDeps): MailRoute {
  /** Texts that wait for the previous call, by node. */
  const waiting = new Map<string, string[]>();
  let isClosed = false;
  let isFailing = false;
  /** The next read is at its longest delay. */
  let isIdle = false;
  let cancel: Cancel = () => undefined;

  /** Reports a failed call, unless the one before failed. Null in place of its answer. */
  const attempt = async <Answer>(call: Promise<Answer>): Promise<Answer | null> => {
    try {
      const answer = await call;
      isFailing = false;
      return answer;
    } catch (error) {
      if (!isFailing && !isClosed) deps.onError(error);
      isFailing = true;
      return null;
    }
  };
  const put = async (to: string, texts: readonly string[]): Promise<void> => {
    await attempt(deps.store.putMail(to, deps.node, texts));
    const left = waiting.get(to) ?? [];
    if (left.length === 0 || isClosed) waiting.delete(to);
    else void put(to, left.splice(0, STEP_MAX));
  };
  const look = async (): Promise<void> => {
    const taken = await attempt(deps.store.takeMail(deps.node, STEP_MAX));
    if (isClosed) return;
    for (const { text } of taken ?? []) deps.take(text);
    const count = taken?.length ?? 0;
    if (taken === null) pollIn(FAILED_LOOK_MS);
    else if (count === STEP_MAX) pollIn(0);
    else pollIn(count > 0 || deps.isInUse() ? POLL_MS : IDLE_LOOK_MS);
  };
  const pollIn = (ms: number): void => {
    isIdle = ms === IDLE_LOOK_MS;
    cancel = deps.clock.after(ms, () => void look());
  };
  pollIn(POLL_MS);
  return {
    send(node, text) {
      // A sender expects an answer soon.
      if (isIdle) {
        cancel();
        pollIn(POLL_MS);
      }
      const queue = waiting.get(node);
      if (queue === undefined) {
        waiting.set(node, []);
        void put(node, [text]);
      } else if (queue.length < WAITING_MAX) queue.push(text);
    },
    close() {
      isClosed = true;
      cancel();
    },
  };
}
