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
    seed: z.string().nullable().meta({ description: 'Null until the session ends.' }),
    entropy: z.string().meta({ description: 'The entropy that the players added, as one text.' }),
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
        score: z.number().optional().meta({ description: 'Points, in games with scores.' }),
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
    rematchOf: z.string().meta({ description: 'The previous session of the series.' }),
    first: z.string().meta({ description: 'The first session of the series.' }),
    number: z.int().min(2).meta({ description: "This match's number in the series." }),
    wins: z.array(count).meta({ description: 'Earlier matches won, by seat of this one.' }),
    draws: count,
  })
  .meta({ id: 'Series' });
const tokenFields = {
  sessionToken: z.string().meta({ description: 'The first token of `tokens`.' }),
  tokens: z.record(z.string(), z.string()).meta({ description: 'Tokens by player id.' }),
  playUrls: z.record(z.string(), z.string()).meta({ description: 'Play pages by player id.' }),
  expiresIn: count.meta({ description: 'Lifetime of the tokens in seconds.' }),
};
const sessionRest = {
  expiresAt: time.nullable().meta({ description: 'When a pending session expires.' }),
  theme: theme.nullable(),
  metadata: z.record(z.string(), z.string()).nullable(),
  webhooksEnabled: z.boolean(),
  integrity: verdict.nullable().meta({
    description:
      'The first device check; in the response to a create or join, the check of that call.',
  }),
  integrityChecks: z.array(playerVerdict).optional().meta({
    description: 'All device checks of the session, oldest first.',
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
    description: 'A session, and tokens of the players named in the request.',
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
    description: 'Runs: the input of each seat, then the number of ticks.',
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
      description: "Hash of the rules' sources. Only for an operator's game.",
    }),
    rulesVersion: count,
    game,
    variant: z.string(),
    seats: count,
    options: z.record(z.string(), z.unknown()),
    players: z.array(seatedPlayer.omit({ connected: true })),
    fairness,
    drawnSeats: z.array(count).nullable().meta({
      description: 'Seats in the order in which they were taken, if drawn from the seed.',
    }),
    inputs: z.array(z.strictObject({ ...replayStep, action: z.unknown() })),
    ticks: z.array(replayTicks).optional().meta({
      description: 'Only for real-time games: the inputs of every seat, tick by tick.',
    }),
    controls: z.array(z.strictObject({ ...replayStep, kind: z.string() })),
    chance: z
      .array(z.strictObject({ v: count, draws: z.array(z.tuple([count, count])) }))
      .nullable()
      .meta({
        description:
          'The random values of each record, as `[below, value]`; null until the session ends. The fairness guide has the derivation.',
      }),
    hash: z.string().nullable(),
    result: result.nullable(),
    signature: signature.meta({
      description:
        "The installation's signature: Ed25519 over `matchd replay`, a line feed and the canonical JSON of all other fields. `GET /.well-known/jwks.json` has the public keys.",
    }),
  })
  .meta({ id: 'Replay', description: 'A match that can be exported and verified elsewhere.' });

const seal = z
  .strictObject({
    state: z.enum(['sealed', 'not_ended', 'not_sealed', 'missing', 'changed', 'unknown_key']).meta({
      description:
        '`sealed`: nothing that the seal covers has changed since the end. `not_ended`: the session has not ended. `not_sealed`: it ended before this installation sealed sessions. `missing`, `changed` and `unknown_key` make `ok` false.',
    }),
    keyId: z.string().nullable().meta({ description: 'The key that signed the seal.' }),
  })
  .meta({ id: 'Seal' });

const partList = z.array(z.string());
const coverage = z
  .strictObject({
    rules: partList.meta({ description: 'Recomputed from the rules and the seed.' }),
    signature: partList.meta({ description: 'Compared with the seal signed at the end.' }),
    notCovered: partList.meta({ description: 'Not verified: a change would go unnoticed.' }),
  })
  .meta({ id: 'Coverage', description: 'What was verified, in words.' });

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
      '`v` is the version of the first invalid record; null if no single record is invalid. An `error` that starts with `Not checked:` means that the rules version or the key of the seal is not available.',
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
      .meta({ description: 'The player in live mode, or else in test mode.' }),
    names: z
      .array(
        z.strictObject({
          mode: z.enum(KEY_MODES),
          displayName: z.string().nullable(),
          createdAt: time,
        }),
      )
      .meta({ description: "The player's name in each mode, live first." }),
    ratings: z.array(exportedRating),
    integrity: z.array(lobbyVerdict).meta({
      description: 'The newest device check of a lobby token in each mode.',
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
          description: "The check of the player's device.",
        }),
        rating: ratingChange.nullable().meta({
          description: "The player's rating change; null for an unrated match.",
        }),
        replay: replay.nullable().meta({
          description: 'Null while a match with hidden information is active.',
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
          description: "The check of the player's device when the player was added.",
        }),
      }),
    ),
  })
  .meta({ id: 'PlayerExport', description: 'All stored data about a player.' });

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
    description: 'A JSON Web Key Set (RFC 7517, RFC 8037). The current signing key is first.',
  });
export const version = z
  .strictObject({
    name: z.literal('matchd'),
    version: z.string(),
    runtime: z.string(),
    node: z.string().meta({ description: 'The id of this process run: `nod_…`.' }),
    games: z
      .array(z.strictObject({ game, versions: z.array(count) }))
      .meta({ description: 'The loaded games and versions of their rules.' }),
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
