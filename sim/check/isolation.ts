/** I14: no answer names anything that belongs to another tenant. */

import type { History } from './history.ts';

export interface Isolation {
  /** Examines a response to a tenant: the first tenant to get an id owns it. */
  look(tenant: string, text: string): void;
}

const ID = /\b(?:ses|tkt|grp)_[0-9a-z]{26}\b/g;

export function checkIsolation(history: History): Isolation {
  const owners = new Map<string, string>();
  return {
    look(tenant, text) {
      for (const [id] of text.matchAll(ID)) {
        const owner = owners.get(id) ?? tenant;
        owners.set(id, owner);
        if (owner !== tenant) history.found(`I14: ${tenant} was told of ${id} of ${owner}`);
      }
    },
  };
}
