/** All pages by their names in addresses. */

import type { ComponentType } from 'preact';
import { lazy } from '../parts/lazy.tsx';
import { Overview } from './overview.tsx';
import { PlayersOrOne } from './players.tsx';
import { SessionsOrOne } from './sessions-or-one.tsx';

/** Pages of one mode of a tenant. */
export const TENANT_PAGES: Readonly<Record<string, ComponentType>> = {
  overview: Overview,
  sessions: SessionsOrOne,
  board: lazy(async () => (await import('./board.tsx')).BoardOrOne),
  players: PlayersOrOne,
  leaderboard: lazy(async () => (await import('./leaderboard.tsx')).Leaderboard),
  bots: lazy(async () => (await import('./bots.tsx')).Bots),
  integrity: lazy(async () => (await import('./integrity.tsx')).Integrity),
  webhooks: lazy(async () => (await import('./webhooks.tsx')).WebhooksOrOne),
  requests: lazy(async () => (await import('./requests.tsx')).Requests),
  usage: lazy(async () => (await import('./usage.tsx')).UsagePage),
  keys: lazy(async () => (await import('./keys.tsx')).Keys),
  settings: lazy(async () => (await import('./settings.tsx')).Settings),
  explorer: lazy(async () => (await import('./explorer.tsx')).Explorer),
  audit: lazy(async () => (await import('./audit.tsx')).Audit),
  team: lazy(async () => (await import('./team.tsx')).TeamPage),
};

/** Pages without a tenant. */
export const OWN_PAGES: Readonly<Record<string, ComponentType>> = {
  account: lazy(async () => (await import('./account.tsx')).Account),
  installation: lazy(async () => (await import('./installation.tsx')).Installation),
};
