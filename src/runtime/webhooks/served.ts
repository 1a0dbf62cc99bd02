/** The webhooks that this node serves in a cluster: its share, updated each second. */

import type { ServedWebhook, WebhookClaim } from '../../store/cluster.ts';
import type { Cancel, Clock } from '../ports.ts';

/** How this node learns of its share, and gives some of it up. */
export interface WebhookClaims {
  claim(): Promise<WebhookClaim>;
  release(webhooks: readonly string[]): Promise<void>;
  /** The store could not be asked. */
  readonly onError: (error: unknown) => void;
}

export interface ServedDeps {
  readonly claims: WebhookClaims;
  readonly clock: Clock;
  /** Applies a webhook's stored row to its lane. Never rejects. */
  readonly take: (webhook: ServedWebhook) => Promise<void>;
  /** Ends its lane; waits for requests in progress, and stores their results. Never rejects. */
  readonly drop: (id: string) => Promise<void>;
}

export interface Served {
  /** The epoch with which this node got the webhook; null when it does not serve it. */
  epochOf(id: string): number | null;
  /** Updates now, and from then on each second. Never rejects. */
  start(): Promise<void>;
  /** Updates at once after a change. Never rejects. */
  look(): Promise<void>;
  /** Its lane has ended or could not be opened: it is given up, for this node or another to take. */
  ended(id: string): void;
  /** Leaves all webhooks to the other nodes. Their lanes are closed. */
  stop(): Promise<void>;
}

const POLL_MS = 1_000;
/** Webhooks handed over at a time, so that other nodes can take them up. */
const HANDED_MAX = 50;

export function makeServed(deps: ServedDeps): Served {
  const { claims, clock, take, drop } = deps;
  /** Its share, as last known. */
  const known = new Map<string, ServedWebhook>();
  const givenUp = makeGivenUp(claims);
  let looking: Promise<void> = Promise.resolve();
  let next: Cancel = () => {};
  let isStopped = false;

  const inTurn = (work: () => Promise<void>): Promise<void> => {
    looking = looking.then(work).catch(claims.onError);
    return looking;
  };
  const handOver = async (id: string): Promise<void> => {
    const before = known.get(id);
    if (before !== undefined) givenUp.spent.set(id, before.epoch);
    known.delete(id);
    await drop(id);
    if (known.has(id)) return; // It came back with another epoch.
    givenUp.idle.add(id);
    // While the store is away many wait for their release: the next update retries.
    if (givenUp.idle.size === 1) void inTurn(givenUp.release);
  };
  const checkOnce = async (): Promise<void> => {
    if (isStopped) return;
    await givenUp.release();
    const claim = await claims.claim();
    const served = claim.served.filter(({ id, epoch }) => givenUp.spent.get(id) !== epoch);
    const ids = new Set(served.map(({ id }) => id));
    for (const id of known.keys()) if (!ids.has(id)) void handOver(id);
    const kept = Math.max(claim.share, served.length - HANDED_MAX);
    for (const { id } of served.slice(kept)) void handOver(id);
    for (const each of served.slice(0, kept)) {
      const before = known.get(each.id);
      if (before?.epoch === each.epoch && before.revision === each.revision) continue;
      known.set(each.id, each);
      givenUp.idle.delete(each.id);
      await take(each);
    }
  };
  const look = (): Promise<void> => inTurn(checkOnce);
  const repeat = async (): Promise<void> => {
    await look();
    if (!isStopped) next = clock.after(POLL_MS, () => void repeat());
  };
  return {
    epochOf: (id) => known.get(id)?.epoch ?? null,
    start: repeat,
    look,
    ended: (id) => void handOver(id),
    async stop() {
      isStopped = true;
      next();
      await looking;
      await claims.release([...known.keys(), ...givenUp.idle]).catch(claims.onError);
      known.clear();
    },
  };
}

/**
 * A lane's last write may come late, so each lane has its own epoch: a webhook still assigned with the epoch of an
 * ended lane, for example after a short lapse of the lease, is released first.
 */
function makeGivenUp(claims: Pick<WebhookClaims, 'release'>) {
  /** By webhook: the epoch of its last lane. */
  const spent = new Map<string, number>();
  /** Of those, the ones without requests in progress, to be released. */
  const idle = new Set<string>();
  return {
    spent,
    idle,
    async release(): Promise<void> {
      const ids = [...idle];
      if (ids.length === 0) return;
      await claims.release(ids);
      for (const id of ids) {
        idle.delete(id);
        spent.delete(id);
      }
    },
  };
}
