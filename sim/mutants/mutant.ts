/** A fault added to the service or its store on purpose: the simulator has to find it. */

import type { LocalHost } from '../../src/runtime/host/match-host.ts';
import type { Store } from '../../src/store/whole-store.ts';

export interface Mutant {
  readonly name: string;
  /** A mistake in the arguments, as a sentence. */
  readonly fault: string;
  /** It shows with several nodes only. */
  readonly isOfClusters: boolean;
  /** Why the simulator seldom or never finds it: the test that does, or what makes it harmless. */
  readonly elsewhere?: string;
  /** Rules that it breaks: a finding of another rule does not count as finding it. */
  readonly hurts: readonly string[];
  /**
   * For a fault in the service's own source, outside of ports: one place in it, and its
   * replacement.
   */
  readonly patch?: Patch;
  /** A node's store with the fault in it. */
  readonly store?: (store: Store) => Store;
  /** A node's host with the fault in it. */
  readonly host?: (host: LocalHost) => LocalHost;
}

export interface Patch {
  /** From the root of the project. */
  readonly file: string;
  /** A text that occurs there once. */
  readonly from: string;
  readonly to: string;
}
