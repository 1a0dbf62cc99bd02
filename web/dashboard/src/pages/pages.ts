/** All pages by the word in their addresses. */

import type { ComponentType } from 'preact';
import type { MakePage } from '../page.ts';
import { lazy } from '../parts/lazy.tsx';
import { Keys } from './keys.tsx';
import { Overview } from './overview.tsx';
import { PlayersOrOne } from './players.tsx';
import { Requests } from './requests.tsx';
import { SessionsOrOne } from './sessions-or-one.tsx';

/** A component, or a page of before that is still to be rewritten as one. */
export type PageEntry = { readonly component: ComponentType } | { readonly legacy: MakePage };

/** Of one world of a tenant. */
export const TENANT_PAGES: Readonly<Record<string, PageEntry>> = {
  overview: { component: Overview },
  sessions: { component: SessionsOrOne },
  board: { legacy: async (context) => (await import('./board.ts')).board(context) },
  players: { component: PlayersOrOne },
  bots: { legacy: async (context) => (await import('./bots.ts')).bots(context) },
  integrity: { legacy: async (context) => (await import('./integrity.ts')).integrity(context) },
  webhooks: { legacy: async (context) => (await import('./webhooks.ts')).webhooks(context) },
  requests: { component: Requests },
  usage: { component: lazy(async () => (await import('./usage.tsx')).UsagePage) },
  keys: { component: Keys },
  explorer: { legacy: async (context) => (await import('./explorer.ts')).explorer(context) },
  audit: { legacy: async (context) => (await import('./audit.ts')).audit(context) },
  team: { legacy: async (context) => (await import('./team.ts')).team(context) },
};

/** Of nobody's tenant. */
export const OWN_PAGES: Readonly<Record<string, PageEntry>> = {
  account: { legacy: async (context) => (await import('./account.ts')).account(context) },
  installation: {
    legacy: async (context) => (await import('./installation.ts')).installation(context),
  },
};
