/** What is kept about a player: the name, lobby checks, and all of it for an export (rule R2). */

import { setImmediate } from 'node:timers/promises';
import type { Verdict } from '../integrity/verdict.ts';
import type { Mode } from '../match/record.ts';
import { makeReplay } from '../match/replay.ts';
import type { CoreStore, IdempotencyRow, LobbyCheck, PlayerSession } from '../store/store.ts';
import { foldLog } from './fold.ts';
import type { MakeId } from './ids.ts';
import type { Clock } from './ports.ts';
import type {
  ExportedSession,
  Outcome,
  PlayerCheck,
  PlayerExport,
  SessionService,
} from './session-service.ts';
import type { Seals } from './signing/seals.ts';

export interface PlayerDataDeps {
  readonly store: Pick<
    CoreStore,
    'findPlayer' | 'namePlayer' | 'listLobbyChecks' | 'listSessionsOf' | 'loadSession'
  >;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly seals: Pick<Seals, 'signReplay'>;
}

/** A backend gives the name with every token; only a new one, or a check, is worth a commit. */
export async function namePlayer(
  { store, clock, makeId }: PlayerDataDeps,
  tenant: string,
  { id: playerId, displayName, check }: Parameters<SessionService['namePlayer']>[1],
  idempotency: IdempotencyRow | null,
): Promise<boolean> {
  if (check === undefined) {
    if (displayName === null) return false;
    const known = await store.findPlayer(tenant, playerId);
    if (known?.displayName === displayName) return false;
  }
  const naming = { tenant, playerId, displayName, newRef: makeId('ply'), at: clock.now() };
  await store.namePlayer({ ...naming, ...(check && { check: keptOf(check) }) }, idempotency);
  return true;
}

function keptOf({ mode, verdict }: PlayerCheck): LobbyCheck {
  return { mode, verdict: JSON.stringify(verdict) };
}

export async function exportPlayer(
  deps: PlayerDataDeps,
  tenant: string,
  playerId: string,
  modes: readonly Mode[],
): Promise<Outcome<PlayerExport>> {
  const player = await deps.store.findPlayer(tenant, playerId);
  if (player === null) return { ok: false, refusal: 'player_not_found' };
  const [held, kept] = await Promise.all([
    deps.store.listSessionsOf(tenant, playerId),
    deps.store.listLobbyChecks(tenant, playerId),
  ]);
  const checks = kept
    .filter(({ mode }) => modes.includes(mode))
    .map(({ mode, verdict }) => ({ mode, verdict: JSON.parse(verdict) as Verdict }));
  const sessions = exportSessions(deps, held, modes);
  return { ok: true, value: { player, checks, sessionCount: held.length, sessions } };
}

/** One after another: a player of many matches would fill the memory with them. */
async function* exportSessions(
  { store, seals }: PlayerDataDeps,
  held: readonly PlayerSession[],
  modes: readonly Mode[],
): AsyncGenerator<ExportedSession> {
  for (const { session, seat } of held) {
    const stored = await store.loadSession(session);
    if (stored === null) continue;
    const { row, roster, entries } = stored;
    if (!modes.includes(row.world ?? row.mode)) continue;
    const replay = makeReplay(foldLog(session, entries).session, roster, entries);
    yield { row, seat, replay: seals.signReplay(replay) };
    // Each was folded at once: others have their turn.
    await setImmediate();
  }
}
