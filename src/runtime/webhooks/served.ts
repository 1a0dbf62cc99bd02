/** Which webhooks this node serves where there are several nodes: its part of them, looked at each second. */

import type { ServedWebhook, WebhookClaim } from '../../store/cluster.ts';
import type { Cancel, Clock } from '../ports.ts';

/** What this node is told of its part, and how it gives some of it up. */
export interface WebhookClaims {
  claim(): Promise<WebhookClaim>;
  release(webhooks: readonly string[]): Promise<void>;
  /** The store could not be asked. */
  readonly onError: (error: unknown) => void;
}

export interface ServedDeps {
  readonly claims: WebhookClaims;
  readonly clock: Clock;
  /** Brings its lane in line with what is on disk. Never rejects. */
  readonly take: (webhook: ServedWebhook) => Promise<void>;
  /** Ends its lane; waits for what is under way, and keeps what came of it. Never rejects. */
  readonly drop: (id: string) => Promise<void>;
}

export interface Served {
  /** The webhook's epoch as this node was given it; null when it does not serve it. */
  epochOf(id: string): number | null;
  /** Looks now, and from then on each second. Never rejects. */
  start(): Promise<void>;
  /** Something has changed: does not wait for the next time. Never rejects. */
  look(): Promise<void>;
  /** Its lane has ended: if this node still serves it, it is taken once more. Never rejects. */
  lookAgain(id: string): Promise<void>;
  /** Leaves all to the other nodes. Their lanes are closed. */
  stop(): Promise<void>;
}

const LOOK_MS = 1_000;
/** So many are handed over at a time, so that others can take them up. */
const HANDED_MAX = 50;

export function makeServed(deps: ServedDeps): Served {
  const { claims, clock, take, drop } = deps;
  /** What it serves, as it last knew of it. */
  const known = new Map<string, ServedWebhook>();
  /** What it gives up as soon as nothing is under way any more. */
  const leaving = new Set<string>();
  let looking: Promise<void> = Promise.resolve();
  let next: Cancel = () => {};
  let isStopped = false;

  const handOver = async (id: string): Promise<void> => {
    known.delete(id);
    leaving.add(id);
    await drop(id);
    await claims.release([id]).catch(claims.onError);
    leaving.delete(id);
  };
  const lookOnce = async (): Promise<void> => {
    if (isStopped) return;
    const claim = await claims.claim();
    const served = claim.served.filter(({ id }) => !leaving.has(id));
    const ids = new Set(served.map(({ id }) => id));
    for (const id of [...known.keys()].filter((each) => !ids.has(each))) {
      known.delete(id);
      void drop(id);
    }
    const kept = Math.max(claim.share, served.length - HANDED_MAX);
    for (const { id } of served.slice(kept)) void handOver(id);
    for (const each of served.slice(0, kept)) {
      const before = known.get(each.id);
      if (before?.epoch === each.epoch && before.revision === each.revision) continue;
      known.set(each.id, each);
      await take(each);
    }
  };
  const look = (): Promise<void> => {
    looking = looking.then(lookOnce).catch(claims.onError);
    return looking;
  };
  const repeat = async (): Promise<void> => {
    await look();
    if (!isStopped) next = clock.after(LOOK_MS, () => void repeat());
  };
  return {
    epochOf: (id) => known.get(id)?.epoch ?? null,
    start: repeat,
    look,
    lookAgain(id) {
      known.delete(id);
      return look();
    },
    async stop() {
      isStopped = true;
      next();
      await looking;
      await claims.release([...known.keys()]).catch(claims.onError);
      known.clear();
    },
  };
}
