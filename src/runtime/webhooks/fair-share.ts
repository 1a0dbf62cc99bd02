/** Limits concurrent requests and chooses the next webhook, so that no endpoint blocks another. */

/** A webhook, as the share sees it. */
export interface Sharer {
  readonly tenant: string;
  /** Slow, failing or not tried yet: it may use only the part for such webhooks. */
  isTroubled(): boolean;
  /** Is an event ready, and may this webhook send one more concurrently? */
  isReady(): boolean;
  /** Sends one. Calls `done` at the end, and `slowed` if it takes long. */
  send(done: () => void, slowed: () => void): void;
}

export interface FairShare {
  /** Lets it send as many as the limits allow, now or later. */
  ask(sharer: Sharer): void;
  /** The webhook is removed. Its requests in progress continue. */
  forget(sharer: Sharer): void;
  underWay(): number;
}

export interface ShareLimits {
  readonly total: number;
  /** Of the total, the limit for all troubled webhooks. */
  readonly troubledMax: number;
  /** The limit for all webhooks of one tenant. */
  readonly tenantMax: number;
  /** Of these, the limit for its troubled ones. */
  readonly tenantTroubledMax: number;
}

export const SHARE_LIMITS: ShareLimits = {
  total: 512,
  troubledMax: 256,
  tenantMax: 128,
  tenantTroubledMax: 64,
};

/** Requests in progress: all, and the troubled ones. */
interface Count {
  all: number;
  troubled: number;
}

const NOBODY: Readonly<Count> = { all: 0, troubled: 0 };

/** Round robin: a webhook that has just sent goes to the end of the queue. */
export function makeFairShare(limits: ShareLimits): FairShare {
  const line = new Set<Sharer>();
  const counts = makeCounts(limits);
  let isServing = false;
  let hasPendingRequest = false;

  const start = (sharer: Sharer): void => {
    const { tenant } = sharer;
    let isTroubled = sharer.isTroubled();
    let isDone = false;
    counts.change(tenant, 1, Number(isTroubled));
    const done = (): void => {
      if (isDone) return;
      isDone = true;
      counts.change(tenant, -1, -Number(isTroubled));
      // Webhooks that came meanwhile go first.
      if (line.delete(sharer)) line.add(sharer);
      serve();
    };
    sharer.send(done, () => {
      if (isDone || isTroubled) return;
      isTroubled = true;
      counts.change(tenant, 0, 1);
    });
  };
  /** One each in a round, until the limits are reached or no webhook wants more. */
  const serveRound = (): boolean => {
    let isServed = false;
    for (const sharer of [...line]) {
      if (!line.has(sharer)) continue;
      if (!sharer.isReady()) {
        line.delete(sharer);
      } else if (counts.hasRoom(sharer)) {
        line.delete(sharer);
        line.add(sharer);
        start(sharer);
        isServed = true;
      }
    }
    return isServed;
  };
  const serve = (): void => {
    hasPendingRequest = true;
    if (isServing) return;
    isServing = true;
    while (hasPendingRequest) {
      hasPendingRequest = false;
      while (serveRound());
    }
    isServing = false;
  };
  return {
    ask(sharer) {
      line.add(sharer);
      serve();
    },
    forget: (sharer) => void line.delete(sharer),
    underWay: counts.underWay,
  };
}

/** Requests in progress, in all and by tenant. */
function makeCounts(limits: ShareLimits) {
  const byTenant = new Map<string, Count>();
  const total: Count = { all: 0, troubled: 0 };
  return {
    hasRoom(sharer: Sharer): boolean {
      const own = byTenant.get(sharer.tenant) ?? NOBODY;
      if (total.all >= limits.total || own.all >= limits.tenantMax) return false;
      if (!sharer.isTroubled()) return true;
      return total.troubled < limits.troubledMax && own.troubled < limits.tenantTroubledMax;
    },
    change(tenant: string, all: number, troubled: number): void {
      const own = byTenant.get(tenant) ?? { all: 0, troubled: 0 };
      byTenant.set(tenant, own);
      for (const each of [total, own]) {
        each.all += all;
        each.troubled += troubled;
      }
      if (own.all === 0) byTenant.delete(tenant);
    },
    underWay: () => total.all,
  };
}
