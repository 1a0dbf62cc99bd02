/** All pages by the word in their addresses. */

import type { ComponentType } from 'preact';
import type { MakePage } from '../page.ts';
import { lazy } from '../parts/lazy.tsx';
import { Keys } from './keys.tsx';
import { overview } from './overview.ts';
import { PlayersOrOne } from './players.tsx';
import { Requests } from './requests.tsx';
import { SessionsOrOne } from './sessions-or-one.tsx';

/** A component, or a page of before that is still to be rewritten as one. */
export type PageEntry = { readonly component: ComponentType } | { readonly legacy: MakePage };

/** Of one world of a tenant. */
export const TENANT_PAGES: Readonly<Record<string, PageEntry>> = {
  overview: { legacy: overview },
  sessions: { component: SessionsOrOne },
  board: { component: lazy(async () => (await import('./board.tsx')).BoardOrOne) },
  players: { component: PlayersOrOne },
  leaderboard: { component: lazy(async () => (await import('./leaderboard.tsx')).Leaderboard) },
  bots: { component: lazy(async () => (await import('./bots.tsx')).Bots) },
  integrity: { component: lazy(async () => (await import('./integrity.tsx')).Integrity) },
  webhooks: { component: lazy(async () => (await import('./webhooks.tsx')).WebhooksOrOne) },
  requests: { component: Requests },
  usage: { legacy: async (context) => (await import('./usage.ts')).usage(context) },
  keys: { component: Keys },
  explorer: { component: lazy(async () => (await import('./explorer.tsx')).Explorer) },
  audit: { component: lazy(async () => (await import('./audit.tsx')).Audit) },
  team: { component: lazy(async () => (await import('./team.tsx')).TeamPage) },
};

/** Of nobody's tenant. */
export const OWN_PAGES: Readonly<Record<string, PageEntry>> = {
  account: { component: lazy(async () => (await import('./account.tsx')).Account) },
  installation: { component: lazy(async () => (await import('./installation.tsx')).Installation) },
};
