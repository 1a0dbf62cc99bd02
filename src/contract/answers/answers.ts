/**
 * Schemas of responses. They are not checked when responses are sent: tests check every response
 * against them.
 */

import { z } from 'zod';
import { game } from '../fields.ts';
import { theme } from '../theme.ts';
import {
  KEY_MODES,
  MATCH_TYPES,
  PLANS_OFFERED,
  SESSION_MODES,
  STATUSES,
  TICKET_STATUSES,
} from '../values.ts';
import { lobbyVerdict, OWN_VERDICT, playerVerdict, verdict } from './integrity-answers.ts';
import { exportedRating, ratingChange } from './ratings-answers.ts';

const time = z.iso.datetime({ precision: 3 });
const count = z.int().min(0);
/** A player's id; null once they were erased. */
const knownId = z.string().nullable();

export const seatedPlayer = z
  .strictObject({
    id: knownId,
    displayName: z.string().nullable(),
    seat: count,
    isBot: z.boolean(),
    connected: z.boolean(),
  })
  .meta({ id: 'SeatedPlayer' });

export const fairness = z
  .strictObject({
    commitment: z.string().meta({ description: "Hex SHA-256 of the seed's text." }),
    seed: z.string().nullable().meta({ description: 'Null until the end.' }),
    entropy: z.string().meta({ description: 'What the players added, as one text.' }),
  })
  .meta({ id: 'Fairness' });

export const result = z
  .looseObject({
    winner: knownId,
    winners: z.array(knownId),
    placements: z.array(
      z.strictObject({
        playerId: knownId,
        seat: count,
        isBot: z.boolean(),
        place: z.int().min(1),
        score: z.number().optional().meta({ description: 'Points, in games that count them.' }),
      }),
    ),
    reason: z.string(),
    durationMs: count,
    moveCount: count,
  })
  .meta({ id: 'Result', description: 'The outcome. The game adds fields of its own.' });

const sessionFields = {
  sessionId: z.string(),
  game,
  mode: z.enum(SESSION_MODES),
  matchType: z.enum(MATCH_TYPES),
  variant: z.string(),
  status: z.enum(STATUSES),
  roomCode: z.string(),
  seats: z.int().min(1),
  players: z.array(seatedPlayer),
};
/** For a rematch: the matches before it, by the seats of this one. */
export const series = z
  .strictObject({
    rematchOf: z.string().meta({ description: 'The session that this is the rematch of.' }),
    first: z.string().meta({ description: 'The session that the series began with.' }),
    number: z.int().min(2).meta({ description: 'Which match of the series this is.' }),
    wins: z.array(count).meta({ description: 'Matches won before this one, by its seats.' }),
    draws: count,
  })
  .meta({ id: 'Series' });
const tokenFields = {
  sessionToken: z.string().meta({ description: 'The first of the tokens.' }),
  tokens: z.record(z.string(), z.string()).meta({ description: "Each player's token, by id." }),
  playUrls: z.record(z.string(), z.string()).meta({ description: "Each player's page, by id." }),
  expiresIn: count.meta({ description: 'Life of the tokens in seconds.' }),
};
const sessionRest = {
  expiresAt: time.nullable().meta({ description: 'When a pending session expires.' }),
  theme: theme.nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  webhooksEnabled: z.boolean(),
  integrity: verdict
    .nullable()
    .meta({ description: 'The first check; in answers to a create or a checked join its own.' }),
  integrityChecks: z.array(playerVerdict).optional().meta({
    description: 'All checks, in the order in which they came to the session.',
  }),
  series: series.optional(),
  fairness,
  result: result.nullable(),
  createdAt: time,
  startedAt: time.nullable(),
  endedAt: time.nullable(),
};

export const session = z.strictObject({ ...sessionFields, ...sessionRest }).meta({ id: 'Session' });

export const sessionWithTokens = z
  .strictObject({ ...sessionFields, ...tokenFields, ...sessionRest })
  .meta({
    id: 'SessionWithTokens',
    description: 'A session, and the tokens of the players the request named.',
  });

export const sessionList = z
  .strictObject({ data: z.array(session), nextCursor: z.string().nullable() })
  .meta({ id: 'SessionList' });

export const playerToken = z
  .strictObject({ token: z.string(), expiresIn: count, socketUrl: z.string(), playUrl: z.string() })
  .meta({ id: 'PlayerToken' });

export const lobbyToken = z
  .strictObject({
    token: z.string(),
    expiresIn: count,
    socketUrl: z.string(),
    integrity: verdict.optional().meta({ description: OWN_VERDICT }),
  })
  .meta({ id: 'LobbyToken' });

const replayStep = { v: count, at: time, seat: count };

const replayTicks = z.strictObject({
  v: count,
  at: time,
  from: count.meta({ description: 'The first tick.' }),
  runs: z.array(z.array(count)).meta({
    description: 'Runs: what each seat held down, by seat, and last for how many ticks.',
  }),
});

const signature = z
  .strictObject({
    keyId: z.string().meta({ description: 'The `kid` of the public key that verifies it.' }),
    algorithm: z.literal('Ed25519'),
    value: z.string().meta({ description: '64 bytes in base64url.' }),
  })
  .meta({ id: 'Signature' });

export const replay = z
  .strictObject({
    sessionId: z.string(),
    rulesHash: z.string().optional().meta({
      description: "Hash of the code of the rules, of an operator's game.",
    }),
    rulesVersion: count,
    game,
    variant: z.string(),
    seats: count,
    options: z.record(z.string(), z.unknown()),
    players: z.array(seatedPlayer.omit({ connected: true })),
    fairness,
    drawnSeats: z.array(count).nullable().meta({
      description: 'Seats in the order in which they were taken, where the seed drew it.',
    }),
    inputs: z.array(z.strictObject({ ...replayStep, action: z.unknown() })),
    ticks: z.array(replayTicks).optional().meta({
      description: 'Of games that run by the clock: what every seat held down, tick by tick.',
    }),
    controls: z.array(z.strictObject({ ...replayStep, kind: z.string() })),
    chance: z
      .array(z.strictObject({ v: count, draws: z.array(z.tuple([count, count])) }))
      .nullable()
      .meta({
        description:
          'What each record drew from the seed, as `[below, value]`; null until the end. The guide on fairness says how a value is derived.',
      }),
    hash: z.string().nullable(),
    result: result.nullable(),
    signature: signature.meta({
      description:
        'By the installation, when it exported the replay: Ed25519 over `matchd replay`, a line feed and the canonical JSON of all other fields. `GET /.well-known/jwks.json` has the public keys.',
    }),
  })
  .meta({ id: 'Replay', description: 'A match that can be exported and verified elsewhere.' });

const seal = z
  .strictObject({
    state: z.enum(['sealed', 'not_ended', 'not_sealed', 'missing', 'changed', 'unknown_key']).meta({
      description:
        '`sealed`: all that the seal covers is as it was at the end. `not_ended`: the session goes on, and its end is not sealed yet. `not_sealed`: it ended before this installation sealed sessions. `missing`, `changed` and `unknown_key` make `ok` false.',
    }),
    keyId: z.string().nullable().meta({ description: 'The key that signed the seal.' }),
  })
  .meta({ id: 'Seal' });

const partList = z.array(z.string());
const coverage = z
  .strictObject({
    rules: partList.meta({ description: 'Redone by the rules and the seed.' }),
    signature: partList.meta({ description: 'Compared with the seal that was signed at the end.' }),
    notCovered: partList.meta({ description: 'Could have been changed unseen.' }),
  })
  .meta({ id: 'Coverage', description: 'What the answer rests on, in words for people to read.' });

const checked = { seal, covers: coverage };
export const replayCheck = z
  .discriminatedUnion('ok', [
    z.strictObject({
      ok: z.literal(true),
      records: count,
      hash: z.string().nullable(),
      ...checked,
    }),
    z.strictObject({ ok: z.literal(false), v: count.nullable(), error: z.string(), ...checked }),
  ])
  .meta({
    id: 'ReplayCheck',
    description:
      '`v` is the version of the first wrong record, null where no record is to blame. An `error` that begins with `Not checked:` says that the match was played by another version of the rules, or sealed with a key that is not there.',
  });

const limit = z.number().nullable();

export const whoami = z
  .strictObject({
    tenant: z.strictObject({ id: z.string(), slug: z.string(), name: z.string() }),
    key: z.strictObject({
      id: z.string(),
      name: z.string(),
      hint: z.string(),
      scopes: z.array(z.string()).describe("The key's scopes; `*` alone for an unrestricted key."),
      createdAt: time,
      expiresAt: time.nullable(),
    }),
    mode: z.enum(KEY_MODES),
    plan: z.enum(PLANS_OFFERED),
    limits: z.strictObject({
      requestsPerMinute: z.number(),
      sessionsPerMonth: limit,
      openSessions: z.number(),
      sockets: z.number(),
      openTickets: z.number(),
      webhooks: z.number(),
      webhookRetries: z.number(),
      eventStreams: z.number(),
      retentionDays: z.number(),
    }),
    origins: z.array(z.string()),
    requireOrigin: z.boolean(),
  })
  .meta({ id: 'Whoami' });

export const playerExport = z
  .strictObject({
    player: z
      .strictObject({ id: z.string(), displayName: z.string().nullable(), createdAt: time })
      .meta({ description: 'As live mode knows the player, else as test mode does.' }),
    names: z
      .array(
        z.strictObject({
          mode: z.enum(KEY_MODES),
          displayName: z.string().nullable(),
          createdAt: time,
        }),
      )
      .meta({ description: 'How each world that knows the player calls them; live first.' }),
    ratings: z.array(exportedRating),
    integrity: z.array(lobbyVerdict).meta({
      description: 'The newest check of a lobby token, of each mode.',
    }),
    sessions: z.array(
      z.strictObject({
        sessionId: z.string(),
        seat: count,
        game,
        mode: z.enum(SESSION_MODES),
        matchType: z.enum(MATCH_TYPES),
        variant: z.string(),
        status: z.enum(STATUSES),
        metadata: z.record(z.string(), z.string()).nullable(),
        createdAt: time,
        startedAt: time.nullable(),
        endedAt: time.nullable(),
        integrity: verdict.nullable().meta({
          description: "What the check of the player's device found.",
        }),
        rating: ratingChange.nullable().meta({
          description: "What the match did to the player's rating; null of one that did not count.",
        }),
        replay: replay.nullable().meta({
          description: 'Null while a match goes on in which information is hidden.',
        }),
      }),
    ),
    tickets: z.array(
      z.strictObject({
        ticketId: z.string(),
        game,
        mode: z.enum(KEY_MODES),
        status: z.enum(TICKET_STATUSES),
        sessionId: z.string().nullable(),
        createdAt: time,
        integrity: verdict.optional().meta({
          description: 'What was found of the device when the player was added.',
        }),
      }),
    ),
  })
  .meta({ id: 'PlayerExport', description: 'All that is held about a player.' });

export const playerErased = z
  .strictObject({ erased: z.literal(true) })
  .meta({ id: 'PlayerErased' });

export const health = z.strictObject({ status: z.literal('ok') }).meta({ id: 'Health' });
export const ready = z.strictObject({ status: z.literal('ready') }).meta({ id: 'Ready' });
export const publicKeys = z
  .strictObject({
    keys: z.array(
      z.strictObject({
        kty: z.literal('OKP'),
        crv: z.literal('Ed25519'),
        x: z.string().meta({ description: '32 bytes in base64url.' }),
        kid: z.string().meta({ description: 'The RFC 7638 thumbprint of the key.' }),
        use: z.literal('sig'),
        alg: z.literal('EdDSA'),
      }),
    ),
  })
  .meta({
    id: 'PublicKeys',
    description: 'A JSON Web Key Set (RFC 7517, RFC 8037). The key that signs now comes first.',
  });
export const version = z
  .strictObject({
    name: z.literal('matchd'),
    version: z.string(),
    runtime: z.string(),
    node: z.string().meta({ description: 'The id of this process run: `nod_…`.' }),
    games: z
      .array(z.strictObject({ game, versions: z.array(count) }))
      .meta({ description: 'The games and the versions of their rules that are loaded.' }),
  })
  .meta({ id: 'Version' });

export const error = z.strictObject({ error: z.string() }).meta({ id: 'Error' });

/** Only for requests that accept `application/problem+json` (rule H2). */
export const problem = z
  .strictObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    requestId: z.string(),
    error: z.string(),
  })
  .meta({ id: 'Problem' });
