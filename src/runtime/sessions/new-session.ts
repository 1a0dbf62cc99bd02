/** The first rows and records of a session, however it is created. */

import { Buffer } from 'node:buffer';
import { type Games, refOf } from '../../games/games.ts';
import type { Entry, SessionSetup } from '../../match/record.ts';
import { seatOrder } from '../../match/seating.ts';
import { PENDING_MS } from '../../match/setup.ts';
import type { SeatedRow, SessionQuota, SessionRow } from '../../store/store.ts';
import type { MatchHost } from '../host/match-host.ts';
import type { MakeId } from '../ids.ts';
import type { Randomness } from '../ports.ts';
import type { NamedPlayer, SessionRequest } from './session-service.ts';

const SEED_BYTES = 32;

export interface MakerDeps {
  readonly randomness: Randomness;
  readonly makeId: MakeId;
  readonly node: string;
  readonly games: Games;
}

/** Rule S2: does it wait for players from the queue? */
export function isQueued({ mode, matchType, players, seats, order }: SessionRequest): boolean {
  if (order !== undefined) return false;
  return mode !== 'training' && matchType === 'matchmaking' && players.length < seats;
}

/** The record of version 0: the request's players have the first seats, then its bots. */
export function firstEntry(deps: MakerDeps, request: SessionRequest, now: number): Entry {
  const { options } = request;
  const pendingMs = request.matchType === 'private' ? PENDING_MS.private : PENDING_MS.other;
  const setup: SessionSetup = {
    ...refOf(deps.games.find(request.game)!),
    mode: request.mode,
    matchType: request.matchType,
    variant: request.variant,
    seats: request.seats,
    options: options.game,
    turnTimeoutMs: options.turnTimeoutMs,
    clock: options.clock,
    disconnectGraceMs: options.disconnectGraceMs,
    afk: options.afk,
    botDifficulty: options.botDifficulty,
    ...(isQueued(request) ? { seating: 'drawn' } : null),
    ...(request.series === undefined ? null : { series: request.series }),
    seed: toHex(deps.randomness.bytes(SEED_BYTES)),
    expiresAt: now + pendingMs,
  };
  const filled = request.bots ?? [];
  const seated = request.players.length;
  const taken = (request.order ?? seatOrder(setup)).slice(0, seated + filled.length);
  const bots = taken.slice(seated);
  const levels = filled.length === 0 ? null : { levels: filled.map(({ level }) => level) };
  const record = { k: 'created', setup, taken, bots, ...levels, node: deps.node } as const;
  return { v: 0, at: now, record };
}

export function firstRow(
  request: SessionRequest,
  id: string,
  roomCode: string,
  now: number,
): SessionRow {
  const { tenant, mode, game, matchType, variant, metadata, theme } = request;
  return {
    id,
    tenant,
    mode,
    game,
    matchType,
    variant,
    status: 'pending',
    roomCode,
    metadata,
    theme,
    createdAt: now,
    startedAt: null,
    endedAt: null,
    ...(mode === 'training' && request.world !== undefined ? { world: request.world } : null),
  };
}

export function quotaOf({ mode, limits }: SessionRequest, now: number): SessionQuota {
  return {
    month: mode === 'live' ? new Date(now).toISOString().slice(0, 7) : null,
    sessionsPerMonthMax: limits.sessionsPerMonth,
    openSessionsMax: limits.openSessions,
  };
}

export function seatedRow(
  deps: MakerDeps,
  player: NamedPlayer,
  seat: number,
  at: number,
  isBot = false,
): SeatedRow {
  return {
    seat,
    playerId: player.id,
    displayName: player.displayName,
    isBot,
    newRef: deps.makeId('ply'),
    at,
  };
}

/**
 * The store's answer about a new session. After a failure the session may exist all the same: then only this
 * process can know that it owns it.
 */
export async function madeOrLookedFor<Made>(
  host: Pick<MatchHost, 'probeLater'>,
  session: string,
  asked: Promise<Made>,
): Promise<Made> {
  try {
    return await asked;
  } catch (error) {
    host.probeLater(session);
    throw error;
  }
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
