/** What those who act in a simulation have at hand. */

import type { History } from '../check/history.ts';
import type { Chance } from '../kernel/chance.ts';
import type { Timeline } from '../kernel/timeline.ts';
import type { Trace } from '../kernel/trace.ts';
import type { Fault, Feature, Plan } from '../plan.ts';
import type { Network } from '../world/network.ts';
import type { SimNode } from '../world/node.ts';

export interface Scene {
  readonly plan: Plan;
  readonly timeline: Timeline;
  readonly network: Network;
  readonly history: History;
  readonly trace: Trace;
  /** A node that takes connections, by chance; null when there is none. */
  balance(chance: Chance): SimNode | null;
  /** Is it the id of a process that lives? */
  isUp(id: string): boolean;
  /** Has a process a session in its memory? */
  holds(id: string, session: string): boolean;
  has(faultOrFeature: Fault | Feature): boolean;
  /** Is it still the time of faults and new matches? */
  isActive(): boolean;
  sleep(ms: number): Promise<void>;
}
