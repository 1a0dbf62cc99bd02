/** How many requests may be under way at once, and who is next: no endpoint holds up another. */

/** One webhook, as the share sees it. */
export interface Sharer {
  readonly tenant: string;
  /** Slow, failing or not tried yet: it may only use the part that is left to such. */
  isTroubled(): boolean;
  /** Is there something to send, and may this webhook send one more at once? */
  isReady(): boolean;
  /** Sends one. Calls `done` when it is over, and `slowed` if it takes long. */
  send(done: () => void, slowed: () => void): void;
}

export interface FairShare {
  /** Lets it send as much as there is room for, now or when there is some. */
  ask(sharer: Sharer): void;
  /** It wants nothing any more. What it has under way goes on. */
  forget(sharer: Sharer): void;
  underWay(): number;
}

export interface ShareLimits {
  readonly total: number;
  /** Of the total, what troubled webhooks may use, all together. */
  readonly troubledMax: number;
  /** What all webhooks of one tenant may use. */
  readonly tenantMax: number;
  /** Of these, what its troubled ones may use. */
  readonly tenantTroubledMax: number;
}

export const SHARE_LIMITS: ShareLimits = {
  total: 512,
  troubledMax: 256,
  tenantMax: 128,
  tenantTroubledMax: 64,
};

/** Requests under way: all of them, and those that are troubled. */
interface Count {
  all: number;
  troubled: number;
}

const NOBODY: Readonly<Count> = { all: 0, troubled: 0 };

/** Turns go round: who has just sent one stands at the end of the line. */
export function makeFairShare(limits: ShareLimits): FairShare {
  const line = new Set<Sharer>();
  const counts = makeCounts(limits);
  let isServing = false;
  let isAskedAgain = false;

  const start = (sharer: Sharer): void => {
    const { tenant } = sharer;
    let isTroubled = sharer.isTroubled();
    let isDone = false;
    counts.change(tenant, 1, Number(isTroubled));
    const done = (): void => {
      if (isDone) return;
      isDone = true;
      counts.change(tenant, -1, -Number(isTroubled));
      // Whoever came while it was under way goes first.
      if (line.delete(sharer)) line.add(sharer);
      serve();
    };
    sharer.send(done, () => {
      if (isDone || isTroubled) return;
      isTroubled = true;
      counts.change(tenant, 0, 1);
    });
  };
  /** One each in a round, round after round, until nobody has room or nobody wants more. */
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
    isAskedAgain = true;
    if (isServing) return;
    isServing = true;
    while (isAskedAgain) {
      isAskedAgain = false;
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

/** What is under way, in all and by tenant. */
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
