/** Erasing a player (rule R2) and writing seats: never both at once within a tenant. */

/**
 * Within one batch of the store, answers may come out of order. Memory could then name a player whom the store
 * does not, or a stored response could name a player erased before it was written.
 */
export interface Erasures {
  /** Runs work that writes names of the tenant's players: at once, unless an erasure is running. */
  name<T>(tenant: string, act: () => Promise<T>): Promise<T>;
  /** Runs an erasure, after earlier writes of names have finished. */
  erase<T>(tenant: string, act: () => Promise<T>): Promise<T>;
}

/** Calls of one kind that run concurrently. A call of the other kind begins the next phase. */
interface Phase {
  readonly kind: keyof Erasures;
  /** The end of the phase before; null when there was none. */
  readonly before: Promise<void> | null;
  readonly over: PromiseWithResolvers<void>;
  left: number;
}

export function makeErasures(): Erasures {
  /** By tenant: the last phase, while it runs. */
  const phases = new Map<string, Phase>();
  return {
    name: (tenant, act) => inPhase(phases, tenant, 'name', act),
    erase: (tenant, act) => inPhase(phases, tenant, 'erase', act),
  };
}

function inPhase<T>(
  phases: Map<string, Phase>,
  tenant: string,
  kind: Phase['kind'],
  act: () => Promise<T>,
): Promise<T> {
  const last = phases.get(tenant);
  const before = last?.over.promise ?? null;
  const phase =
    last?.kind === kind ? last : { kind, before, over: Promise.withResolvers<void>(), left: 0 };
  phases.set(tenant, phase);
  phase.left += 1;
  const outcome = phase.before === null ? act() : phase.before.then(act);
  const leave = (): void => {
    phase.left -= 1;
    if (phase.left > 0) return;
    if (phases.get(tenant) === phase) phases.delete(tenant);
    phase.over.resolve();
  };
  outcome.then(leave, leave);
  return outcome;
}
