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
  /** Its lane has ended or could not be opened: it is given up, for this node or another to take. */
  ended(id: string): void;
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
    if (known.has(id)) return; // It came back with a new epoch.
    givenUp.idle.add(id);
    // While the store is away many wait for their release: the next look retries.
    if (givenUp.idle.size === 1) void inTurn(givenUp.release);
  };
  const lookOnce = async (): Promise<void> => {
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
  const look = (): Promise<void> => inTurn(lookOnce);
  const repeat = async (): Promise<void> => {
    await look();
    if (!isStopped) next = clock.after(LOOK_MS, () => void repeat());
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
 * A lane's last write may come late, so each lane has an epoch of its own: what a node is still given
 * with the epoch of one that ended, as when its lease was away for a moment, is released first.
 */
function makeGivenUp(claims: Pick<WebhookClaims, 'release'>) {
  /** By webhook: the epoch that its lane had. */
  const spent = new Map<string, number>();
  /** Of those the ones that nothing is under way for any more, to be released. */
  const idle = new Set<string>();
  return {
    ...{ spent, idle },
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
