/** Reads the body of `POST /v1/sessions`: field by field, in the order of rule H4. */

import type { AnyGame, GameId, SeatRange } from '../../../game/src/game.ts';
import { seatRangeOf } from '../../../game/src/game.ts';
import { isProblem, makeChoiceProblem, makeProblem, type Problem } from '../../contract/errors.ts';
import { quoteName, readField } from '../../contract/fields.ts';
import { sessionRequest } from '../../contract/requests/requests.ts';
import { MATCH_TYPES_ASKED } from '../../contract/values.ts';
import type { Games } from '../../games/games.ts';
import type { MatchType, Mode } from '../../match/record.ts';
import type { SessionOptions } from '../../match/setup.ts';
import { isOptionError, parseOptions } from '../../match/setup.ts';
import type { NamedPlayer } from '../../runtime/sessions/session-service.ts';
import type { KeyMode } from '../../tenancy/tenant.ts';
import { readGame } from '../request/read-game.ts';
import { type DeviceInput, deviceOf } from './device-check.ts';

/** The parsed request. */
export interface SessionInput {
  readonly game: GameId;
  readonly mode: Mode;
  readonly players: readonly NamedPlayer[];
  /** The name of a training player; null: none was given, or the mode is another. */
  readonly guestName: string | null;
  /** The device to check: set when a platform was given; the token may be missing. */
  readonly device: DeviceInput | null;
  readonly matchType: MatchType;
  readonly seats: number;
  readonly variant: string;
  readonly options: SessionOptions;
  /** JSON texts. */
  readonly metadata: string | null;
  readonly theme: string | null;
}

type Fields = Readonly<Record<string, unknown>>;

const { shape } = sessionRequest;

export function parseSessionRequest(
  games: Games,
  fields: Fields,
  keyMode: KeyMode,
): SessionInput | Problem {
  const rules = readGame(games, fields['game']);
  if (isProblem(rules)) return rules;
  const engine = rules.game;
  const game = engine.id;
  const mode = readField(shape.mode, fields['mode'], 'mode');
  if (isProblem(mode)) return mode;
  const players = mode === 'training' ? [] : readPlayers(engine, fields['players']);
  if (isProblem(players)) return players;
  const device = readDevice(fields);
  if (isProblem(device)) return device;
  const matchType = readMatchType(game, fields['matchType']);
  if (isProblem(matchType)) return matchType;
  const variant = readVariant(game, engine, fields['variant']);
  if (isProblem(variant)) return variant;
  const seats = readSeats(seatRangeOf(engine, variant), players.length, fields['seats']);
  if (isProblem(seats)) return seats;
  const options = readOptions(engine, fields['options']);
  if (isProblem(options)) return options;
  const metadata = readText(shape.metadata, fields['metadata'], 'metadata');
  if (isProblem(metadata)) return metadata;
  const theme = readText(shape.theme, fields['theme'], 'theme');
  if (isProblem(theme)) return theme;
  return {
    game,
    mode: mode ?? keyMode,
    players,
    guestName: mode === 'training' ? readGuestName(fields['players']) : null,
    device,
    matchType,
    seats,
    variant,
    options,
    metadata: metadata.text,
    theme: theme.text,
  };
}

/** What the key lacks permission for. */
export function refuseSessionRequest(asked: SessionInput, keyMode: KeyMode): Problem | null {
  if (asked.mode === 'live' && keyMode === 'test') return makeProblem('test_key_live_session');
  return null;
}

/** Does one player have two of the seats? */
export function hasDuplicate(players: readonly NamedPlayer[]): boolean {
  return new Set(players.map(({ id }) => id)).size < players.length;
}

function readPlayers({ id: game, seats }: AnyGame, value: unknown): NamedPlayer[] | Problem {
  if (!Array.isArray(value) || value.length === 0) return makeProblem('players_required');
  const players = readField(shape.players, value, 'players');
  if (isProblem(players)) return players;
  if (value.length > seats.max) {
    return makeProblem('too_many_players', { game, max: String(seats.max) });
  }
  return (players ?? []).map(({ id, displayName }) => ({ id, displayName: displayName || null }));
}

/** Training needs no players, so an invalid list of them is ignored there. */
function readGuestName(value: unknown): string | null {
  const players = readField(shape.players, value, 'players');
  return isProblem(players) ? null : players?.[0]?.displayName || null;
}

function readDevice(fields: Fields): DeviceInput | null | Problem {
  const platform = readField(shape.platform, fields['platform'], 'platform');
  if (isProblem(platform)) return platform;
  const token = readField(shape.integrityToken, fields['integrityToken'], 'integrityToken');
  if (isProblem(token)) return token;
  return deviceOf({ platform, integrityToken: token });
}

function readMatchType(game: GameId, value: unknown): MatchType | Problem {
  const matchType = readField(shape.matchType, value, 'matchType');
  if (!isProblem(matchType)) return matchType ?? 'matchmaking';
  return makeProblem('invalid_match_type', { game, valid: MATCH_TYPES_ASKED.join(', ') });
}

export function readVariant(game: GameId, engine: AnyGame, value: unknown): string | Problem {
  const variant = readField(shape.variant, value, 'variant');
  const { variants } = engine;
  if (variant === undefined || variant === null) return variants[0];
  if (!isProblem(variant) && variants.includes(variant)) return variant;
  return makeProblem('invalid_variant', { game, valid: variants.join(', ') });
}

function readSeats({ min, max }: SeatRange, players: number, value: unknown): number | Problem {
  if (value === undefined || value === null) return players > 1 ? Math.max(min, players) : max;
  const least = Math.max(min, players);
  const valid = Array.from({ length: max - least + 1 }, (_, i) => least + i);
  return valid.find((each) => each === value) ?? makeChoiceProblem('seats', valid);
}

/** Checked by the function that reads them. */
export function readOptions(engine: AnyGame, value: unknown): SessionOptions | Problem {
  const asked = value ?? {};
  if (typeof asked !== 'object' || Array.isArray(asked)) {
    return makeProblem('invalid_field', { field: 'options' });
  }
  const options = parseOptions(engine, asked as Fields);
  if (!isOptionError(options)) return options;
  const field = quoteName(`options.${options.field}`);
  if (options.isMissing) return makeProblem('field_required', { field });
  return options.valid === null
    ? makeProblem('invalid_field', { field })
    : makeChoiceProblem(field, options.valid);
}

/** The JSON to store, without the fields that are null. */
function readText(
  schema: typeof shape.metadata | typeof shape.theme,
  value: unknown,
  name: string,
): { readonly text: string | null } | Problem {
  const read = readField<Fields | null | undefined>(schema, value, name);
  if (isProblem(read)) return read;
  if (read === undefined || read === null) return { text: null };
  const given = Object.entries(read).filter(([, each]) => each !== null && each !== undefined);
  return { text: JSON.stringify(Object.fromEntries(given)) };
}
