/** What requests and answers hold. Made by scripts/generate.ts: not to be changed by hand. */
// @table

import type { Game } from './games.ts';

export interface AndroidCredential {
  /** The app's id. */
  readonly packageName: string;
  /** Number of the Google Cloud project that asks for and decodes the tokens. */
  readonly googleCloudProjectNumber: string;
}

export interface Anomaly {
  readonly kind: "webhook_disabled" | "webhook_failing" | "server_errors" | "refused_requests" | "limited_requests" | "slow_moves" | "month_sessions" | "open_sessions";
  readonly severity: "critical" | "warning";
  /** In words, in English. */
  readonly message: string;
  /** When it began, as far as is known. */
  readonly since: string | null;
  /** By kind: percent (`server_errors`, `refused_requests`, `month_sessions`, `open_sessions`), a count (`limited_requests`) or milliseconds (`slow_moves`). Null otherwise. */
  readonly value: number | null;
  /** Where to look: a webhook by its id, or a list. */
  readonly target: {
    readonly type: "webhook" | "requests" | "sessions" | "usage";
    readonly id: string | null;
  };
}

export interface Bot {
  readonly id: string;
  readonly game: Game;
  /** The world it belongs to. Test sessions seat live bots, too. */
  readonly mode: "live" | "test";
  readonly name: string;
  readonly displayName: string;
  /** Under which it sits in sessions. */
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
  /** Version of the record that the action became. */
  readonly v: number;
}

export interface BotActionRequest {
  /** Which bot acts. Required with a key; a bot's token says it by itself. */
  readonly botId?: string | null | undefined;
  /** Your own for this action: sent again, it has no second effect. */
  readonly id: string;
  /** An action of the game, as on its players' socket. */
  readonly action: unknown;
}

export interface BotChange {
  readonly name?: string | null | undefined;
  readonly displayName?: string | null | undefined;
  readonly difficulty?: "easy" | "medium" | "hard" | "perfect" | null | undefined;
  readonly weight?: number | null | undefined;
  /** An inactive bot gets no new seats and keeps those it has. */
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
  /** The world it belongs to; by default the mode of the key. */
  readonly mode?: "live" | "test" | null | undefined;
  /** The tenant's own name for it. */
  readonly name: string;
  readonly displayName?: string | null | undefined;
  readonly playerId?: string | null | undefined;
  /** `builtin` is played by the service, `external` by a program of yours. */
  readonly kind: "builtin" | "external";
  readonly difficulty?: "easy" | "medium" | "hard" | "perfect" | null | undefined;
  readonly weight?: number | null | undefined;
}

export interface BotScore {
  /** Of which sessions. */
  readonly mode: "live" | "test";
  /** At which level it played them; null for external bots. */
  readonly difficulty: "easy" | "medium" | "hard" | "perfect" | null;
  readonly matches: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

export interface BotSeatRequest {
  /** Which bot; without it one is picked by weight among the active ones. */
  readonly botId?: string | null | undefined;
}

export interface BotSeated {
  readonly bot: Bot;
  readonly session: Session;
}

/** One JSON object a line, for as long as it stays open; blank lines while nothing happens. The first, `{ t: "welcome", bot, sessions, states }`, has the whole state of every session in which the bot sits; then come the frames that a socket is sent. */
export type BotStream = string;

export interface BotToken {
  readonly token: string;
  /** Life of the token in seconds. */
  readonly expiresIn: number;
  readonly socketUrl: string;
  readonly streamUrl: string;
}

export interface ChallengeRequest {
  /** The world it is for; by default the mode of the key. */
  readonly mode?: "live" | "test" | null | undefined;
  /** Of the devices to be checked. */
  readonly platform: "android" | "ios";
}

/** What the answer rests on, in words for people to read. */
export interface Coverage {
  /** Redone by the rules and the seed. */
  readonly rules: readonly string[];
  /** Compared with the seal that was signed at the end. */
  readonly signature: readonly string[];
  /** Could have been changed unseen. */
  readonly notCovered: readonly string[];
}

export interface EndRequest {
  /** A note of your own; the result says `aborted` in any case. */
  readonly reason?: string | null | undefined;
}

export interface AnyEvent {
  /** The same in every delivery. */
  readonly id: string;
  readonly type: "session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended";
  readonly sessionId?: string | undefined;
  readonly mode: "live" | "test" | "training";
  /** Its place in the log of its tenant and mode, counted without a gap. */
  readonly seq: number;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface ExportedRating {
  /** By Glicko-2; everybody begins with 1500. */
  readonly rating: number;
  /** How unsure the rating is, as of now. */
  readonly deviation: number;
  /** Matches that counted. */
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
  /** Null until the end. */
  readonly seed: string | null;
  /** What the players added, as one text. */
  readonly entropy: string;
}

export interface GameInfo {
  readonly game: Game;
  /** False for an operator's own game. */
  readonly isShipped: boolean;
  /** Of the rules that new sessions take. */
  readonly rulesVersion: number;
  /** Hash of the sources, of an operator's game; null of a shipped one. */
  readonly rulesHash: string | null;
  /** All rules that are loaded; the last are those of new sessions. */
  readonly versions: readonly ({
    readonly rulesVersion: number;
    /** Hash of the sources, of an operator's game; null of a shipped one. */
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
  /** The game's own options; those of every game are not among them. */
  readonly options: Readonly<Record<string, OptionSpec>>;
  /** Where a session names none. */
  readonly turnTimeoutMs: number;
  /** Of a game that runs by the clock; null for a game of turns. */
  readonly ticksPerSecond: number | null;
  /** Several seats act at the same time. */
  readonly isSimultaneous: boolean;
  /** All players see the same. */
  readonly openInformation: boolean;
  readonly drawOffers: boolean;
  /** The service can play its seats. */
  readonly hasBot: boolean;
  /** Calls of an operator's rules that took longer than 50 ms, on the server that answers; null when the last hour had none. */
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
  /** In the order in which they were added. */
  readonly players: readonly ({
    /** Null once the player was erased. */
    readonly id: string | null;
    readonly displayName: string | null;
    /** What the check of the player's device found; absent when there was none. */
    readonly integrity?: Integrity | undefined;
  })[];
  readonly capacity: number;
  readonly status: "promoted" | "started";
  readonly promotedAt: string;
}

export interface Health {
  readonly status: "ok";
}

/** What the check of a device found. */
export interface Integrity {
  readonly platform: "android" | "ios";
  /** `failed`: judged and not good; `error`: it could not be judged; `skipped`: nothing to judge. */
  readonly status: "passed" | "failed" | "error" | "skipped";
  /** On android. True: Google does not vouch for the device. Null: no statement. */
  readonly rooted?: boolean | null | undefined;
  /** On ios. True: the proof was tampered with. Null: no statement. */
  readonly jailbroken?: boolean | null | undefined;
  /** For programs; empty when all is well. */
  readonly reasons: readonly string[];
  /** What ties the token to this request. */
  readonly bound: "challenge" | "request" | "none";
  /** What the platform said beside it. */
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly checkedAt: string;
  readonly latencyMs: number;
}

export interface IntegrityChallenge {
  /** To be bound into one token of one device: 43 characters of base64url. */
  readonly challenge: string;
  readonly expiresAt: string;
}

export interface IntegrityCredential {
  /** The world that it is registered in. */
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
  /** The world it is for; by default the mode of the key. */
  readonly mode?: "live" | "test" | null | undefined;
  /** Of the devices to be checked. */
  readonly platform: "android" | "ios";
  readonly credential: AndroidCredential | IosCredential;
}

export interface IosCredential {
  /** The app's bundle identifier. */
  readonly bundleId: string;
  /** Apple's id of the developer team. */
  readonly teamId: string;
}

export interface JoinRequest {
  readonly game: Game;
  /** The room's mode, by default that of the key. */
  readonly mode?: "live" | "test" | "training" | null | undefined;
  /** As shown with the session; case and spaces do not matter. */
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
  /** By Glicko-2; everybody begins with 1500. */
  readonly rating: number;
  /** How unsure the rating is, as of now. */
  readonly deviation: number;
  /** Matches that counted. */
  readonly games: number;
}

/** The highest rating first. */
export interface LeaderList {
  readonly data: readonly Leader[];
  readonly nextCursor: string | null;
}

/** What the check of a lobby token's device found. */
export interface LobbyIntegrity {
  readonly mode: "live" | "test";
  readonly platform: "android" | "ios";
  /** `failed`: judged and not good; `error`: it could not be judged; `skipped`: nothing to judge. */
  readonly status: "passed" | "failed" | "error" | "skipped";
  /** On android. True: Google does not vouch for the device. Null: no statement. */
  readonly rooted?: boolean | null | undefined;
  /** On ios. True: the proof was tampered with. Null: no statement. */
  readonly jailbroken?: boolean | null | undefined;
  /** For programs; empty when all is well. */
  readonly reasons: readonly string[];
  /** What ties the token to this request. */
  readonly bound: "challenge" | "request" | "none";
  /** What the platform said beside it. */
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
  /** What the check of this call found; absent when it named no platform. */
  readonly integrity?: Integrity | undefined;
}

/** The session, which is active, and its groups. */
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
  /** The first of the tokens. */
  readonly sessionToken: string;
  /** Each player's token, by id. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Each player's page, by id. */
  readonly playUrls: Readonly<Record<string, string>>;
  /** Life of the tokens in seconds. */
  readonly expiresIn: number;
  /** When a pending session expires. */
  readonly expiresAt: string | null;
  readonly theme: Theme | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly webhooksEnabled: boolean;
  /** The first check; in answers to a create or a checked join its own. */
  readonly integrity: Integrity | null;
  /** All checks, in the order in which they came to the session. */
  readonly integrityChecks?: readonly PlayerIntegrity[] | undefined;
  readonly series?: Series | undefined;
  readonly fairness: Fairness;
  readonly result: Result | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** What the match was made of. */
  readonly groups: readonly Group[];
}

/** The session as it now is, and its groups. */
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
  /** The first check; in answers to a create or a checked join its own. */
  readonly integrity: Integrity | null;
  /** All checks, in the order in which they came to the session. */
  readonly integrityChecks?: readonly PlayerIntegrity[] | undefined;
  readonly series?: Series | undefined;
  readonly fairness: Fairness;
  readonly result: Result | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
  /** What the match was made of. */
  readonly groups: readonly Group[];
}

/** The tenant's own notes: up to 20, echoed with the session and in its events. */
export type Metadata = Readonly<Record<string, string | null>>;

/** Requests to endpoints of webhooks, each try by itself. */
export interface MetricDeliveries {
  readonly delivered: number;
  readonly failed: number;
  /** Half took at most so many milliseconds, to within 10 %. Null where there was none. */
  readonly p50Ms: number | null;
  /** 99 of 100 took at most so many milliseconds. */
  readonly p99Ms: number | null;
}

/** Of `moves`: from a player's command on its socket to its `ack`. Of `queueWaits`: from a player's wait for opponents to the match's start. */
export interface MetricDurations {
  readonly total: number;
  /** Half took at most so many milliseconds, to within 10 %. Null where there was none. */
  readonly p50Ms: number | null;
  /** 99 of 100 took at most so many milliseconds. */
  readonly p99Ms: number | null;
}

export interface MetricPoint {
  /** When the step begins. */
  readonly at: string;
  /** The most of any minute of the step. */
  readonly matchesInPlay: number;
  /** The most of any minute of the step. */
  readonly playersConnected: number;
  readonly sessions: MetricSessions;
  readonly requests: MetricRequests;
  readonly moves: MetricDurations;
  readonly queueWaits: MetricDurations;
  readonly webhooks: MetricDeliveries;
}

/** Requests with a key. Those of the dashboard are not counted. */
export interface MetricRequests {
  readonly total: number;
  /** Answered below 400. */
  readonly succeeded: number;
  /** Answered with 4xx, without 429. */
  readonly refused: number;
  /** Answered with 429: a limit of the plan was reached. */
  readonly limited: number;
  /** Answered with 5xx. */
  readonly failed: number;
  /** Half took at most so many milliseconds, to within 10 %. Null where there was none. */
  readonly p50Ms: number | null;
  /** 99 of 100 took at most so many milliseconds. */
  readonly p99Ms: number | null;
}

export interface MetricSeries {
  readonly mode: "live" | "test";
  readonly window: "1h" | "24h" | "7d" | "30d";
  readonly step: "1m" | "10m" | "1h" | "1d";
  readonly from: string;
  readonly to: string;
  /** One point a step, the oldest first, also where nothing happened. The last step may not be over. */
  readonly data: readonly MetricPoint[];
}

/** Sessions that came to each state. Expired ones have ended. */
export interface MetricSessions {
  readonly created: number;
  readonly started: number;
  readonly ended: number;
}

export interface MetricSummary {
  readonly mode: "live" | "test";
  readonly window: "1h" | "24h" | "7d" | "30d";
  readonly from: string;
  /** The end of the last whole minute: what is newer comes with the next. */
  readonly to: string;
  /** Of this moment. */
  readonly now: {
    readonly matchesInPlay: number;
    /** As of the last whole minute. */
    readonly playersConnected: number;
  };
  readonly sessions: MetricSessions;
  readonly requests: MetricRequests;
  readonly moves: MetricDurations;
  readonly queueWaits: MetricDurations;
  readonly webhooks: MetricDeliveries;
  /** Use of the plan's limits. */
  readonly usage: {
    /** Null in test mode, which no plan counts. */
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
  /** What needs a look, the most severe first. Empty when all is well. */
  readonly anomalies: readonly Anomaly[];
}

/** What an option may be, and what it is by default. */
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
  /** Has the player a socket of that mode open now? As the answering process knows. */
  readonly connected: boolean;
  /** By game; games that the player has no rated match of are left out. */
  readonly ratings: Partial<Readonly<Record<Game, PlayerRating>>>;
  readonly createdAt: string;
}

export interface PlayerErased {
  readonly erased: true;
}

/** All that is held about a player. */
export interface PlayerExport {
  /** As live mode knows the player, else as test mode does. */
  readonly player: {
    readonly id: string;
    readonly displayName: string | null;
    readonly createdAt: string;
  };
  /** How each world that knows the player calls them; live first. */
  readonly names: readonly ({
    readonly mode: "live" | "test";
    readonly displayName: string | null;
    readonly createdAt: string;
  })[];
  readonly ratings: readonly ExportedRating[];
  /** The newest check of a lobby token, of each mode. */
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
    /** What the check of the player's device found. */
    readonly integrity: Integrity | null;
    /** What the match did to the player's rating; null of one that did not count. */
    readonly rating: RatingChange | null;
    /** Null while a match goes on in which information is hidden. */
    readonly replay: Replay | null;
  })[];
  readonly tickets: readonly ({
    readonly ticketId: string;
    readonly game: Game;
    readonly mode: "live" | "test";
    readonly status: "forming" | "promoted" | "started" | "cancelled";
    readonly sessionId: string | null;
    readonly createdAt: string;
    /** What was found of the device when the player was added. */
    readonly integrity?: Integrity | undefined;
  })[];
}

/** What the check of one player's device found. */
export interface PlayerIntegrity {
  /** Null once the player was erased. */
  readonly playerId: string | null;
  readonly platform: "android" | "ios";
  /** `failed`: judged and not good; `error`: it could not be judged; `skipped`: nothing to judge. */
  readonly status: "passed" | "failed" | "error" | "skipped";
  /** On android. True: Google does not vouch for the device. Null: no statement. */
  readonly rooted?: boolean | null | undefined;
  /** On ios. True: the proof was tampered with. Null: no statement. */
  readonly jailbroken?: boolean | null | undefined;
  /** For programs; empty when all is well. */
  readonly reasons: readonly string[];
  /** What ties the token to this request. */
  readonly bound: "challenge" | "request" | "none";
  /** What the platform said beside it. */
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly checkedAt: string;
  readonly latencyMs: number;
}

export interface PlayerRating {
  /** By Glicko-2; everybody begins with 1500. */
  readonly rating: number;
  /** How unsure the rating is, as of now. */
  readonly deviation: number;
  /** Matches that counted. */
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
  readonly lastPlayedAt: string | null;
}

export interface PlayerToSeat {
  /** The tenant's own id of the player. */
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
  /** Promoted and not started, the oldest first. */
  readonly groups: readonly Group[];
  readonly nextCursor: string | null;
}

export interface Promoted {
  readonly group: Group;
}

/** A JSON Web Key Set (RFC 7517, RFC 8037). The key that signs now comes first. */
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
  /** When the match ended, and the rating changed. */
  readonly at: string;
  readonly sessionId: string;
  /** The player's rating before the match. */
  readonly before: number;
  /** The player's rating after the match. */
  readonly after: number;
  readonly outcome: "win" | "loss" | "draw";
}

/** Both have one decimal. */
export interface RatingChange {
  /** The player's rating before the match. */
  readonly before: number;
  /** The player's rating after the match. */
  readonly after: number;
}

/** The newest session first. A page may be short or empty and still have a `nextCursor`. */
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
  /** Hash of the code of the rules, of an operator's game. */
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
  /** Seats in the order in which they were taken, where the seed drew it. */
  readonly drawnSeats: readonly number[] | null;
  readonly inputs: readonly {
    readonly v: number;
    readonly at: string;
    readonly seat: number;
    readonly action: unknown;
  }[];
  /** Of games that run by the clock: what every seat held down, tick by tick. */
  readonly ticks?: readonly {
    readonly v: number;
    readonly at: string;
    /** The first tick. */
    readonly from: number;
    /** Runs: what each seat held down, by seat, and last for how many ticks. */
    readonly runs: readonly (readonly number[])[];
  }[] | undefined;
  readonly controls: readonly {
    readonly v: number;
    readonly at: string;
    readonly seat: number;
    readonly kind: string;
  }[];
  /** What each record drew from the seed, as `[below, value]`; null until the end. The guide on fairness says how a value is derived. */
  readonly chance: readonly {
    readonly v: number;
    readonly draws: readonly (readonly [number, number])[];
  }[] | null;
  readonly hash: string | null;
  readonly result: Result | null;
  /** By the installation, when it exported the replay: Ed25519 over `matchd replay`, a line feed and the canonical JSON of all other fields. `GET /.well-known/jwks.json` has the public keys. */
  readonly signature: Signature;
}

/** `v` is the version of the first wrong record, null where no record is to blame. An `error` that begins with `Not checked:` says that the match was played by another version of the rules, or sealed with a key that is not there. */
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
    /** Points, in games that count them. */
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

/** A match under way that may be watched. */
export interface Room {
  readonly sessionId: string;
  readonly game: Game;
  readonly mode: "live" | "test";
  readonly matchType: "matchmaking" | "private" | "bot" | "hosted";
  readonly variant: string;
  readonly status: "active";
  readonly seats: number;
  readonly players: readonly SeatedPlayer[];
  /** Sockets that watch now. */
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
  /** The world it belongs to. Test sessions seat live bots, too. */
  readonly mode: "live" | "test";
  readonly name: string;
  readonly displayName: string;
  /** Under which it sits in sessions. */
  readonly playerId: string;
  readonly kind: "builtin" | "external";
  /** Null for external bots. */
  readonly difficulty: "easy" | "medium" | "hard" | "perfect" | null;
  readonly weight: number;
  readonly active: boolean;
  readonly createdAt: string;
  /** Matches that ended with a result, against anybody, by mode and level. Aborted and training matches are left out. A key sees the modes that it may read. Empty until its first match. */
  readonly score: readonly BotScore[];
}

export interface Seal {
  /** `sealed`: all that the seal covers is as it was at the end. `not_ended`: the session goes on, and its end is not sealed yet. `not_sealed`: it ended before this installation sealed sessions. `missing`, `changed` and `unknown_key` make `ok` false. */
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
  /** The session that this is the rematch of. */
  readonly rematchOf: string;
  /** The session that the series began with. */
  readonly first: string;
  /** Which match of the series this is. */
  readonly number: number;
  /** Matches won before this one, by its seats. */
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
  /** The first check; in answers to a create or a checked join its own. */
  readonly integrity: Integrity | null;
  /** All checks, in the order in which they came to the session. */
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

/** Options of every session, and beside them the game's own. Unknown names are refused. */
export interface SessionOptions {
  /** Time for one turn; by default that of the game. */
  readonly turnTimeoutMs?: number | null | undefined;
  /** A clock as in chess; none by default. */
  readonly clock?: {
    /** Time each seat has. */
    readonly initialMs: number;
    /** What each move adds to it. */
    readonly incrementMs?: number | null | undefined;
  } | null | undefined;
  /** How long a player may be gone. Default: `60000`. */
  readonly disconnectGraceMs?: number | null | undefined;
  /** Does a turn that takes too long lose the match? Default: `true`. */
  readonly afk?: boolean | null | undefined;
  /** How well bots play here. Default: `medium`. */
  readonly botDifficulty?: "easy" | "medium" | "hard" | "perfect" | null | undefined;
  readonly [name: string]: unknown;
}

export interface SessionRequest {
  readonly game: Game;
  /** By default the mode of the key. */
  readonly mode?: "live" | "test" | "training" | null | undefined;
  /** Required in live and test sessions; at most as many as the game seats. */
  readonly players?: readonly PlayerToSeat[] | null | undefined;
  /** The platform of the player's device, for the device check. */
  readonly platform?: "android" | "ios" | null | undefined;
  /** A token of the platform's device integrity API. */
  readonly integrityToken?: string | null | undefined;
  /** How open seats are filled. Default: `matchmaking`. */
  readonly matchType?: "matchmaking" | "private" | "bot" | null | undefined;
  /** The game's rule set, by default its first. */
  readonly variant?: string | null | undefined;
  /** Ludo 2 to 4, the other games 2. */
  readonly seats?: number | null | undefined;
  readonly options?: SessionOptions | null | undefined;
  readonly metadata?: Metadata | null | undefined;
  readonly theme?: Theme | null | undefined;
}

/** A session, and the tokens of the players the request named. */
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
  /** The first of the tokens. */
  readonly sessionToken: string;
  /** Each player's token, by id. */
  readonly tokens: Readonly<Record<string, string>>;
  /** Each player's page, by id. */
  readonly playUrls: Readonly<Record<string, string>>;
  /** Life of the tokens in seconds. */
  readonly expiresIn: number;
  /** When a pending session expires. */
  readonly expiresAt: string | null;
  readonly theme: Theme | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly webhooksEnabled: boolean;
  /** The first check; in answers to a create or a checked join its own. */
  readonly integrity: Integrity | null;
  /** All checks, in the order in which they came to the session. */
  readonly integrityChecks?: readonly PlayerIntegrity[] | undefined;
  readonly series?: Series | undefined;
  readonly fairness: Fairness;
  readonly result: Result | null;
  readonly createdAt: string;
  readonly startedAt: string | null;
  readonly endedAt: string | null;
}

export interface Settings {
  /** Who makes the rematch that the players agree on: `announce` tells the backend by an event, `create` has the service make it. `off`: players are offered none. */
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
  /** Promoted groups, each once. Their order is that of the seats. */
  readonly groupIds: readonly string[];
  /** The game's rule set, by default its first. */
  readonly variant?: string | null | undefined;
  readonly options?: SessionOptions | null | undefined;
}

/** Colours (`#rgb` or `#rrggbb`) and lengths (0 to 64 pixels) of the players' page. What is not named keeps its default; unknown names are ignored. */
export interface Theme {
  /** Behind everything. */
  readonly background?: string | null | undefined;
  /** Cards, bars and dialogs. */
  readonly surface?: string | null | undefined;
  /** Text on background and surface. */
  readonly text?: string | null | undefined;
  /** Buttons and the seat to move. */
  readonly primary?: string | null | undefined;
  /** What is selected, legal or was moved last. */
  readonly accent?: string | null | undefined;
  /** The board's light fields, or its ground where it has one colour. */
  readonly boardLight?: string | null | undefined;
  /** The board's dark fields, lines and frame. */
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
  /** In the order in which they were added. */
  readonly players: readonly ({
    /** Null once the player was erased. */
    readonly id: string | null;
    readonly displayName: string | null;
    /** What the check of the player's device found; absent when there was none. */
    readonly integrity?: Integrity | undefined;
  })[];
  readonly capacity: number;
  readonly status: "forming" | "promoted" | "started" | "cancelled";
  /** Null until it is promoted. */
  readonly groupId: string | null;
  /** Null until it is started. */
  readonly sessionId: string | null;
  readonly createdAt: string;
  readonly promotedAt: string | null;
  /** The time of the start or the cancellation. */
  readonly endedAt: string | null;
}

export interface TicketList {
  /** The newest first. */
  readonly data: readonly Ticket[];
  readonly nextCursor: string | null;
}

export interface TicketMade {
  readonly ticketId: string;
}

export interface TicketPlayerAdded {
  readonly result: "ok";
  /** What the check of this call found; absent when it named no platform. */
  readonly integrity?: Integrity | undefined;
}

export interface TicketPlayerRequest {
  /** The tenant's own id of the player. */
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
  /** The games and the versions of their rules that are loaded. */
  readonly games: readonly {
    readonly game: Game;
    readonly versions: readonly number[];
  }[];
}

export interface WatchToken {
  readonly token: string;
  /** Life of the token in seconds. */
  readonly expiresIn: number;
  readonly socketUrl: string;
  /** The play page in watch mode. */
  readonly playUrl: string;
}

export interface Webhook {
  readonly id: string;
  readonly mode: "live" | "test";
  readonly url: string;
  /** Empty: all but `move.made`, `key.alert` and `audit.anchored`. */
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
  /** Whether there are more than were counted. */
  readonly isMore: boolean;
  /** The time of the oldest waiting event. */
  readonly oldestAt: string | null;
  /** The next planned retry, the time of the response if one is due; null for none. */
  readonly nextAttemptAt: string | null;
}

/** Missing fields stay unchanged. */
export interface WebhookChange {
  readonly url?: string | null | undefined;
  readonly events?: readonly ("session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended")[] | null | undefined;
  readonly description?: string | null | undefined;
  /** An enabled webhook receives events from then on. */
  readonly active?: boolean | null | undefined;
}

export interface WebhookDeleted {
  readonly deleted: true;
}

/** One request to the endpoint. */
export interface WebhookDelivery {
  readonly eventId: string;
  /** The event's, or `webhook.test`. */
  readonly type: string;
  readonly sessionId: string | null;
  readonly attempt: number;
  readonly at: string;
  readonly durationMs: number;
  /** The endpoint's; null without an answer. */
  readonly status: number | null;
  /** An error code; null when it was delivered. */
  readonly error: string | null;
  /** The time of the next retry; null afterwards, and when it is not retried. */
  readonly nextAttemptAt: string | null;
  /** `retried`: it failed and is, or was, retried. `given_up`: it is not retried. */
  readonly outcome: "delivered" | "retried" | "given_up";
  /** The beginning of an unsuccessful answer: up to 1 KiB of text without secrets, stored for 7 days. */
  readonly response: string | null;
}

export interface WebhookDeliveryDetails {
  readonly eventId: string;
  /** The event as it is sent now: an erased player is not named in it any more. Null for a `webhook.test`, and once the log does not hold it any more. */
  readonly payload: Readonly<Record<string, unknown>> | null;
  /** The attempts of this event, newest first. */
  readonly attempts: readonly WebhookDelivery[];
}

export interface WebhookDeliveryList {
  readonly data: readonly WebhookDelivery[];
  readonly nextCursor: string | null;
}

export interface WebhookDeliveryResent {
  readonly eventId: string;
  readonly delivered: boolean;
  /** The endpoint's; null without an answer. */
  readonly status: number | null;
  /** An error code; null when it was delivered. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface WebhookDetails {
  readonly id: string;
  readonly mode: "live" | "test";
  readonly url: string;
  /** Empty: all but `move.made`, `key.alert` and `audit.anchored`. */
  readonly events: readonly ("session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended")[];
  readonly description: string;
  readonly active: boolean;
  readonly disabledReason: "paused" | "gone" | "failing" | null;
  /** The first failure since the last success; null without failures. */
  readonly failingSince: string | null;
  readonly createdAt: string;
  readonly backlog: WebhookBacklog;
  /** Until when the secret before the last rotation signs too; null for none. */
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
  /** Empty: all but `move.made`, `key.alert` and `audit.anchored`. */
  readonly events: readonly ("session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended")[];
  readonly description: string;
  readonly active: boolean;
  readonly disabledReason: "paused" | "gone" | "failing" | null;
  /** The first failure since the last success; null without failures. */
  readonly failingSince: string | null;
  readonly createdAt: string;
  /** The signing secret. Shown only once; blank in repeats. */
  readonly secret: string;
  readonly previousSecretExpiresAt: string;
}

export interface WebhookRotation {
  /** How long the older secret signs too. Default: `86400`. */
  readonly overlapSeconds?: number | null | undefined;
}

export interface WebhookTested {
  readonly eventId: string;
  readonly delivered: boolean;
  /** The endpoint's; null without an answer. */
  readonly status: number | null;
  /** An error code; null when it was delivered. */
  readonly error: string | null;
  readonly durationMs: number;
}

export interface WebhookWithSecret {
  readonly id: string;
  readonly mode: "live" | "test";
  readonly url: string;
  /** Empty: all but `move.made`, `key.alert` and `audit.anchored`. */
  readonly events: readonly ("session.created" | "session.started" | "session.ended" | "session.expired" | "session.rematch_agreed" | "player.joined" | "player.left" | "player.connected" | "player.disconnected" | "move.made" | "bot.injected" | "ticket.created" | "ticket.player_added" | "ticket.player_removed" | "ticket.promoted" | "ticket.cancelled" | "group.started" | "group.cancelled" | "integrity.checked" | "key.alert" | "audit.anchored" | "checkers.crowned" | "ludo.captured" | "fight.round_ended")[];
  readonly description: string;
  readonly active: boolean;
  readonly disabledReason: "paused" | "gone" | "failing" | null;
  /** The first failure since the last success; null without failures. */
  readonly failingSince: string | null;
  readonly createdAt: string;
  /** The signing secret. Shown only once; blank in repeats. */
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
      /** Only sessions in which this player sits. */
      readonly player?: string | undefined;
      /** Only sessions created with this value under this key: `metadata[orderId]=77`. One key at a time. */
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
      /** The tenant's own id of the player. */
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
      /** The tenant's own id of the player. */
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
      /** The number of players: 1 up to the game's seats, which is the default. */
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
      /** The tenant's own id of the player. */
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
      /** The tenant's own id of the player. */
      readonly playerId: string;
    };
    readonly query: null;
    readonly body: LobbyRequest;
    readonly answer: LobbyToken;
  };
  /** Erase a player. */
  readonly erasePlayer: {
    readonly path: {
      /** The tenant's own id of the player. */
      readonly playerId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: PlayerErased;
  };
  /** Retrieve a player. */
  readonly getPlayer: {
    readonly path: {
      /** The tenant's own id of the player. */
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
      /** The tenant's own id of the player. */
      readonly playerId: string;
    };
    readonly query: null;
    readonly body: null;
    readonly answer: PlayerExport;
  };
  /** List a player's rated matches of a game. */
  readonly listRatingHistory: {
    readonly path: {
      /** The tenant's own id of the player. */
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
      /** The cursor of the next page; null when there is none yet. */
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
      /** The length of one point: `1m` or `10m` of an hour, `10m` or `1h` of 24 hours, `1h` or `1d` of 7 days, `1d` of 30 days. Defaults to the shortest step of the window. */
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
