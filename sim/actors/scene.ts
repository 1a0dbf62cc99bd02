/** The context of a simulation's actors. */

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
  /** Whether the id belongs to a running process. */
  isUp(id: string): boolean;
  /** Whether a process has a session in its memory. */
  holds(id: string, session: string): boolean;
  has(faultOrFeature: Fault | Feature): boolean;
  /** Whether faults and new matches are still to come. */
  isActive(): boolean;
  sleep(ms: number): Promise<void>;
}
