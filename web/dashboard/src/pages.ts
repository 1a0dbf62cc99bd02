/** All pages by their names in addresses. */

import type { ComponentType } from 'preact';
import { Overview } from './pages/overview/overview.tsx';
import { PlayersOrOne } from './pages/players/players.tsx';
import { SessionsOrOne } from './pages/sessions/sessions-or-one.tsx';
import { lazy } from './parts/lazy.tsx';

/** Pages of one mode of a tenant. */
export const TENANT_PAGES: Readonly<Record<string, ComponentType>> = {
  overview: Overview,
  sessions: SessionsOrOne,
  board: lazy(async () => (await import('./pages/board.tsx')).BoardOrOne),
  players: PlayersOrOne,
  leaderboard: lazy(async () => (await import('./pages/leaderboard.tsx')).Leaderboard),
  bots: lazy(async () => (await import('./pages/bots.tsx')).Bots),
  integrity: lazy(async () => (await import('./pages/integrity.tsx')).Integrity),
  webhooks: lazy(async () => (await import('./pages/webhooks/webhooks.tsx')).WebhooksOrOne),
  requests: lazy(async () => (await import('./pages/requests.tsx')).Requests),
  usage: lazy(async () => (await import('./pages/usage.tsx')).UsagePage),
  keys: lazy(async () => (await import('./pages/keys.tsx')).Keys),
  settings: lazy(async () => (await import('./pages/settings.tsx')).Settings),
  explorer: lazy(async () => (await import('./pages/explorer.tsx')).Explorer),
  audit: lazy(async () => (await import('./pages/audit.tsx')).Audit),
  team: lazy(async () => (await import('./pages/team.tsx')).TeamPage),
};

/** Pages without a tenant. */
export const OWN_PAGES: Readonly<Record<string, ComponentType>> = {
  account: lazy(async () => (await import('./pages/account/account.tsx')).Account),
  installation: lazy(async () => (await import('./pages/installation.tsx')).Installation),
};
