/** What requests and answers hold. Made by scripts/generate.ts: not to be changed by hand. */
// @table

import type { Game } from './games.ts';

export interface AndroidCredential {
  /** The app's id. */
  readonly packageName: string;
  /** The number of the Google Cloud project that requests and decodes the tokens. */
  readonly googleCloudProjectNumber: string;
}

export interface Anomaly {
  readonly kind: "webhook_disabled" | "webhook_failing" | "server_errors" | "refused_requests" | "limited_requests" | "slow_moves" | "month_sessions" | "open_sessions";
  readonly severity: "critical" | "warning";
  /** A sentence in English. */
  readonly message: string;
  /** When it started, if known. */
  readonly since: string | null;
  /** By kind: a percentage (`server_errors`, `refused_requests`, `month_sessions`, `open_sessions`), a count (`limited_requests`) or milliseconds (`slow_moves`). Otherwise null. */
  readonly value: number | null;
  /** What it concerns: a webhook by its id, or a list. */
  readonly target: {
    readonly type: "webhook" | "requests" | "sessions" | "usage";
    readonly id: string | null;
  };
}

export interface Bot {
  readonly id: string;
  readonly game: Game;
  /** The bot's mode. Test sessions may also seat live bots. */
  readonly mode: "live" | "test";
  readonly name: string;
  readonly displayName: string;
  /** The bot's player id in sessions. */
  readonly playerId: string;
  readonly kind: "builtin" | "external";
  /** Null for external bots. */
  readonly difficulty: "easy" | "medium" | "hard" | "perfect" | null;
  readonly weight: number;
  readonly active: boolean;
  readonly createdAt: string;
}

export interface BotAck {
  readonly id: string;
  /** The version of the action's record. */
  readonly v: number;
}

export interface BotActionRequest {
  /** The bot that acts. Required with a key, optional with the bot's token. */
  readonly botId?: string | null | undefined;
  /** Your id for this action. A repeat has no second effect. */
  readonly id: string;
  /** The action, as on the socket. */
  readonly action: unknown;
}

export interface BotChange {
  readonly name?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly difficulty?: "easy" | "medium" | "hard" | "perfect" | null | undefined;
  readonly weight?: number | null | undefined;
  /** An inactive bot gets no new seats but keeps its current ones. */
  readonly active?: boolean | null | undefined;
}

export interface BotDeleted {
  readonly id: string;
  readonly deleted: true;
}

export interface BotList {
  readonly data: readonly ScoredBot[];
  readonly nextCursor: string | null;
}

export interface BotRequest {
  readonly game: Game;
  /** The bot's mode. Defaults to the key's mode. */
  readonly mode?: "live" | "test" | null | undefined;
  /** Your name for the bot. */
  readonly name: string;
  readonly displayName?: string | null | undefined;
  readonly playerId?: string | null | undefined;
  /** `builtin`: played by the service. `external`: played by your program. */
  readonly kind: "builtin" | "external";
  readonly difficulty?: "easy" | "medium" | "hard" | "perfect" | null | undefined;
  readonly weight?: number | null | undefined;
}

export interface BotScore {
  /** The mode of the sessions. */
  readonly mode: "live" | "test";
  /** The level it played on; null for external bots. */
  readonly difficulty: "easy" | "medium" | "hard" | "perfect" | null;
  readonly matches: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

export interface BotSeatRequest {
  /** The bot. If absent, an active one is picked by weight. */
  readonly botId?: string | null | undefined;
}

export interface BotSeated {
  readonly bot: Bot;
  readonly session: Session;
}

/** A stream with one JSON object per line. Blank lines keep the connection alive. The first line, `{ t: "welcome", bot, sessions, states }`, has the whole state of every session with the bot. The same frames as on a socket follow. */
export type BotStream = string;

export interface BotToken {
  readonly token: string;
  /** Lifetime of the token in seconds. */
  readonly expiresIn: number;
  readonly socketUrl: string;
  readonly streamUrl: string;
}

export interface ChallengeRequest {
  /** Defaults to the key's mode. */
  readonly mode?: "live" | "test" | null | undefined;
  /** The platform of the devices. */
  readonly platform: "android" | "ios";
}

/** What was verified, in words. */
export interface Coverage {
  /** Recomputed from the rules and the seed. */
  readonly rules: readonly string[];
  /** Compared with the seal signed at the end. */
  readonly signature: readonly string[];
  /** Not verified: a change would go unnoticed. */
  readonly notCovered: readonly string[];
}

export interface EndRequest {
  /** Your note. The result is always `aborted`. */
  readonly reason?: string | null | undefined;
}

export interface AnyEvent {
  /** The same in every delivery attempt. */
  readonly id: string;
  readonly type: "session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended";
  readonly sessionId?: string | undefined;
  readonly mode: "live" | "test" | "training";
  /** The event's number in the log of its tenant and mode, without gaps. */
  readonly seq: number;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ExportedRating {
  /** Glicko-2. Players start at 1500. */
  readonly rating: number;
  /** The rating deviation (uncertainty) as of now. */
  readonly deviation: number;
  /** The number of rated matches. */
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly lastPlayedAt: string | null;
  readonly game: Game;
  readonly mode: "live" | "test";
}

export interface Fairness {
  /** Hex SHA-256 of the seed's text. */
  readonly commitment: string;
  /** Null until the session ends. */
  readonly seed: string | null;
  /** The entropy that the players added, as one text. */
  readonly entropy: string;
}

export interface GameInfo {
  readonly game: Game;
  /** False for an operator's own game. */
  readonly isShipped: boolean;
  /** The rules version of new sessions. */
  readonly rulesVersion: number;
  /** Hash of an operator's sources; null for a shipped game. */
  readonly rulesHash: string | null;
  /** All loaded rules. New sessions use the last. */
  readonly versions: readonly ({
    readonly rulesVersion: number;
    /** Hash of an operator's sources; null for a shipped game. */
    readonly rulesHash: string | null;
  })[];
  readonly seats: {
    readonly min: number;
    readonly max: number;
    readonly default: number;
  };
  /** The first is the default. */
  readonly variants: readonly {
    readonly name: string;
    readonly seats: {
      readonly min: number;
      readonly max: number;
    };
  }[];
  /** Options of this game, without those common to all games. */
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** The default turn time. */
  readonly turnTimeoutMs: number;
  /** Null for a turn-based game. */
  readonly ticksPerSecond: number | null;
  /** Whether several seats move at the same time. */
  readonly isSimultaneous: boolean;
  /** Whether all players see the whole state. */
  readonly openInformation: boolean;
  readonly drawOffers: boolean;
  /** Whether the service has a bot for the game. */
  readonly hasBot: boolean;
  /** Calls of an operator's rules over 50 ms in the last hour, on the node that answers; null if there were none. */
  readonly slowCalls: {
    readonly count: number;
    readonly longestMs: number;
    readonly lastAt: string;
  } | null;
}

/** Shipped games first. */
export interface GameList {
  readonly data: readonly GameInfo[];
}

export interface Group {
  readonly id: string;
  readonly ticketId: string;
  readonly game: Game;
  readonly mode: "live" | "test";
  /** In the order of being added. */
  readonly players: readonly ({
    /** Null after the player was erased. */
    readonly id: string | null;
    readonly displayName: string | null;
    /** The check of the player's device; absent without a check. */
    readonly integrity?: Integrity | undefined;
  })[];
  readonly capacity: number;
  readonly status: "promoted" | "started";
  readonly promotedAt: string;
}

export interface Health {
  readonly status: "ok";
}

/** The result of a device check. */
export interface Integrity {
  readonly platform: "android" | "ios";
  /** `failed`: the device did not pass. `error`: the check could not be completed. `skipped`: there was nothing to check. */
  readonly status: "passed" | "failed" | "error" | "skipped";
  /** Android only. True: the device does not meet device integrity. Null: unknown. */
  readonly rooted?: boolean | null | undefined;
  /** iOS only. True: the attestation or assertion was tampered with. Null: unknown. */
  readonly jailbroken?: boolean | null | undefined;
  /** Machine-readable reasons; empty if the check passed. */
  readonly reasons: readonly string[];
  /** What binds the token to this request. */
  readonly bound: "challenge" | "request" | "none";
  /** Further fields of the platform's verdict. */
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly checkedAt: string;
  readonly latencyMs: number;
}

export interface IntegrityChallenge {
  /** 43 characters of base64url, to bind into one token of one device. */
  readonly challenge: string;
  readonly expiresAt: string;
}

export interface IntegrityCredential {
  /** The mode of the credential. */
  readonly mode: "live" | "test";
  readonly platform: "android" | "ios";
  readonly credential: AndroidCredential | IosCredential;
  readonly updatedAt: string;
}

export interface IntegrityCredentialList {
  readonly data: readonly IntegrityCredential[];
  readonly nextCursor: null;
}

export interface IntegrityCredentialRemoved {
  readonly platform: "android" | "ios";
  readonly removed: true;
}

export interface IntegrityRequest {
  /** Defaults to the key's mode. */
  readonly mode?: "live" | "test" | null | undefined;
  /** The platform of the devices. */
  readonly platform: "android" | "ios";
  readonly credential: AndroidCredential | IosCredential;
}

export interface IosCredential {
  /** The app's bundle identifier. */
  readonly bundleId: string;
  /** The developer team's id at Apple. */
  readonly teamId: string;
}

export interface JoinRequest {
  readonly game: Game;
  /** The session's mode. Defaults to the key's mode. */
  readonly mode?: "live" | "test" | "training" | null | undefined;
  /** The room code of the session. Case and spaces are ignored. */
  readonly roomCode: string;
  readonly player: PlayerToSeat;
  /** The platform of the player's device, for the device check. */
  readonly platform?: "android" | "ios" | null | undefined;
  /** A token of the platform's device integrity API. */
  readonly integrityToken?: string | null | undefined;
}

export interface Leader {
  readonly rank: number;
  readonly playerId: string;
  readonly displayName: string | null;
  /** Glicko-2. Players start at 1500. */
  readonly rating: number;
  /** The rating deviation (uncertainty) as of now. */
  readonly deviation: number;
  /** The number of rated matches. */
  readonly games: number;
}

/** Highest rating first. */
export interface LeaderList {
  readonly data: readonly Leader[];
  readonly nextCursor: string | null;
}

/** The device check of a lobby token. */
export interface LobbyIntegrity {
  readonly mode: "live" | "test";
  readonly platform: "android" | "ios";
  /** `failed`: the device did not pass. `error`: the check could not be completed. `skipped`: there was nothing to check. */
  readonly status: "passed" | "failed" | "error" | "skipped";
  /** Android only. True: the device does not meet device integrity. Null: unknown. */
  readonly rooted?: boolean | null | undefined;
  /** iOS only. True: the attestation or assertion was tampered with. Null: unknown. */
  readonly jailbroken?: boolean | null | undefined;
  /** Machine-readable reasons; empty if the check passed. */
  readonly reasons: readonly string[];
  /** What binds the token to this request. */
  readonly bound: "challenge" | "request" | "none";
  /** Further fields of the platform's verdict. */
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly checkedAt: string;
  readonly latencyMs: number;
}

export interface LobbyRequest {
  readonly displayName?: string | null | undefined;
  /** The platform of the player's device, for the device check. */
  readonly platform?: "android" | "ios" | null | undefined;
  /** A token of the platform's device integrity API. */
  readonly integrityToken?: string | null | undefined;
}

export interface LobbyToken {
  readonly token: string;
  readonly expiresIn: number;
  readonly socketUrl: string;
  /** The device check of this call; absent if the call named no platform. */
  readonly integrity?: Integrity | undefined;
}

/** The active session and its groups. */
export interface MatchStarted {
  readonly sessionId: string;
  readonly game: Game;
  readonly mode: "live" | "test" | "training";
  readonly matchType: "matchmaking" | "private" | "bot" | "hosted";
  readonly variant: string;
  readonly status: "pending" | "active" | "ended";
  readonly roomCode: string;
  readonly seats: number;
  readonly players: readonly SeatedPlayer[];
  /** The first token of `tokens`. */
  readonly sessionToken: string;
  /** Tokens by player id. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Play pages by player id. */
  readonly playUrls: Readonly<Record<string, string>>;
  /** Lifetime of the tokens in seconds. */
  readonly expiresIn: number;
  /** When a pending session expires. */
  readonly expiresAt: string | null;
  readonly theme: Theme | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly webhooksEnabled: boolean;
  /** The first device check; in the response to a create or join, the check of that call. */
  readonly integrity: Integrity | null;
  /** All device checks of the session, oldest first. */
  readonly integrityChecks?: readonly PlayerIntegrity[] | undefined;
  readonly series?: Series | undefined;
  readonly fairness: Fairness;
  readonly result: Result | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** The groups of the match. */
  readonly groups: readonly Group[];
}

/** The session in its current state and its groups. */
export interface MatchStartedBefore {
  readonly sessionId: string;
  readonly game: Game;
  readonly mode: "live" | "test" | "training";
  readonly matchType: "matchmaking" | "private" | "bot" | "hosted";
  readonly variant: string;
  readonly status: "pending" | "active" | "ended";
  readonly roomCode: string;
  readonly seats: number;
  readonly players: readonly SeatedPlayer[];
  /** When a pending session expires. */
  readonly expiresAt: string | null;
  readonly theme: Theme | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly webhooksEnabled: boolean;
  /** The first device check; in the response to a create or join, the check of that call. */
  readonly integrity: Integrity | null;
  /** All device checks of the session, oldest first. */
  readonly integrityChecks?: readonly PlayerIntegrity[] | undefined;
  readonly series?: Series | undefined;
  readonly fairness: Fairness;
  readonly result: Result | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** The groups of the match. */
  readonly groups: readonly Group[];
}

/** Up to 20 keys with your values, returned with the session and in its events. */
export type Metadata = Readonly<Record<string, string | null>>;

/** Delivery attempts to webhook endpoints. */
export interface MetricDeliveries {
  readonly delivered: number;
  readonly failed: number;
  /** The median in milliseconds, within 10 %; null without samples. */
  readonly p50Ms: number | null;
  /** The 99th percentile in milliseconds; null without samples. */
  readonly p99Ms: number | null;
}

/** `moves`: from a player's command on the socket to its `ack`. `queueWaits`: from the start of a player's wait to the start of the match. */
export interface MetricDurations {
  readonly total: number;
  /** The median in milliseconds, within 10 %; null without samples. */
  readonly p50Ms: number | null;
  /** The 99th percentile in milliseconds; null without samples. */
  readonly p99Ms: number | null;
}

export interface MetricPoint {
  /** The start of the step. */
  readonly at: string;
  /** The maximum of the step, by minute. */
  readonly matchesInPlay: number;
  /** The maximum of the step, by minute. */
  readonly playersConnected: number;
  readonly sessions: MetricSessions;
  readonly requests: MetricRequests;
  readonly moves: MetricDurations;
  readonly queueWaits: MetricDurations;
  readonly webhooks: MetricDeliveries;
}

/** Requests with a key. Requests of the dashboard do not count. */
export interface MetricRequests {
  readonly total: number;
  /** Responses with a status below 400. */
  readonly succeeded: number;
  /** Responses with 4xx, except 429. */
  readonly refused: number;
  /** Responses with 429: a limit of the plan was exceeded. */
  readonly limited: number;
  /** Responses with 5xx. */
  readonly failed: number;
  /** The median in milliseconds, within 10 %; null without samples. */
  readonly p50Ms: number | null;
  /** The 99th percentile in milliseconds; null without samples. */
  readonly p99Ms: number | null;
}

export interface MetricSeries {
  readonly mode: "live" | "test";
  readonly window: "1h" | "24h" | "7d" | "30d";
  readonly step: "1m" | "10m" | "1h" | "1d";
  readonly from: string;
  readonly to: string;
  /** One point per step, oldest first, including steps without activity. The last step may be incomplete. */
  readonly data: readonly MetricPoint[];
}

/** Sessions that reached each status. Expired sessions count as ended. */
export interface MetricSessions {
  readonly created: number;
  readonly started: number;
  readonly ended: number;
}

export interface MetricSummary {
  readonly mode: "live" | "test";
  readonly window: "1h" | "24h" | "7d" | "30d";
  readonly from: string;
  /** The end of the last full minute. */
  readonly to: string;
  /** Current values. */
  readonly now: {
    readonly matchesInPlay: number;
    /** At the end of the last full minute. */
    readonly playersConnected: number;
  };
  readonly sessions: MetricSessions;
  readonly requests: MetricRequests;
  readonly moves: MetricDurations;
  readonly queueWaits: MetricDurations;
  readonly webhooks: MetricDeliveries;
  /** Use of the plan's limits. */
  readonly usage: {
    /** Null in test mode, which has no monthly limit. */
    readonly sessionsThisMonth: {
      readonly used: number;
      /** Null for no limit. */
      readonly limit: number | null;
    } | null;
    readonly openSessions: {
      readonly used: number;
      /** Null for no limit. */
      readonly limit: number | null;
    };
  };
  /** What needs attention, most severe first. Empty if nothing does. */
  readonly anomalies: readonly Anomaly[];
}

/** The allowed values of an option, and its default. */
export type OptionSpec = {
  readonly kind: "integer";
  readonly min: number;
  readonly max: number;
  readonly default: number;
} | {
  readonly kind: "boolean";
  readonly default: boolean;
} | {
  readonly kind: "choice";
  readonly values: readonly (string | boolean)[];
  readonly default: string | boolean;
};

export interface Player {
  readonly playerId: string;
  readonly displayName: string | null;
  /** Whether the player has an open socket of that mode, as known to the node that answers. */
  readonly connected: boolean;
  /** By game. Games without a rated match are absent. */
  readonly ratings: Partial<Readonly<Record<Game, PlayerRating>>>;
  readonly createdAt: string;
}

export interface PlayerErased {
  readonly erased: true;
}

/** All stored data about a player. */
export interface PlayerExport {
  /** The player in live mode, or else in test mode. */
  readonly player: {
    readonly id: string;
    readonly displayName: string | null;
    readonly createdAt: string;
  };
  /** The player's name in each mode, live first. */
  readonly names: readonly ({
    readonly mode: "live" | "test";
    readonly displayName: string | null;
    readonly createdAt: string;
  })[];
  readonly ratings: readonly ExportedRating[];
  /** The newest device check of a lobby token in each mode. */
  readonly integrity: readonly LobbyIntegrity[];
  readonly sessions: readonly ({
    readonly sessionId: string;
    readonly seat: number;
    readonly game: Game;
    readonly mode: "live" | "test" | "training";
    readonly matchType: "matchmaking" | "private" | "bot" | "hosted";
    readonly variant: string;
    readonly status: "pending" | "active" | "ended";
    readonly metadata: Readonly<Record<string, string>> | null;
    readonly createdAt: string;
    readonly startedAt: string | null;
    readonly endedAt: string | null;
    /** The check of the player's device. */
    readonly integrity: Integrity | null;
    /** The player's rating change; null for an unrated match. */
    readonly rating: RatingChange | null;
    /** Null while a match with hidden information is active. */
    readonly replay: Replay | null;
  })[];
  readonly tickets: readonly ({
    readonly ticketId: string;
    readonly game: Game;
    readonly mode: "live" | "test";
    readonly status: "forming" | "promoted" | "started" | "cancelled";
    readonly sessionId: string | null;
    readonly createdAt: string;
    /** The check of the player's device when the player was added. */
    readonly integrity?: Integrity | undefined;
  })[];
}

/** The check of one player's device. */
export interface PlayerIntegrity {
  /** Null after the player was erased. */
  readonly playerId: string | null;
  readonly platform: "android" | "ios";
  /** `failed`: the device did not pass. `error`: the check could not be completed. `skipped`: there was nothing to check. */
  readonly status: "passed" | "failed" | "error" | "skipped";
  /** Android only. True: the device does not meet device integrity. Null: unknown. */
  readonly rooted?: boolean | null | undefined;
  /** iOS only. True: the attestation or assertion was tampered with. Null: unknown. */
  readonly jailbroken?: boolean | null | undefined;
  /** Machine-readable reasons; empty if the check passed. */
  readonly reasons: readonly string[];
  /** What binds the token to this request. */
  readonly bound: "challenge" | "request" | "none";
  /** Further fields of the platform's verdict. */
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly checkedAt: string;
  readonly latencyMs: number;
}

export interface PlayerRating {
  /** Glicko-2. Players start at 1500. */
  readonly rating: number;
  /** The rating deviation (uncertainty) as of now. */
  readonly deviation: number;
  /** The number of rated matches. */
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly lastPlayedAt: string | null;
}

export interface PlayerToSeat {
  /** Your id of the player. */
  readonly id: string;
  readonly displayName?: string | null | undefined;
}

export interface PlayerToken {
  readonly token: string;
  readonly expiresIn: number;
  readonly socketUrl: string;
  readonly playUrl: string;
}

export interface Pool {
  /** Promoted groups that were not started, oldest first. */
  readonly groups: readonly Group[];
  readonly nextCursor: string | null;
}

export interface Promoted {
  readonly group: Group;
}

/** A JSON Web Key Set (RFC 7517, RFC 8037). The current signing key is first. */
export interface PublicKeys {
  readonly keys: readonly {
    readonly kty: "OKP";
    readonly crv: "Ed25519";
    /** 32 bytes in base64url. */
    readonly x: string;
    /** The RFC 7638 thumbprint of the key. */
    readonly kid: string;
    readonly use: "sig";
    readonly alg: "EdDSA";
  }[];
}

export interface RatedMatch {
  /** When the match ended. */
  readonly at: string;
  readonly sessionId: string;
  /** The player's rating before the match. */
  readonly before: number;
  /** The player's rating after the match. */
  readonly after: number;
  readonly outcome: "win" | "loss" | "draw";
}

/** A rating change. Values have one decimal. */
export interface RatingChange {
  /** The player's rating before the match. */
  readonly before: number;
  /** The player's rating after the match. */
  readonly after: number;
}

/** Newest session first. A page may be short or empty and still have a `nextCursor`. */
export interface RatingHistory {
  readonly data: readonly RatedMatch[];
  readonly nextCursor: string | null;
}

export interface Ready {
  readonly status: "ready";
}

/** A match that can be exported and verified elsewhere. */
export interface Replay {
  readonly sessionId: string;
  /** Hash of the rules' sources. Only for an operator's game. */
  readonly rulesHash?: string | undefined;
  readonly rulesVersion: number;
  readonly game: Game;
  readonly variant: string;
  readonly seats: number;
  readonly options: Readonly<Record<string, unknown>>;
  readonly players: readonly ({
    readonly id: string | null;
    readonly displayName: string | null;
    readonly seat: number;
    readonly isBot: boolean;
  })[];
  readonly fairness: Fairness;
  /** Seats in the order in which they were taken, if drawn from the seed. */
  readonly drawnSeats: readonly number[] | null;
  readonly inputs: readonly {
    readonly v: number;
    readonly at: string;
    readonly seat: number;
    readonly action: unknown;
  }[];
  /** Only for real-time games: the inputs of every seat, tick by tick. */
  readonly ticks?: readonly {
    readonly v: number;
    readonly at: string;
    /** The first tick. */
    readonly from: number;
    /** Runs: the input of each seat, then the number of ticks. */
    readonly runs: readonly (readonly number[])[];
  }[] | undefined;
  readonly controls: readonly {
    readonly v: number;
    readonly at: string;
    readonly seat: number;
    readonly kind: string;
  }[];
  /** The random values of each record, as `[below, value]`; null until the session ends. The fairness guide has the derivation. */
  readonly chance: readonly {
    readonly v: number;
    readonly draws: readonly (readonly [number, number])[];
  }[] | null;
  readonly hash: string | null;
  readonly result: Result | null;
  /** The installation's signature: Ed25519 over `matchd replay`, a line feed and the canonical JSON of all other fields. `GET /.well-known/jwks.json` has the public keys. */
  readonly signature: Signature;
}

/** `v` is the version of the first invalid record; null if no single record is invalid. An `error` that starts with `Not checked:` means that the rules version or the key of the seal is not available. */
export type ReplayCheck = {
  readonly ok: true;
  readonly records: number;
  readonly hash: string | null;
  readonly seal: Seal;
  readonly covers: Coverage;
} | {
  readonly ok: false;
  readonly v: number | null;
  readonly error: string;
  readonly seal: Seal;
  readonly covers: Coverage;
};

/** The outcome. The game adds fields of its own. */
export interface Result {
  readonly winner: string | null;
  readonly winners: readonly (string | null)[];
  readonly placements: readonly ({
    readonly playerId: string | null;
    readonly seat: number;
    readonly isBot: boolean;
    readonly place: number;
    /** Points, in games with scores. */
    readonly score?: number | undefined;
  })[];
  readonly reason: string;
  readonly durationMs: number;
  readonly moveCount: number;
  readonly [name: string]: unknown;
}

export interface ResultOk {
  readonly result: "ok";
}

/** An active match that can be watched. */
export interface Room {
  readonly sessionId: string;
  readonly game: Game;
  readonly mode: "live" | "test";
  readonly matchType: "matchmaking" | "private" | "bot" | "hosted";
  readonly variant: string;
  readonly status: "active";
  readonly seats: number;
  readonly players: readonly SeatedPlayer[];
  /** The number of watchers now. */
  readonly watchers: number;
  readonly startedAt: string;
}

export interface RoomList {
  readonly data: readonly Room[];
  readonly nextCursor: string | null;
}

export interface ScoredBot {
  readonly id: string;
  readonly game: Game;
  /** The bot's mode. Test sessions may also seat live bots. */
  readonly mode: "live" | "test";
  readonly name: string;
  readonly displayName: string;
  /** The bot's player id in sessions. */
  readonly playerId: string;
  readonly kind: "builtin" | "external";
  /** Null for external bots. */
  readonly difficulty: "easy" | "medium" | "hard" | "perfect" | null;
  readonly weight: number;
  readonly active: boolean;
  readonly createdAt: string;
  /** Results by mode and level, against all opponents. Aborted and training matches do not count. A key sees the modes that it may read. Empty until the first match. */
  readonly score: readonly BotScore[];
}

export interface Seal {
  /** `sealed`: nothing that the seal covers has changed since the end. `not_ended`: the session has not ended. `not_sealed`: it ended before this installation sealed sessions. `missing`, `changed` and `unknown_key` make `ok` false. */
  readonly state: "sealed" | "not_ended" | "not_sealed" | "missing" | "changed" | "unknown_key";
  /** The key that signed the seal. */
  readonly keyId: string | null;
}

export interface SeatedPlayer {
  readonly id: string | null;
  readonly displayName: string | null;
  readonly seat: number;
  readonly isBot: boolean;
  readonly connected: boolean;
}

export interface Series {
  /** The previous session of the series. */
  readonly rematchOf: string;
  /** The first session of the series. */
  readonly first: string;
  /** This match's number in the series. */
  readonly number: number;
  /** Earlier matches won, by seat of this one. */
  readonly wins: readonly number[];
  readonly draws: number;
}

export interface Session {
  readonly sessionId: string;
  readonly game: Game;
  readonly mode: "live" | "test" | "training";
  readonly matchType: "matchmaking" | "private" | "bot" | "hosted";
  readonly variant: string;
  readonly status: "pending" | "active" | "ended";
  readonly roomCode: string;
  readonly seats: number;
  readonly players: readonly SeatedPlayer[];
  /** When a pending session expires. */
  readonly expiresAt: string | null;
  readonly theme: Theme | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly webhooksEnabled: boolean;
  /** The first device check; in the response to a create or join, the check of that call. */
  readonly integrity: Integrity | null;
  /** All device checks of the session, oldest first. */
  readonly integrityChecks?: readonly PlayerIntegrity[] | undefined;
  readonly series?: Series | undefined;
  readonly fairness: Fairness;
  readonly result: Result | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export interface SessionList {
  readonly data: readonly Session[];
  readonly nextCursor: string | null;
}

/** Options of every session and of the game. Unknown names are refused. */
export interface SessionOptions {
  /** The time for one turn. Defaults to the game's. */
  readonly turnTimeoutMs?: number | null | undefined;
  /** A chess clock. Defaults to none. */
  readonly clock?: {
    /** The time of each seat. */
    readonly initialMs: number;
    /** The time that each move adds. */
    readonly incrementMs?: number | null | undefined;
  } | null | undefined;
  /** How long a player may be disconnected. Default: `60000`. */
  readonly disconnectGraceMs?: number | null | undefined;
  /** Whether a player who exceeds the turn time loses the match. Default: `true`. */
  readonly afk?: boolean | null | undefined;
  /** The level of bots in this session. Default: `medium`. */
  readonly botDifficulty?: "easy" | "medium" | "hard" | "perfect" | null | undefined;
  readonly [name: string]: unknown;
}

export interface SessionRequest {
  readonly game: Game;
  /** Defaults to the key's mode. */
  readonly mode?: "live" | "test" | "training" | null | undefined;
  /** Required in live and test sessions; at most as many as the game has seats. */
  readonly players?: readonly PlayerToSeat[] | null | undefined;
  /** The platform of the player's device, for the device check. */
  readonly platform?: "android" | "ios" | null | undefined;
  /** A token of the platform's device integrity API. */
  readonly integrityToken?: string | null | undefined;
  /** How open seats are filled. Default: `matchmaking`. */
  readonly matchType?: "matchmaking" | "private" | "bot" | null | undefined;
  /** The game's rule set. Defaults to its first. */
  readonly variant?: string | null | undefined;
  /** The number of seats: 2 to 4 in ludo, 2 in the other shipped games. */
  readonly seats?: number | null | undefined;
  readonly options?: SessionOptions | null | undefined;
  readonly metadata?: Metadata | null | undefined;
  readonly theme?: Theme | null | undefined;
}

/** A session, and tokens of the players named in the request. */
export interface SessionWithTokens {
  readonly sessionId: string;
  readonly game: Game;
  readonly mode: "live" | "test" | "training";
  readonly matchType: "matchmaking" | "private" | "bot" | "hosted";
  readonly variant: string;
  readonly status: "pending" | "active" | "ended";
  readonly roomCode: string;
  readonly seats: number;
  readonly players: readonly SeatedPlayer[];
  /** The first token of `tokens`. */
  readonly sessionToken: string;
  /** Tokens by player id. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Play pages by player id. */
  readonly playUrls: Readonly<Record<string, string>>;
  /** Lifetime of the tokens in seconds. */
  readonly expiresIn: number;
  /** When a pending session expires. */
  readonly expiresAt: string | null;
  readonly theme: Theme | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly webhooksEnabled: boolean;
  /** The first device check; in the response to a create or join, the check of that call. */
  readonly integrity: Integrity | null;
  /** All device checks of the session, oldest first. */
  readonly integrityChecks?: readonly PlayerIntegrity[] | undefined;
  readonly series?: Series | undefined;
  readonly fairness: Fairness;
  readonly result: Result | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export interface Settings {
  /** What happens when the players agree on a rematch. `announce`: an event is sent, and the backend creates it. `create`: the service creates it. `off`: players cannot offer a rematch. */
  readonly rematch: "announce" | "create" | "off";
}

export interface SettingsChange {
  readonly rematch?: "announce" | "create" | "off" | null | undefined;
}

export interface Signature {
  /** The `kid` of the public key that verifies it. */
  readonly keyId: string;
  readonly algorithm: "Ed25519";
  /** 64 bytes in base64url. */
  readonly value: string;
}

export interface StartMatchRequest {
  /** Promoted groups, each once, in seat order. */
  readonly groupIds: readonly string[];
  /** The game's rule set. Defaults to its first. */
  readonly variant?: string | null | undefined;
  readonly options?: SessionOptions | null | undefined;
}

/** Colours (`#rgb` or `#rrggbb`) and lengths (0 to 64 pixels) of the players' page. Absent names keep their default; unknown names are ignored. */
export interface Theme {
  /** The page background. */
  readonly background?: string | null | undefined;
  /** Cards, bars and dialogs. */
  readonly surface?: string | null | undefined;
  /** Text on background and surface. */
  readonly text?: string | null | undefined;
  /** Buttons and the seat to move. */
  readonly primary?: string | null | undefined;
  /** Selection, legal moves and the last move. */
  readonly accent?: string | null | undefined;
  /** Light squares of the board, or the whole board if it has one colour. */
  readonly boardLight?: string | null | undefined;
  /** Dark squares, lines and frame of the board. */
  readonly boardDark?: string | null | undefined;
  /** Pieces of seat 0. */
  readonly piece1?: string | null | undefined;
  /** Pieces of seat 1. */
  readonly piece2?: string | null | undefined;
  /** Pieces of seat 2. */
  readonly piece3?: string | null | undefined;
  /** Pieces of seat 3. */
  readonly piece4?: string | null | undefined;
  /** The radius of corners. */
  readonly radius?: number | string | null | undefined;
}

export interface Ticket {
  readonly ticketId: string;
  readonly game: Game;
  readonly mode: "live" | "test";
  /** In the order of being added. */
  readonly players: readonly ({
    /** Null after the player was erased. */
    readonly id: string | null;
    readonly displayName: string | null;
    /** The check of the player's device; absent without a check. */
    readonly integrity?: Integrity | undefined;
  })[];
  readonly capacity: number;
  readonly status: "forming" | "promoted" | "started" | "cancelled";
  /** Null until promoted. */
  readonly groupId: string | null;
  /** Null until started. */
  readonly sessionId: string | null;
  readonly createdAt: string;
  readonly promotedAt: string | null;
  /** The time of the start or the cancellation. */
  readonly endedAt: string | null;
}

export interface TicketList {
  /** Newest first. */
  readonly data: readonly Ticket[];
  readonly nextCursor: string | null;
}

export interface TicketMade {
  readonly ticketId: string;
}

export interface TicketPlayerAdded {
  readonly result: "ok";
  /** The device check of this call; absent if the call named no platform. */
  readonly integrity?: Integrity | undefined;
}

export interface TicketPlayerRequest {
  /** Your id of the player. */
  readonly playerId: string;
  /** The platform of the player's device, for the device check. */
  readonly platform?: "android" | "ios" | null | undefined;
  /** A token of the platform's device integrity API. */
  readonly integrityToken?: string | null | undefined;
}

export interface TriggerRequest {
  /** The type of the event. */
  readonly type: "session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended";
}

export interface Triggered {
  readonly eventId: string;
  readonly type: "session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended";
}

export interface Version {
  readonly name: "matchd";
  readonly version: string;
  readonly runtime: string;
  /** The id of this process run: `nod_…`. */
  readonly node: string;
  /** The loaded games and versions of their rules. */
  readonly games: readonly {
    readonly game: Game;
    readonly versions: readonly number[];
  }[];
}

export interface WatchToken {
  readonly token: string;
  /** Lifetime of the token in seconds. */
  readonly expiresIn: number;
  readonly socketUrl: string;
  /** The play page in watch mode. */
  readonly playUrl: string;
}

export interface Webhook {
  readonly id: string;
  readonly mode: "live" | "test";
  readonly url: string;
  /** Subscribed event types. Empty: all except `move.made`, `key.alert` and `audit.anchored`. */
  readonly events: readonly ("session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended")[];
  readonly description: string;
  readonly active: boolean;
  readonly disabledReason: "paused" | "gone" | "failing" | null;
  /** The first failure since the last success; null without failures. */
  readonly failingSince: string | null;
  readonly createdAt: string;
}

export interface WebhookBacklog {
  /** Events waiting for delivery. */
  readonly events: number;
  /** Whether there are more events than counted. */
  readonly isMore: boolean;
  /** The time of the oldest waiting event. */
  readonly oldestAt: string | null;
  /** The time of the next planned retry, or of the response if one is due; null for none. */
  readonly nextAttemptAt: string | null;
}

/** Missing fields stay unchanged. */
export interface WebhookChange {
  readonly url?: string | null | undefined;
  readonly events?: readonly ("session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended")[] | null | undefined;
  readonly description?: string | null | undefined;
  /** An enabled webhook receives events from that moment on. */
  readonly active?: boolean | null | undefined;
}

export interface WebhookDeleted {
  readonly deleted: true;
}

/** One delivery attempt. */
export interface WebhookDelivery {
  readonly eventId: string;
  /** The event's type, or `webhook.test`. */
  readonly type: string;
  readonly sessionId: string | null;
  readonly attempt: number;
  readonly at: string;
  readonly durationMs: number;
  /** The status of the endpoint's response; null without a response. */
  readonly status: number | null;
  /** An error code; null if delivered. */
  readonly error: string | null;
  /** The time of the next retry; null when it has passed, or without a retry. */
  readonly nextAttemptAt: string | null;
  /** `retried`: failed, with a retry. `given_up`: failed, without another retry. */
  readonly outcome: "delivered" | "retried" | "given_up";
  /** The start of an unsuccessful response: up to 1 KiB of text without secrets, stored for 7 days. */
  readonly response: string | null;
}

export interface WebhookDeliveryDetails {
  readonly eventId: string;
  /** The event as it is sent now, without erased players. Null for a `webhook.test`, and after the event was deleted. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  /** All delivery attempts, newest first. */
  readonly attempts: readonly WebhookDelivery[];
}

export interface WebhookDeliveryList {
  readonly data: readonly WebhookDelivery[];
  readonly nextCursor: string | null;
}

export interface WebhookDeliveryResent {
  readonly eventId: string;
  readonly delivered: boolean;
  /** The status of the endpoint's response; null without a response. */
  readonly status: number | null;
  /** An error code; null if delivered. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface WebhookDetails {
  readonly id: string;
  readonly mode: "live" | "test";
  readonly url: string;
  /** Subscribed event types. Empty: all except `move.made`, `key.alert` and `audit.anchored`. */
  readonly events: readonly ("session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended")[];
  readonly description: string;
  readonly active: boolean;
  readonly disabledReason: "paused" | "gone" | "failing" | null;
  /** The first failure since the last success; null without failures. */
  readonly failingSince: string | null;
  readonly createdAt: string;
  readonly backlog: WebhookBacklog;
  /** Until when the previous secret also signs; null without an overlap. */
  readonly previousSecretExpiresAt: string | null;
}

export interface WebhookList {
  readonly data: readonly Webhook[];
  readonly nextCursor: string | null;
}

export interface WebhookRequest {
  /** The endpoint's URL: https on port 443 or 8443 of a public host. */
  readonly url: string;
  readonly events?: readonly ("session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended")[] | null | undefined;
  readonly description?: string | null | undefined;
  /** The mode of its events. Defaults to the key's mode. */
  readonly mode?: "live" | "test" | null | undefined;
}

export interface WebhookRotated {
  readonly id: string;
  readonly mode: "live" | "test";
  readonly url: string;
  /** Subscribed event types. Empty: all except `move.made`, `key.alert` and `audit.anchored`. */
  readonly events: readonly ("session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended")[];
  readonly description: string;
  readonly active: boolean;
  readonly disabledReason: "paused" | "gone" | "failing" | null;
  /** The first failure since the last success; null without failures. */
  readonly failingSince: string | null;
  readonly createdAt: string;
  /** The signing secret. Shown only once; blank in stored responses. */
  readonly secret: string;
  readonly previousSecretExpiresAt: string;
}

export interface WebhookRotation {
  /** How long the previous secret also signs. Default: `86400`. */
  readonly overlapSeconds?: number | null | undefined;
}

export interface WebhookTested {
  readonly eventId: string;
  readonly delivered: boolean;
  /** The status of the endpoint's response; null without a response. */
  readonly status: number | null;
  /** An error code; null if delivered. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface WebhookWithSecret {
  readonly id: string;
  readonly mode: "live" | "test";
  readonly url: string;
  /** Subscribed event types. Empty: all except `move.made`, `key.alert` and `audit.anchored`. */
  readonly events: readonly ("session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended")[];
  readonly description: string;
  readonly active: boolean;
  readonly disabledReason: "paused" | "gone" | "failing" | null;
  /** The first failure since the last success; null without failures. */
  readonly failingSince: string | null;
  readonly createdAt: string;
  /** The signing secret. Shown only once; blank in stored responses. */
  readonly secret: string;
}

export interface Whoami {
  readonly tenant: {
    readonly id: string;
    readonly slug: string;
    readonly name: string;
  };
  readonly key: {
    readonly id: string;
    readonly name: string;
    readonly hint: string;
    /** The key's scopes; `*` alone for an unrestricted key. */
    readonly scopes: readonly string[];
    readonly createdAt: string;
    readonly expiresAt: string | null;
  };
  readonly mode: "live" | "test";
  readonly plan: "starter" | "growth" | "pro" | "enterprise";
  readonly limits: {
    readonly requestsPerMinute: number;
    readonly sessionsPerMonth: number | null;
    readonly openSessions: number;
    readonly sockets: number;
    readonly openTickets: number;
    readonly webhooks: number;
    readonly webhookRetries: number;
    readonly eventStreams: number;
    readonly retentionDays: number;
  };
  readonly origins: readonly string[];
  readonly requireOrigin: boolean;
}

/** Errors by name: what `X-Error-Code` says. */
export type ErrorCode =
  | 'ambiguous_move'
  | 'bad_action'
  | 'body_not_object'
  | 'body_too_deep'
  | 'body_too_large'
  | 'body_too_slow'
  | 'bot_inactive'
  | 'bot_limit_reached'
  | 'bot_not_external'
  | 'bot_not_found'
  | 'bot_not_seated'
  | 'bot_of_other_game'
  | 'bot_of_other_mode'
  | 'bot_player_taken'
  | 'busy'
  | 'credential_field_required'
  | 'credential_not_found'
  | 'delivery_not_found'
  | 'duplicate_groups'
  | 'event_not_found'
  | 'event_streams_exceeded'
  | 'field_required'
  | 'group_not_found'
  | 'group_started'
  | 'id_reused'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'illegal_move'
  | 'internal_error'
  | 'invalid_api_key'
  | 'invalid_choice'
  | 'invalid_field'
  | 'invalid_json'
  | 'invalid_match_type'
  | 'invalid_variant'
  | 'method_not_allowed'
  | 'missing_authorization'
  | 'no_active_bots'
  | 'no_rematch'
  | 'not_found'
  | 'not_ready'
  | 'not_your_turn'
  | 'open_sessions_exceeded'
  | 'open_tickets_exceeded'
  | 'origin_not_allowed'
  | 'player_absent'
  | 'player_count'
  | 'player_in_session'
  | 'player_in_ticket'
  | 'player_not_connected'
  | 'player_not_found'
  | 'player_not_in_ticket'
  | 'player_not_seated'
  | 'players_required'
  | 'rate_limited'
  | 'room_code_invalid'
  | 'room_full'
  | 'scope_missing'
  | 'session_ended'
  | 'session_not_active'
  | 'session_not_ended'
  | 'session_not_found'
  | 'session_not_pending'
  | 'session_quota_exceeded'
  | 'test_key_live_bot'
  | 'test_key_live_integrity'
  | 'test_key_live_session'
  | 'test_key_live_webhook'
  | 'test_key_required'
  | 'ticket_full'
  | 'ticket_not_forming'
  | 'ticket_not_found'
  | 'too_many_players'
  | 'unavailable'
  | 'unsupported_media_type'
  | 'webhook_not_found'
  | 'webhooks_exceeded';

/** What each operation takes and answers. */
export interface Operations {
  /** List games. */
  readonly listGames: {
    readonly path: null;
    readonly query: null;
    readonly body: null;
    readonly answer: GameList;
  };
  /** Create a session. */
  readonly createSession: {
    readonly path: null;
    readonly query: null;
    readonly body: SessionRequest;
    readonly answer: SessionWithTokens;
  };
  /** List sessions. */
  readonly listSessions: {
    readonly path: null;
    readonly query: {
      /** Only sessions of this game. */
      readonly game?: Game | undefined;
      /** Only sessions of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | "training" | undefined;
      /** Only sessions in this state. */
      readonly status?: "pending" | "active" | "ended" | undefined;
      /** Only sessions in which this player has a seat. */
      readonly player?: string | undefined;
      /** Only sessions with this metadata value: `metadata[orderId]=77`. One key per request. */
      readonly metadata?: Readonly<Record<string, string>> | undefined;
      /** Only sessions created at or after this time. */
      readonly createdFrom?: string | undefined;
      /** Only sessions created before this time. */
      readonly createdTo?: string | undefined;
      /** The maximum number of items on a page. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: SessionList;
  };
  /** Join a session by room code. */
  readonly joinSession: {
    readonly path: null;
    readonly query: null;
    readonly body: JoinRequest;
    readonly answer: SessionWithTokens;
  };
  /** Retrieve a session. */
  readonly getSession: {
    readonly path: {
      /** The session's id. */
      readonly id: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: Session;
  };
  /** End a session. */
  readonly endSession: {
    readonly path: {
      /** The session's id. */
      readonly id: string;
    };
    readonly query: null;
    readonly body: EndRequest;
    readonly answer: Session;
  };
  /** Create a rematch. */
  readonly makeRematch: {
    readonly path: {
      /** The session's id. */
      readonly id: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: SessionWithTokens;
  };
  /** Remove a player from a pending session. */
  readonly removeSessionPlayer: {
    readonly path: {
      /** The session's id. */
      readonly id: string;
      /** Your id of the player. */
      readonly playerId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: Session;
  };
  /** Create a token for a seated player. */
  readonly makeSessionToken: {
    readonly path: {
      /** The session's id. */
      readonly id: string;
      /** Your id of the player. */
      readonly playerId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: PlayerToken;
  };
  /** Download the replay. */
  readonly getReplay: {
    readonly path: {
      /** The session's id. */
      readonly id: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: Replay;
  };
  /** Verify the match. */
  readonly verifySession: {
    readonly path: {
      /** The session's id. */
      readonly id: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: ReplayCheck;
  };
  /** List sessions that can be watched. */
  readonly listRooms: {
    readonly path: null;
    readonly query: {
      /** Only rooms of this game. */
      readonly game?: Game | undefined;
      /** Only rooms of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
      /** The maximum number of items on a page. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: RoomList;
  };
  /** Create a token to watch a session. */
  readonly watchSession: {
    readonly path: {
      /** The session's id. */
      readonly id: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: WatchToken;
  };
  /** Create a bot. */
  readonly createBot: {
    readonly path: null;
    readonly query: null;
    readonly body: BotRequest;
    readonly answer: Bot;
  };
  /** List bots. */
  readonly listBots: {
    readonly path: null;
    readonly query: {
      /** Only bots of this mode. Defaults to the key's mode. A test key may read live bots. */
      readonly mode?: "live" | "test" | undefined;
      /** Only bots of this game. */
      readonly game?: Game | undefined;
      /** Only active bots, which get new seats, or only inactive ones. */
      readonly active?: boolean | undefined;
      /** The maximum number of items on a page. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: BotList;
  };
  /** Retrieve a bot. */
  readonly getBot: {
    readonly path: {
      /** The bot's id. */
      readonly botId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: ScoredBot;
  };
  /** Update a bot. */
  readonly updateBot: {
    readonly path: {
      /** The bot's id. */
      readonly botId: string;
    };
    readonly query: null;
    readonly body: BotChange;
    readonly answer: Bot;
  };
  /** Delete a bot. */
  readonly deleteBot: {
    readonly path: {
      /** The bot's id. */
      readonly botId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: BotDeleted;
  };
  /** Create a token for an external bot. */
  readonly makeBotToken: {
    readonly path: {
      /** The bot's id. */
      readonly botId: string;
    };
    readonly query: {
      /** Only sessions of this mode. Defaults to the bot's mode. */
      readonly mode?: "live" | "test" | undefined;
    };
    readonly body: null;
    readonly answer: BotToken;
  };
  /** Stream the sessions of an external bot. */
  readonly streamBot: {
    readonly path: {
      /** The bot's id. */
      readonly botId: string;
    };
    readonly query: {
      /** Only sessions of this mode. Defaults to the mode of the bot or the token. */
      readonly mode?: "live" | "test" | undefined;
    };
    readonly body: null;
    readonly answer: BotStream;
  };
  /** Add a bot to a pending session. */
  readonly injectBot: {
    readonly path: {
      /** The session's id. */
      readonly id: string;
    };
    readonly query: null;
    readonly body: BotSeatRequest;
    readonly answer: BotSeated;
  };
  /** Submit an action of an external bot. */
  readonly actAsBot: {
    readonly path: {
      /** The session's id. */
      readonly id: string;
    };
    readonly query: null;
    readonly body: BotActionRequest;
    readonly answer: BotAck;
  };
  /** Create a ticket. */
  readonly createTicket: {
    readonly path: null;
    readonly query: {
      readonly game: Game;
      /** The number of players, from 1 to the game's seats. Defaults to the game's seats. */
      readonly capacity?: number | undefined;
    };
    readonly body: null;
    readonly answer: TicketMade;
  };
  /** List tickets. */
  readonly listTickets: {
    readonly path: null;
    readonly query: {
      readonly game: Game;
      /** Only tickets in this state. */
      readonly status?: "forming" | "promoted" | "started" | "cancelled" | undefined;
      /** Only tickets that hold this player. */
      readonly player?: string | undefined;
      /** The maximum number of items on a page. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: TicketList;
  };
  /** Retrieve a ticket. */
  readonly getTicket: {
    readonly path: {
      /** The ticket's id. */
      readonly ticketId: string;
    };
    readonly query: {
      readonly game: Game;
    };
    readonly body: null;
    readonly answer: Ticket;
  };
  /** Cancel a forming ticket. */
  readonly cancelTicket: {
    readonly path: {
      /** The ticket's id. */
      readonly ticketId: string;
    };
    readonly query: {
      readonly game: Game;
    };
    readonly body: null;
    readonly answer: ResultOk;
  };
  /** Add a connected player to a ticket. */
  readonly addTicketPlayer: {
    readonly path: {
      /** The ticket's id. */
      readonly ticketId: string;
    };
    readonly query: {
      readonly game: Game;
    };
    readonly body: TicketPlayerRequest;
    readonly answer: TicketPlayerAdded;
  };
  /** Remove a player from a forming ticket. */
  readonly removeTicketPlayer: {
    readonly path: {
      /** The ticket's id. */
      readonly ticketId: string;
      /** Your id of the player. */
      readonly playerId: string;
    };
    readonly query: {
      readonly game: Game;
    };
    readonly body: null;
    readonly answer: ResultOk;
  };
  /** Promote a ticket to a group. */
  readonly promoteTicket: {
    readonly path: {
      /** The ticket's id. */
      readonly ticketId: string;
    };
    readonly query: {
      readonly game: Game;
    };
    readonly body: null;
    readonly answer: Promoted;
  };
  /** List groups in the pool. */
  readonly listPool: {
    readonly path: null;
    readonly query: {
      readonly game: Game;
      /** The maximum number of items on a page. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: Pool;
  };
  /** Cancel a group. */
  readonly cancelGroup: {
    readonly path: {
      /** The group's id. */
      readonly groupId: string;
    };
    readonly query: {
      readonly game: Game;
    };
    readonly body: null;
    readonly answer: ResultOk;
  };
  /** Start a match from groups. */
  readonly startMatch: {
    readonly path: null;
    readonly query: {
      readonly game: Game;
      /** Refuse the start unless every player is connected. */
      readonly requireConnected?: boolean | undefined;
    };
    readonly body: StartMatchRequest;
    readonly answer: MatchStartedBefore | MatchStarted;
  };
  /** Create a token for a player's lobby. */
  readonly makeLobbyToken: {
    readonly path: {
      /** Your id of the player. */
      readonly playerId: string;
    };
    readonly query: null;
    readonly body: LobbyRequest;
    readonly answer: LobbyToken;
  };
  /** Erase a player. */
  readonly erasePlayer: {
    readonly path: {
      /** Your id of the player. */
      readonly playerId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: PlayerErased;
  };
  /** Retrieve a player. */
  readonly getPlayer: {
    readonly path: {
      /** Your id of the player. */
      readonly playerId: string;
    };
    readonly query: {
      /** Only ratings of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
    };
    readonly body: null;
    readonly answer: Player;
  };
  /** Export a player's data. */
  readonly exportPlayer: {
    readonly path: {
      /** Your id of the player. */
      readonly playerId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: PlayerExport;
  };
  /** List a player's rated matches of a game. */
  readonly listRatingHistory: {
    readonly path: {
      /** Your id of the player. */
      readonly playerId: string;
    };
    readonly query: {
      readonly game: Game;
      /** The player of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
      /** The maximum number of items on a page. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: RatingHistory;
  };
  /** List a game's leaderboard. */
  readonly listLeaders: {
    readonly path: null;
    readonly query: {
      readonly game: Game;
      /** The board of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
      /** The maximum number of items on a page. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: LeaderList;
  };
  /** Create or replace a platform's credential. */
  readonly putIntegrity: {
    readonly path: null;
    readonly query: null;
    readonly body: IntegrityRequest;
    readonly answer: IntegrityCredential;
  };
  /** List credentials. */
  readonly listIntegrity: {
    readonly path: null;
    readonly query: {
      /** Only credentials of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
    };
    readonly body: null;
    readonly answer: IntegrityCredentialList;
  };
  /** Create a challenge for a device. */
  readonly makeChallenge: {
    readonly path: null;
    readonly query: null;
    readonly body: ChallengeRequest;
    readonly answer: IntegrityChallenge;
  };
  /** Delete a platform's credential. */
  readonly removeIntegrity: {
    readonly path: {
      /** The platform whose devices are checked. */
      readonly platform: "android" | "ios";
    };
    readonly query: {
      /** Only credentials of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
    };
    readonly body: null;
    readonly answer: IntegrityCredentialRemoved;
  };
  /** Retrieve the settings. */
  readonly getSettings: {
    readonly path: null;
    readonly query: null;
    readonly body: null;
    readonly answer: Settings;
  };
  /** Update the settings. */
  readonly updateSettings: {
    readonly path: null;
    readonly query: null;
    readonly body: SettingsChange;
    readonly answer: Settings;
  };
  /** List events. */
  readonly listEvents: {
    readonly path: null;
    readonly query: {
      /** Only events after the one with this id. */
      readonly after?: string | undefined;
      /** Only events of these types, separated by commas. */
      readonly types?: string | undefined;
      /** Only events of this session. */
      readonly sessionId?: string | undefined;
      /** Only events of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
      /** The maximum number of items on a page. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the previous page. Takes precedence over `after`. */
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: {
      readonly data: readonly AnyEvent[];
      /** The cursor of the next page; null if there is none yet. */
      readonly nextCursor: string | null;
    };
  };
  /** Stream events. */
  readonly streamEvents: {
    readonly path: null;
    readonly query: {
      /** Start after the event with this id. The header `Last-Event-ID` takes precedence. */
      readonly after?: string | undefined;
      /** Only events of these types, separated by commas. */
      readonly types?: string | undefined;
      /** Only events of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
    };
    readonly body: null;
    readonly answer: string;
  };
  /** Create a webhook. */
  readonly createWebhook: {
    readonly path: null;
    readonly query: null;
    readonly body: WebhookRequest;
    readonly answer: WebhookWithSecret;
  };
  /** List webhooks. */
  readonly listWebhooks: {
    readonly path: null;
    readonly query: {
      /** Only webhooks of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
      /** The maximum number of items on a page. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: WebhookList;
  };
  /** Retrieve a webhook. */
  readonly getWebhook: {
    readonly path: {
      /** The webhook's id. */
      readonly webhookId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: WebhookDetails;
  };
  /** Update a webhook. */
  readonly updateWebhook: {
    readonly path: {
      /** The webhook's id. */
      readonly webhookId: string;
    };
    readonly query: null;
    readonly body: WebhookChange;
    readonly answer: Webhook;
  };
  /** Delete a webhook. */
  readonly deleteWebhook: {
    readonly path: {
      /** The webhook's id. */
      readonly webhookId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: WebhookDeleted;
  };
  /** Rotate a webhook's signing secret. */
  readonly rotateWebhook: {
    readonly path: {
      /** The webhook's id. */
      readonly webhookId: string;
    };
    readonly query: null;
    readonly body: WebhookRotation;
    readonly answer: WebhookRotated;
  };
  /** Send a test event to a webhook. */
  readonly testWebhook: {
    readonly path: {
      /** The webhook's id. */
      readonly webhookId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: WebhookTested;
  };
  /** List recent deliveries. */
  readonly listDeliveries: {
    readonly path: {
      /** The webhook's id. */
      readonly webhookId: string;
    };
    readonly query: {
      /** The maximum number of items on a page. */
      readonly limit?: number | undefined;
      /** `nextCursor` of the previous page. */
      readonly cursor?: string | undefined;
    };
    readonly body: null;
    readonly answer: WebhookDeliveryList;
  };
  /** Retrieve a delivery: its payload and every attempt. */
  readonly getDelivery: {
    readonly path: {
      /** The webhook's id. */
      readonly webhookId: string;
      /** The event's id. */
      readonly eventId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: WebhookDeliveryDetails;
  };
  /** Send an event to a webhook once more. */
  readonly resendDelivery: {
    readonly path: {
      /** The webhook's id. */
      readonly webhookId: string;
      /** The event's id. */
      readonly eventId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: WebhookDeliveryResent;
  };
  /** Trigger a test event. */
  readonly triggerEvent: {
    readonly path: null;
    readonly query: null;
    readonly body: TriggerRequest;
    readonly answer: Triggered;
  };
  /** Retrieve the metrics and anomalies of a window. */
  readonly getMetricSummary: {
    readonly path: null;
    readonly query: {
      /** The length of the window, up to now. */
      readonly window?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** Only metrics of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
    };
    readonly body: null;
    readonly answer: MetricSummary;
  };
  /** Retrieve the metrics of a window as a time series. */
  readonly getMetricSeries: {
    readonly path: null;
    readonly query: {
      /** The length of the window, up to now. */
      readonly window?: "1h" | "24h" | "7d" | "30d" | undefined;
      /** The length of a step: `1m` or `10m` for `1h`; `10m` or `1h` for `24h`; `1h` or `1d` for `7d`; `1d` for `30d`. Defaults to the shortest one. */
      readonly step?: "1m" | "10m" | "1h" | "1d" | undefined;
      /** Only metrics of this mode. Defaults to the key's mode. */
      readonly mode?: "live" | "test" | undefined;
    };
    readonly body: null;
    readonly answer: MetricSeries;
  };
  /** Retrieve the current key. */
  readonly whoami: {
    readonly path: null;
    readonly query: null;
    readonly body: null;
    readonly answer: Whoami;
  };
  /** Check liveness. */
  readonly health: {
    readonly path: null;
    readonly query: null;
    readonly body: null;
    readonly answer: Health;
  };
  /** Check readiness. */
  readonly ready: {
    readonly path: null;
    readonly query: null;
    readonly body: null;
    readonly answer: Ready;
  };
  /** Retrieve the version. */
  readonly version: {
    readonly path: null;
    readonly query: null;
    readonly body: null;
    readonly answer: Version;
  };
  /** List the public keys that verify replay signatures. */
  readonly listPublicKeys: {
    readonly path: null;
    readonly query: null;
    readonly body: null;
    readonly answer: PublicKeys;
  };
}

/** Method and path of each operation. */
export const OPERATIONS = {
  listGames: 'GET /v1/games',
  createSession: 'POST /v1/sessions',
  listSessions: 'GET /v1/sessions',
  joinSession: 'POST /v1/sessions/join',
  getSession: 'GET /v1/sessions/{id}',
  endSession: 'POST /v1/sessions/{id}/end',
  makeRematch: 'POST /v1/sessions/{id}/rematch',
  removeSessionPlayer: 'DELETE /v1/sessions/{id}/players/{playerId}',
  makeSessionToken: 'POST /v1/sessions/{id}/players/{playerId}/token',
  getReplay: 'GET /v1/sessions/{id}/replay',
  verifySession: 'POST /v1/sessions/{id}/verify',
  listRooms: 'GET /v1/rooms',
  watchSession: 'POST /v1/sessions/{id}/watch',
  createBot: 'POST /v1/bots',
  listBots: 'GET /v1/bots',
  getBot: 'GET /v1/bots/{botId}',
  updateBot: 'PATCH /v1/bots/{botId}',
  deleteBot: 'DELETE /v1/bots/{botId}',
  makeBotToken: 'POST /v1/bots/{botId}/token',
  streamBot: 'GET /v1/bots/{botId}/stream',
  injectBot: 'POST /v1/sessions/{id}/bots',
  actAsBot: 'POST /v1/sessions/{id}/actions',
  createTicket: 'POST /matchmaking/hosted/ticket',
  listTickets: 'GET /matchmaking/hosted/ticket',
  getTicket: 'GET /matchmaking/hosted/ticket/{ticketId}',
  cancelTicket: 'DELETE /matchmaking/hosted/ticket/{ticketId}',
  addTicketPlayer: 'POST /matchmaking/hosted/ticket/{ticketId}/players',
  removeTicketPlayer: 'DELETE /matchmaking/hosted/ticket/{ticketId}/players/{playerId}',
  promoteTicket: 'POST /matchmaking/hosted/ticket/{ticketId}/promote',
  listPool: 'GET /matchmaking/hosted/pool',
  cancelGroup: 'DELETE /matchmaking/hosted/groups/{groupId}',
  startMatch: 'POST /matchmaking/hosted/start-match',
  makeLobbyToken: 'POST /v1/players/{playerId}/token',
  erasePlayer: 'DELETE /v1/players/{playerId}',
  getPlayer: 'GET /v1/players/{playerId}',
  exportPlayer: 'GET /v1/players/{playerId}/export',
  listRatingHistory: 'GET /v1/players/{playerId}/rating-history',
  listLeaders: 'GET /v1/leaderboards',
  putIntegrity: 'PUT /v1/integrity',
  listIntegrity: 'GET /v1/integrity',
  makeChallenge: 'POST /v1/integrity/challenge',
  removeIntegrity: 'DELETE /v1/integrity/{platform}',
  getSettings: 'GET /v1/settings',
  updateSettings: 'PATCH /v1/settings',
  listEvents: 'GET /v1/events',
  streamEvents: 'GET /v1/events/stream',
  createWebhook: 'POST /v1/webhooks',
  listWebhooks: 'GET /v1/webhooks',
  getWebhook: 'GET /v1/webhooks/{webhookId}',
  updateWebhook: 'PATCH /v1/webhooks/{webhookId}',
  deleteWebhook: 'DELETE /v1/webhooks/{webhookId}',
  rotateWebhook: 'POST /v1/webhooks/{webhookId}/rotate',
  testWebhook: 'POST /v1/webhooks/{webhookId}/test',
  listDeliveries: 'GET /v1/webhooks/{webhookId}/deliveries',
  getDelivery: 'GET /v1/webhooks/{webhookId}/deliveries/{eventId}',
  resendDelivery: 'POST /v1/webhooks/{webhookId}/deliveries/{eventId}/resend',
  triggerEvent: 'POST /v1/events/trigger',
  getMetricSummary: 'GET /v1/metrics/summary',
  getMetricSeries: 'GET /v1/metrics/series',
  whoami: 'GET /v1/whoami',
  health: 'GET /healthz',
  ready: 'GET /readyz',
  version: 'GET /version',
  listPublicKeys: 'GET /.well-known/jwks.json',
} as const;
