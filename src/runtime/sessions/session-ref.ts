/** Finds the session that a call names, if the call may see it (rule K3). */

import type { SessionRow } from '../../store/store.ts';
import type { MatchView } from '../host/work.ts';
import { refuse } from './refuse.ts';
import type { SessionDeps } from './session-deps.ts';
import type { Outcome, SessionRef } from './session-service.ts';

export function isVisible(row: SessionRow, ref: SessionRef): boolean {
  const { mode, world = mode } = row;
  return row.tenant === ref.tenant && ref.modes.includes(mode) && ref.modes.includes(world);
}

export async function findSession(
  { host }: Pick<SessionDeps, 'host'>,
  ref: SessionRef,
): Promise<Outcome<MatchView>> {
  const view = await host.peek(ref.id);
  if (view === null || !isVisible(view.row, ref)) return refuse('session_not_found');
  return { ok: true, value: { row: view.row, roster: view.roster, session: view.session } };
}
