/** The pages of a tenant's mode and who may open them. */

import type { Role } from '../types.ts';

export interface Entry {
  readonly page: string;
  readonly label: string;
  readonly roles: readonly Role[];
}

const ALL: readonly Role[] = ['owner', 'developer', 'support', 'viewer'];
const MAKERS: readonly Role[] = ['owner', 'developer'];

export const ENTRIES: readonly Entry[] = [
  { page: 'overview', label: 'Overview', roles: ALL },
  { page: 'sessions', label: 'Sessions', roles: ALL },
  { page: 'board', label: 'Tickets and groups', roles: ALL },
  { page: 'players', label: 'Players', roles: ALL },
  { page: 'leaderboard', label: 'Leaderboard', roles: ALL },
  { page: 'bots', label: 'Bots', roles: ALL },
  { page: 'integrity', label: 'Device integrity', roles: ALL },
  { page: 'webhooks', label: 'Webhooks', roles: ALL },
  { page: 'requests', label: 'Request log', roles: ALL },
  { page: 'usage', label: 'Usage', roles: ALL },
  { page: 'keys', label: 'API keys', roles: MAKERS },
  { page: 'settings', label: 'Settings', roles: ALL },
  { page: 'explorer', label: 'API explorer', roles: ALL },
  { page: 'audit', label: 'Audit log', roles: MAKERS },
  { page: 'team', label: 'Team', roles: ['owner'] },
];

export function entriesFor(role: Role): readonly Entry[] {
  return ENTRIES.filter(({ roles }) => roles.includes(role));
}
