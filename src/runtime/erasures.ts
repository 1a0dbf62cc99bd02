/** Erasing a player (rule R2) and writing down who sits where: of one tenant never both at once. */

/**
 * In one batch of the store what was asked for first can be told last. Then memory would name whom the
 * store does not, or an answer kept for repeats would name who was erased before it was written.
 */
export interface Erasures {
  /** Runs what writes down names of the tenant's players: at once, unless somebody is being erased. */
  name<T>(tenant: string, act: () => Promise<T>): Promise<T>;
  /** Runs an erasure, when what names players and came before it is done. */
  erase<T>(tenant: string, act: () => Promise<T>): Promise<T>;
}

/** Calls of one kind that run side by side. One of the other kind begins the next phase. */
interface Phase {
  readonly kind: keyof Erasures;
  /** The end of the phase before it; null when there was none. */
  readonly before: Promise<void> | null;
  readonly over: PromiseWithResolvers<void>;
  left: number;
}

export function makeErasures(): Erasures {
  /** By tenant: the last phase, while it goes on. */
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
