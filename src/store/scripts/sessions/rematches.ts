/** Players' requests for a rematch of an ended session. */

import { humansOf, isAgreed, NO_AGREEMENT, stepAgreement } from '../../../match/agreement.ts';
import type { Mode } from '../../../match/record.ts';
import type {
  RematchOutcome,
  RematchSeat,
  RematchStep,
  RematchStore,
  RematchView,
} from '../../rematches.ts';
import { presenceKey } from '../../rows/presence-key.ts';
import { toRatingChanges } from '../../rows/rating-rows.ts';
import { numberOrNull, type Row, textOrNull } from '../../rows/row.ts';
import { worldOf } from '../../world.ts';
import { type Runner, type Script, type Sql, scriptOfOne, type Tx } from '../shared/script.ts';
import { readSettings } from '../shared/settings.ts';

export function makeRematchStore({ write }: Runner): RematchStore {
  return {
    stepRematch: (step) => write(STEP, step),
    findRematch: (session) => write(FIND, session),
  };
}

const SESSION = `SELECT id, tenant, mode, world, match_type, status, started_at, ended_at, next_session, rematch,
    rated FROM session WHERE id IN :ids(text) ORDER BY id`;

const SEATS = `SELECT seat.session, seat.seat, seat.is_bot, player.player_id
  FROM seat JOIN player ON player.ref = seat.player
  WHERE seat.session IN :ids(text) ORDER BY seat.session, seat.seat`;

/** For each session that exists; presence is not looked up. */
async function read(
  sql: Sql,
  ids: readonly string[],
  lock: '' | ' FOR UPDATE' = '',
): Promise<ReadonlyMap<string, RematchView>> {
  const rows = await sql.all(`${SESSION}${lock}`, { ids });
  if (rows.length === 0) return new Map();
  const seats = Map.groupBy(await sql.all(SEATS, { ids }), ({ session }) => String(session));
  return new Map(
    rows.map((row) => {
      const id = String(row['id']);
      return [id, toView(row, (seats.get(id) ?? []).map(toSeat))];
    }),
  );
}

function toSeat(row: Row): RematchSeat {
  return { isBot: Boolean(row['is_bot']), playerId: textOrNull(row['player_id']), isHere: false };
}

function toView(row: Row, seats: readonly RematchSeat[]): RematchView {
  const mode = row['mode'] as Mode;
  const world = textOrNull(row['world']) as RematchView['world'] | null;
  const isEnded = row['status'] === 'ended';
  // Groups get together through tickets only, and an erased player is not brought back by a
  // rematch.
  const isPossible =
    isEnded &&
    row['started_at'] !== null &&
    row['match_type'] !== 'hosted' &&
    seats.every(({ playerId }) => playerId !== null);
  return {
    tenant: String(row['tenant']),
    mode,
    world: world ?? worldOf({ mode }),
    agreement: parse(row['rematch']) ?? NO_AGREEMENT,
    seats,
    isPossible,
    endedAt: isEnded ? numberOrNull(row['ended_at']) : null,
    next: textOrNull(row['next_session']),
    ratings: toRatingChanges(row['rated']),
  };
}

function parse<T>(text: unknown): T | null {
  return typeof text === 'string' ? (JSON.parse(text) as T) : null;
}

// ── a step ─────────────────────────────────────────────────────────────────────────────────────

/** The lock on the session's row makes "all have asked" true exactly once, on any node. */
const STEP = scriptOfOne('stepRematch', async (tx, ask: RematchStep): Promise<RematchOutcome> => {
  const { session: id, seat, player, now } = ask;
  const view = (await read(tx, [id], ' FOR UPDATE')).get(id);
  const seated = view?.seats[seat];
  if (view === undefined || seated === undefined || seated.isBot) return 'unknown_session';
  if (player !== null && seated.playerId !== player) return 'unknown_session';
  const humans = humansOf(view.seats);
  const isPossible = view.isPossible && (await isOffered(tx, view));
  const hasNext = view.next !== null;
  const after = stepAgreement({ ...view, isPossible, humans, hasNext }, seat, ask.do, now);
  if (typeof after === 'string') return after;
  if (after === view.agreement) return 'done';
  const rematch = JSON.stringify(after);
  await tx.run('UPDATE session SET rematch = :rematch WHERE id = :id', { id, rematch });
  if (isAgreed({ agreement: after, humans })) tell(tx, view, ask);
  return 'done';
});

/** Whether the tenant offers rematches to the players of this mode. */
async function isOffered(sql: Sql, { tenant, world }: RematchView): Promise<boolean> {
  return (await readSettings(sql, tenant, world)).rematch !== 'off';
}

/** Training concerns the player only: it has no events. */
function tell(tx: Tx, { tenant, mode }: RematchView, { session, now, eventId }: RematchStep): void {
  if (mode === 'training') return;
  const type = 'session.rematch_agreed';
  tx.emit({ id: eventId, tenant, mode, type, session, at: now, data: '{}' });
}

// ── a look ─────────────────────────────────────────────────────────────────────────────────────

/** A script, because only transactions know who is connected. */
const FIND: Script<string, RematchView | null> = {
  name: 'findRematch',
  isLoose: true,
  act: findAll,
};

async function findAll(tx: Tx, ids: readonly string[]): Promise<readonly (RematchView | null)[]> {
  const views = await read(tx, [...new Set(ids)]);
  const players = [...views.values()].flatMap(({ tenant, mode, seats }) =>
    seats.flatMap(({ isBot, playerId }) =>
      isBot || playerId === null ? [] : { tenant, mode, playerId },
    ),
  );
  const here = await tx.connected(players);
  const isOffer = new Map<string, boolean>();
  for (const view of views.values()) {
    const { tenant, world } = view;
    const key = `${tenant} ${world}`;
    if (!isOffer.has(key)) isOffer.set(key, await isOffered(tx, view));
  }
  return ids.map((id) => {
    const view = views.get(id);
    if (view === undefined) return null;
    const { tenant, mode, world } = view;
    const isPossible = view.isPossible && isOffer.get(`${tenant} ${world}`)!;
    const seats = view.seats.map((seat) => {
      const { isBot, playerId } = seat;
      const isHere =
        !isBot && playerId !== null && here.has(presenceKey({ tenant, mode, playerId }));
      return { ...seat, isHere };
    });
    return { ...view, isPossible, seats };
  });
}

export const REMATCH_SCRIPTS = [STEP, FIND];
