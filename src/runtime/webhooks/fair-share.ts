/** How many requests may be under way at once, and who is next: no endpoint holds up another. */

/** One webhook, as the share sees it. */
export interface Sharer {
  readonly tenant: string;
  /** Slow, or failing: it may only use the part that is left to such. */
  isTroubled(): boolean;
  /** Is there something to send, and may this webhook send one more at once? */
  isReady(): boolean;
  /** Sends one; calls `done` once, when it is over. */
  send(done: () => void): void;
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
  /** Of the total, what slow and failing webhooks may use, all together. */
  readonly troubledMax: number;
  /** What all webhooks of one tenant may use. */
  readonly tenantMax: number;
}

export const SHARE_LIMITS: ShareLimits = { total: 256, troubledMax: 128, tenantMax: 64 };

/** Turns go round: who has just sent one stands at the end of the line. */
export function makeFairShare(limits: ShareLimits): FairShare {
  const line = new Set<Sharer>();
  const byTenant = new Map<string, number>();
  let total = 0;
  let troubled = 0;
  let isServing = false;
  let isAskedAgain = false;

  const hasRoom = (sharer: Sharer): boolean => {
    if (total >= limits.total) return false;
    if ((byTenant.get(sharer.tenant) ?? 0) >= limits.tenantMax) return false;
    return !sharer.isTroubled() || troubled < limits.troubledMax;
  };
  const count = (tenant: string, isTroubled: boolean, change: 1 | -1): void => {
    total += change;
    if (isTroubled) troubled += change;
    const now = (byTenant.get(tenant) ?? 0) + change;
    if (now === 0) byTenant.delete(tenant);
    else byTenant.set(tenant, now);
  };
  const start = (sharer: Sharer): void => {
    const { tenant } = sharer;
    const isTroubled = sharer.isTroubled();
    count(tenant, isTroubled, 1);
    let isDone = false;
    sharer.send(() => {
      if (isDone) return;
      isDone = true;
      count(tenant, isTroubled, -1);
      // Whoever came while it was under way goes first.
      if (line.delete(sharer)) line.add(sharer);
      serve();
    });
  };
  /** One each in a round, round after round, until nobody has room or nobody wants more. */
  const serveRound = (): boolean => {
    let isServed = false;
    for (const sharer of [...line]) {
      if (total >= limits.total) break;
      if (!line.has(sharer)) continue;
      if (!sharer.isReady()) {
        line.delete(sharer);
      } else if (hasRoom(sharer)) {
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
    underWay: () => total,
  };
}
