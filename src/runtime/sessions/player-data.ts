/** Stored data about a player: the name, lobby checks, and the full export (rule R2). */

import { setImmediate } from 'node:timers/promises';
import type { Games } from '../../games/games.ts';
import type { Verdict } from '../../integrity/verdict.ts';
import type { Mode } from '../../match/record.ts';
import { makeReplay } from '../../match/replay/replay.ts';
import type { CoreStore, IdempotencyRow, PlayerSession } from '../../store/store.ts';
import { WORLDS, worldOf } from '../../store/world.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { foldLog, isSecret } from '../host/fold.ts';
import type { MakeId } from '../ids.ts';
import type { Clock } from '../ports.ts';
import type { Seals } from '../signing/seals.ts';
import type {
  ExportedSession,
  NamedPlayer,
  Outcome,
  PlayerExport,
  SessionService,
} from './session-service.ts';

export interface PlayerDataDeps {
  readonly store: Pick<
    CoreStore,
    'findPlayer' | 'namePlayer' | 'listLobbyChecks' | 'listSessionsOf' | 'loadSession'
  >;
  readonly clock: Clock;
  readonly makeId: MakeId;
  readonly games: Games;
  readonly seals: Pick<Seals, 'signReplay'>;
}

/** A backend sends the name with every token; only a new name, or a check, is worth a commit. */
export async function namePlayer(
  { store, clock, makeId }: PlayerDataDeps,
  tenant: string,
  world: KeyMode,
  { id: playerId, displayName, check }: Parameters<SessionService['namePlayer']>[2],
  idempotency: IdempotencyRow | null,
): Promise<boolean> {
  if (check === undefined) {
    if (displayName === null) return false;
    const known = await store.findPlayer(tenant, world, playerId);
    if (known?.displayName === displayName) return false;
  }
  const naming = { tenant, world, playerId, displayName, newRef: makeId('ply'), at: clock.now() };
  await store.namePlayer(
    { ...naming, ...(check && { check: JSON.stringify(check) }) },
    idempotency,
  );
  return true;
}

export async function exportPlayer(
  deps: PlayerDataDeps,
  tenant: string,
  playerId: string,
  modes: readonly Mode[],
): Promise<Outcome<PlayerExport>> {
  const rows = await Promise.all(
    WORLDS.filter((world) => modes.includes(world)).map(async (world) => {
      const row = await deps.store.findPlayer(tenant, world, playerId);
      return row === null ? [] : [{ world, ...row }];
    }),
  );
  const players = rows.flat();
  if (players.length === 0) return { ok: false, refusal: 'player_not_found' };
  const [held, kept] = await Promise.all([
    deps.store.listSessionsOf(tenant, playerId),
    deps.store.listLobbyChecks(tenant, playerId),
  ]);
  const checks = kept
    .filter(({ mode }) => modes.includes(mode))
    .map(({ mode, verdict }) => ({ mode, verdict: JSON.parse(verdict) as Verdict }));
  const sessions = exportSessions(deps, held, modes);
  return { ok: true, value: { players, checks, sessions } };
}

/** One after another: a player with many matches would fill the memory. */
async function* exportSessions(
  { store, seals, games }: PlayerDataDeps,
  held: readonly PlayerSession[],
  modes: readonly Mode[],
): AsyncGenerator<ExportedSession> {
  for (const { session, seat, rating = null } of held) {
    const stored = await store.loadSession(session);
    if (stored === null) continue;
    const { row, roster, entries } = stored;
    if (!modes.includes(worldOf(row))) continue;
    const replay = isSecret(games, stored)
      ? null
      : seals.signReplay(makeReplay(foldLog(games, session, entries).session, roster, entries));
    yield { row, seat, rating, replay };
    // Folding blocks, so other work runs in between.
    await setImmediate();
  }
}

/** The player under the name last given for them. */
export async function named(
  { store }: { readonly store: Pick<CoreStore, 'findPlayer'> },
  tenant: string,
  world: KeyMode,
  player: NamedPlayer,
): Promise<NamedPlayer> {
  if (player.displayName !== null) return player;
  const known = await store.findPlayer(tenant, world, player.id);
  return { id: player.id, displayName: known?.displayName ?? null };
}
