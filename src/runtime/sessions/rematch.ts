/** Creates the rematch of an ended session (rule S11). */

import { seatRangeOf } from '../../../game/src/game.ts';
import type { Games } from '../../games/games.ts';
import type { Series } from '../../match/record.ts';
import type { EndedSession, Session } from '../../match/session.ts';
import { isOptionError, parseOptions, type SessionOptions } from '../../match/setup.ts';
import type { BotStore } from '../../store/bots.ts';
import type { CoreStore, StoredSession } from '../../store/store.ts';
import type { KeyMode, TenantLimits } from '../../tenancy/tenant.ts';
import { foldLog } from '../host/fold.ts';
import type { MatchView } from '../host/work.ts';
import type { MakeId } from '../ids.ts';
import type { Clock } from '../ports.ts';
import type { Erasures } from './erasures.ts';
import { refuse } from './refuse.ts';
import { listActiveBots, makeBotSeat } from './seating.ts';
import { isVisible } from './session-ref.ts';
import type {
  BotSeat,
  CreatedView,
  KeepAnswer,
  NamedPlayer,
  Outcome,
  SessionRef,
  SessionRequest,
  SessionService,
} from './session-service.ts';

export interface RematchDeps {
  readonly bots: Pick<BotStore, 'listSeatableBots'>;
  readonly games: Games;
}

/** A session about to be written. */
export interface StartedSession {
  readonly id: string;
  /** Ms since 1970. */
  readonly now: number;
  /** The queue in which it waits; undefined for none. */
  readonly pairing: string | undefined;
}

export interface RematchParts extends RematchDeps {
  readonly store: Pick<CoreStore, 'loadSession' | 'findRematch'>;
  readonly erasures: Pick<Erasures, 'name'>;
  readonly clock: Clock;
  readonly makeId: MakeId;
  get(ref: SessionRef): Promise<Outcome<MatchView>>;
  write(
    request: SessionRequest,
    keep: KeepAnswer | null,
    begun: StartedSession,
  ): Promise<Outcome<MatchView>>;
  onRematch?(session: string): void;
}

/** Serialized with erasures, so that no erased player returns. */
export function makeRematch(parts: RematchParts): SessionService['rematch'] {
  const { store, erasures, games, makeId, clock } = parts;
  return (ref, limits, keep) =>
    erasures.name(ref.tenant, async () => {
      const before = await store.loadSession(ref.id);
      if (before === null || !isVisible(before.row, ref)) return refuse('session_not_found');
      const { next } = before.row;
      if (next !== undefined) return find(parts, ref, next);
      const { session } = foldLog(games, ref.id, before.entries);
      if (session.status !== 'ended') return refuse('session_not_ended');
      const hasBegun = before.row.startedAt !== null;
      const request = hasBegun ? await makeRematchRequest(parts, before, session, limits) : null;
      if (request === null) return refuse('no_rematch');
      const begun = { id: makeId('ses'), now: clock.now(), pairing: undefined };
      const made = await parts.write(request, keep, begun);
      if (made.ok) parts.onRematch?.(ref.id);
      if (made.ok || made.refusal !== 'no_rematch') return made;
      // Another call has created it meanwhile.
      const after = await store.findRematch(ref.id);
      return after === null || after.next === null ? made : find(parts, ref, after.next);
    });
}

async function find(
  { get }: RematchParts,
  ref: SessionRef,
  id: string,
): Promise<Outcome<CreatedView>> {
  const found = await get({ ...ref, id });
  return found.ok ? { ok: true, value: { ...found.value, waited: true } } : refuse('no_rematch');
}

/** A player of the ended session, on their next seat. */
interface Mover {
  readonly player: NamedPlayer & { readonly id: string };
  readonly isBot: boolean;
  readonly seat: number;
}

/** Null when the session cannot have a rematch. */
async function makeRematchRequest(
  { bots: store, games }: RematchDeps,
  { row, roster }: StoredSession,
  session: EndedSession,
  limits: TenantLimits,
): Promise<SessionRequest | null> {
  const options = optionsOf(games, session);
  const movers = moveSeats(session, roster);
  // A queue's group is matched by its tickets only.
  if (options === null || movers === null || row.matchType === 'hosted') return null;
  const humans = movers.filter(({ isBot }) => !isBot);
  const machines = movers.filter(({ isBot }) => isBot);
  const bots =
    row.mode === 'training'
      ? machines.map(({ player }) => ({ player, level: options.botDifficulty }))
      : await findBots(store, { ...row, mode: row.mode }, machines);
  if (bots === null) return null;
  const { tenant, mode, game, matchType, variant, metadata, theme, world } = row;
  return {
    tenant,
    mode,
    game,
    matchType,
    variant,
    seats: movers.length,
    options,
    // Each player gets the name that the tenant last gave.
    players: humans.map(({ player: { id } }) => ({ id, displayName: null })),
    bots,
    order: [...humans, ...machines].map(({ seat }) => seat),
    rematchOf: row.id,
    series: nextSeries(session),
    metadata,
    theme,
    limits,
    ...(world === undefined ? null : { world }),
  };
}

/** The score so far, by the seats of the rematch. Aborted matches count for nobody. */
function nextSeries({ id, seats, setup, outcome }: EndedSession): Series {
  const { series } = setup;
  const counts = outcome.reason !== 'aborted';
  const wins = seats.map((_, seat) => {
    const won = counts && outcome.winners.includes(seat) ? 1 : 0;
    return (series?.wins[seat] ?? 0) + won;
  });
  const isDraw = counts && outcome.winners.length === 0;
  return {
    rematchOf: id,
    first: series?.first ?? id,
    number: (series?.number ?? 1) + 1,
    wins: seats.map((_, seat) => wins[(seat + 1) % seats.length]!),
    draws: (series?.draws ?? 0) + (isDraw ? 1 : 0),
  };
}

/** Its options, as far as the latest rules accept them. */
function optionsOf(games: Games, { setup }: Session): SessionOptions | null {
  const engine = games.find(setup.game)?.game;
  if (engine === undefined || !engine.variants.includes(setup.variant)) return null;
  const { min, max } = seatRangeOf(engine, setup.variant);
  if (setup.seats < min || setup.seats > max) return null;
  const { turnTimeoutMs, clock, disconnectGraceMs, afk, botDifficulty } = setup;
  const common = { turnTimeoutMs, disconnectGraceMs, afk, botDifficulty };
  const timed = clock === null ? common : { ...common, clock };
  const options = parseOptions(engine, { ...setup.options, ...timed });
  return isOptionError(options) ? null : options;
}

/** Each player moves to the seat before, and the first to the last. Null when one is missing. */
function moveSeats({ seats }: Session, roster: StoredSession['roster']): readonly Mover[] | null {
  const movers = seats.flatMap(({ isBot }, before): Mover[] => {
    const { id = null, displayName = null } = roster[before] ?? {};
    const seat = (before + seats.length - 1) % seats.length;
    return id === null ? [] : [{ player: { id, displayName }, isBot, seat }];
  });
  return movers.length < seats.length ? null : movers;
}

/** Null when one of them is no longer a bot of the tenant. */
async function findBots(
  store: RematchDeps['bots'],
  { tenant, mode, game }: StoredSession['row'] & { readonly mode: KeyMode },
  machines: readonly Mover[],
): Promise<readonly BotSeat[] | null> {
  if (machines.length === 0) return [];
  const active = await listActiveBots(store, tenant, mode, game);
  const found = machines.flatMap(
    ({ player }) => active.find(({ playerId }) => playerId === player.id) ?? [],
  );
  return found.length < machines.length ? null : found.map(makeBotSeat);
}
