/** `matchd replay verify`: redoes a match from its replay, without a server and without a secret. */

import { readFileSync, statSync } from 'node:fs';
import { z } from 'zod';
import { GAME_IDS, type Json } from '../games/game.ts';
import type { ReplayControl } from '../match/redo.ts';
import type { Replay, ReplayCheck } from '../match/replay.ts';
import { verifyReplay } from '../match/replay.ts';
import { type Answer, EXIT_CODES, failed } from './answer.ts';

/** Larger files are no replay of ours. */
const FILE_BYTES_MAX = 64 * 1024 * 1024;

/** Seats of a session at most, whatever the game: an engine says more. */
const SEATS_MAX = 64;

const CONTROL_KINDS = [
  ...(['missed', 'resignation', 'afk_timeout', 'clock_timeout', 'disconnect'] as const),
  ...(['draw_offer', 'draw_accept', 'draw_decline'] as const),
] satisfies readonly ReplayControl['kind'][];

const json = z.unknown().transform((value) => value as Json);
const seat = z.int().min(0).max(SEATS_MAX);
const place = { v: z.int().min(0), at: z.string() };
const step = { ...place, seat };
const hex = z.string().regex(/^[0-9a-f]{64}$/);
const text = z.string().nullable();

/** The shape on which verification rests. What else stands in the file does not matter. */
const replayShape = z.object({
  sessionId: z.string().default(''),
  rulesVersion: z.int(),
  game: z.enum(GAME_IDS),
  variant: z.string(),
  seats: z.int().min(1).max(SEATS_MAX),
  options: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  players: z.array(z.object({ id: text, displayName: text, seat, isBot: z.boolean() })),
  fairness: z.object({ commitment: hex, seed: text, entropy: z.string() }),
  drawnSeats: z.array(seat).max(SEATS_MAX).nullable().default(null),
  inputs: z.array(z.object({ ...step, action: json })),
  ticks: z.array(z.object({ ...place, from: z.int(), runs: json })).optional(),
  controls: z.array(z.object({ ...step, kind: z.enum(CONTROL_KINDS) })).default([]),
  hash: hex.nullable(),
  result: z.looseObject({ reason: z.string(), durationMs: z.number() }).nullable(),
});

export function verifyReplayFile(file: string): Answer {
  const source = readSource(file);
  if (typeof source !== 'string') return failed(`${file} cannot be read: ${source.message}`);
  const replay = parseReplay(source);
  if (typeof replay === 'string') return failed(`${file} is no replay: ${replay}`);
  const check = redo(replay);
  return {
    json: check,
    text: `${file}: ${describe(replay, check)}`,
    exit: check.ok ? EXIT_CODES.done : EXIT_CODES.failed,
  };
}

function readSource(file: string): string | { readonly message: string } {
  try {
    const { size } = statSync(file);
    if (size > FILE_BYTES_MAX) return { message: `it has more than ${FILE_BYTES_MAX} bytes` };
    return readFileSync(file, 'utf8');
  } catch (error) {
    return { message: (error as Error).message };
  }
}

/** The replay, or what is wrong with it. */
function parseReplay(source: string): Replay | string {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    return (error as Error).message;
  }
  const parsed = replayShape.safeParse(value);
  // The result's own fields are compared by verification, each of them.
  if (parsed.success) return parsed.data as unknown as Replay;
  const { path, message } = parsed.error.issues[0]!;
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

/** An engine that throws on a record has been given one that no match of ours holds. */
function redo(replay: Replay): ReplayCheck {
  try {
    return verifyReplay(replay);
  } catch (error) {
    return { ok: false, v: null, error: `The engine failed: ${(error as Error).message}` };
  }
}

function describe({ game, variant }: Replay, check: ReplayCheck): string {
  if (!check.ok) {
    return `wrong${check.v === null ? '' : ` at record ${check.v}`}: ${check.error}`;
  }
  const state = check.hash === null ? 'no final state' : `state ${check.hash}`;
  return `right, ${game} (${variant}), ${check.records} records, ${state}`;
}
