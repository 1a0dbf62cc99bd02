/** The first rows and records of a session, however it comes about. */

import { Buffer } from 'node:buffer';
import { findGame } from '../games/registry.ts';
import type { Entry, SessionSetup } from '../match/record.ts';
import { PENDING_MS } from '../match/setup.ts';
import type { SeatedRow, SessionQuota, SessionRow } from '../store/store.ts';
import type { MakeId } from './ids.ts';
import type { Randomness } from './ports.ts';
import type { NamedPlayer, SessionRequest } from './session-service.ts';

const SEED_BYTES = 32;

export interface MakerDeps {
  readonly randomness: Randomness;
  readonly makeId: MakeId;
  readonly node: string;
}

/** The record of version 0: every seat of the request's players is taken. */
export function firstEntry(deps: MakerDeps, request: SessionRequest, now: number): Entry {
  const { options } = request;
  const pendingMs = request.matchType === 'private' ? PENDING_MS.private : PENDING_MS.other;
  const setup: SessionSetup = {
    game: request.game,
    rulesVersion: findGame(request.game)!.rulesVersion,
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
    seed: toHex(deps.randomness.bytes(SEED_BYTES)),
    expiresAt: now + pendingMs,
  };
  const taken = request.players.map((_, seat) => seat);
  return { v: 0, at: now, record: { k: 'created', setup, taken, bots: [], node: deps.node } };
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
): SeatedRow {
  return {
    seat,
    playerId: player.id,
    displayName: player.displayName,
    isBot: false,
    newRef: deps.makeId('ply'),
    at,
  };
}

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
