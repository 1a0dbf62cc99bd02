/** What each event tells. Made by scripts/generate.ts: not to be changed by hand. */
// @table

import type { AnyEvent } from './api.ts';
import type { Result } from './api.ts';
import type { Game } from './games.ts';

/** `data` of an event, by its type. */
export interface EventData {
  /** A session was created. */
  readonly 'session.created': {
    readonly game?: Game | undefined;
    readonly matchType?: "matchmaking" | "private" | "bot" | "hosted" | undefined;
    readonly variant?: string | undefined;
    readonly players?: readonly ({
      readonly id: string | null;
      readonly displayName: string | null;
      readonly seat: number;
      readonly isBot: boolean;
    })[] | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly roomCode?: string | undefined;
    /** The seats taken at creation. */
    readonly seats: readonly number[];
    readonly [name: string]: unknown;
  };
  /** Every seat is taken and every player has connected. The match starts. */
  readonly 'session.started': {
    readonly game?: Game | undefined;
    readonly matchType?: "matchmaking" | "private" | "bot" | "hosted" | undefined;
    readonly variant?: string | undefined;
    readonly players?: readonly ({
      readonly id: string | null;
      readonly displayName: string | null;
      readonly seat: number;
      readonly isBot: boolean;
    })[] | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly [name: string]: unknown;
  };
  /** The match has ended. */
  readonly 'session.ended': {
    readonly game?: Game | undefined;
    readonly matchType?: "matchmaking" | "private" | "bot" | "hosted" | undefined;
    readonly variant?: string | undefined;
    readonly players?: readonly ({
      readonly id: string | null;
      readonly displayName: string | null;
      readonly seat: number;
      readonly isBot: boolean;
    })[] | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly result: Result;
    readonly [name: string]: unknown;
  };
  /** The session expired before it started. Sent instead of `session.ended`. */
  readonly 'session.expired': {
    readonly game?: Game | undefined;
    readonly matchType?: "matchmaking" | "private" | "bot" | "hosted" | undefined;
    readonly variant?: string | undefined;
    readonly players?: readonly ({
      readonly id: string | null;
      readonly displayName: string | null;
      readonly seat: number;
      readonly isBot: boolean;
    })[] | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly result: Result;
    readonly [name: string]: unknown;
  };
  /** All players of an ended session agreed on a rematch. */
  readonly 'session.rematch_agreed': {
    readonly game?: Game | undefined;
    readonly matchType?: "matchmaking" | "private" | "bot" | "hosted" | undefined;
    readonly variant?: string | undefined;
    readonly players?: readonly ({
      readonly id: string | null;
      readonly displayName: string | null;
      readonly seat: number;
      readonly isBot: boolean;
    })[] | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly [name: string]: unknown;
  };
  /** A player took a seat. */
  readonly 'player.joined': {
    /** The version of the record. */
    readonly v?: number | undefined;
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly [name: string]: unknown;
  };
  /** A player left before the match started. The seat is open again. */
  readonly 'player.left': {
    /** The version of the record. */
    readonly v?: number | undefined;
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly [name: string]: unknown;
  };
  /** A seated player connected. */
  readonly 'player.connected': {
    /** The version of the record. */
    readonly v?: number | undefined;
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly [name: string]: unknown;
  };
  /** A seated player's last socket closed. */
  readonly 'player.disconnected': {
    /** The version of the record. */
    readonly v?: number | undefined;
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly [name: string]: unknown;
  };
  /** An action was committed. Sent only to webhooks that name this type. */
  readonly 'move.made': {
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    /** The version of the record. */
    readonly v: number;
    readonly action: unknown;
    readonly [name: string]: unknown;
  };
  /** A bot took a seat. */
  readonly 'bot.injected': {
    /** The version of the record. */
    readonly v?: number | undefined;
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly [name: string]: unknown;
  };
  /** A ticket was created. */
  readonly 'ticket.created': {
    readonly ticketId: string;
    readonly game: Game;
    readonly capacity: number;
    readonly [name: string]: unknown;
  };
  /** A player was added to a ticket. */
  readonly 'ticket.player_added': {
    readonly ticketId: string;
    readonly game: Game;
    readonly playerId: string | null;
    /** The number of players in the ticket now. */
    readonly taken: number;
    readonly capacity: number;
    readonly [name: string]: unknown;
  };
  /** A player was removed from a ticket. */
  readonly 'ticket.player_removed': {
    readonly ticketId: string;
    readonly game: Game;
    readonly playerId: string | null;
    /** The number of players in the ticket now. */
    readonly taken: number;
    readonly capacity: number;
    readonly [name: string]: unknown;
  };
  /** A ticket was promoted to a group. */
  readonly 'ticket.promoted': {
    readonly ticketId: string;
    readonly game: Game;
    readonly groupId: string;
    readonly players: readonly (string | null)[];
    readonly capacity: number;
    readonly [name: string]: unknown;
  };
  /** A ticket was cancelled. */
  readonly 'ticket.cancelled': {
    readonly ticketId: string;
    readonly game: Game;
    readonly [name: string]: unknown;
  };
  /** A match was started from a group. */
  readonly 'group.started': {
    readonly ticketId: string;
    readonly game: Game;
    readonly groupId: string;
    readonly players: readonly (string | null)[];
    readonly [name: string]: unknown;
  };
  /** A group was cancelled. */
  readonly 'group.cancelled': {
    readonly ticketId: string;
    readonly game: Game;
    readonly groupId: string;
    readonly [name: string]: unknown;
  };
  /** A device was checked. */
  readonly 'integrity.checked': {
    /** The version of the record. */
    readonly v?: number | undefined;
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
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
    readonly [name: string]: unknown;
  };
  /** Unusual use of an API key. Sent only to webhooks that name this type. */
  readonly 'key.alert': {
    readonly keyId: string;
    /** The kind of unusual use. */
    readonly kind: "new_network" | "dormant_key" | "refusals" | "request_rate" | "old_secret";
    /** Details by name, as shown in the alert. */
    readonly details: Readonly<Record<string, string | number>>;
    readonly [name: string]: unknown;
  };
  /** A signed anchor of the tenant's audit log. Sent once a day, only to webhooks that name this type. */
  readonly 'audit.anchored': {
    /** Verify with `matchd audit verify --anchor`, which also takes the whole event. */
    readonly anchor: {
      /** The tenant of the audit log. */
      readonly tenant: string;
      /** The number of the newest row. */
      readonly n: number;
      /** The hash of the newest row. */
      readonly hash: string;
      readonly at: string;
      readonly signature: {
        /** The `kid` of a key in `/.well-known/jwks.json`. */
        readonly keyId: string;
        readonly algorithm: "Ed25519";
        /** 64 bytes in base64url. */
        readonly value: string;
      };
    };
    readonly [name: string]: unknown;
  };
  /** A man became a king. */
  readonly 'checkers.crowned': {
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    /** The square of the new king. */
    readonly square: number;
    readonly [name: string]: unknown;
  };
  /** A token was captured and sent back to its yard. */
  readonly 'ludo.captured': {
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly token: number;
    /** The field, as in the view: `track 17`. */
    readonly at: string;
    /** The token that goes back to its yard. */
    readonly captured: {
      readonly seat: number;
      readonly token: number;
    };
    readonly [name: string]: unknown;
  };
  /** A round of the fight ended. */
  readonly 'fight.round_ended': {
    readonly game?: Game | undefined;
    readonly matchType?: "matchmaking" | "private" | "bot" | "hosted" | undefined;
    readonly variant?: string | undefined;
    readonly players?: readonly ({
      readonly id: string | null;
      readonly displayName: string | null;
      readonly seat: number;
      readonly isBot: boolean;
    })[] | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    /** Includes rounds without a winner. */
    readonly round: number;
    /** Null: the round is repeated. */
    readonly winner: number | null;
    readonly by: "knockout" | "time" | "double_knockout" | "equal_health";
    /** The remaining health by seat. */
    readonly health: readonly number[];
    /** The length of the round in ticks. */
    readonly ticks: number;
    readonly [name: string]: unknown;
  };
}

/** An event; its `type` says what its `data` holds. */
export type MatchdEvent = {
  [Type in keyof EventData]: Omit<AnyEvent, 'type' | 'data'> & {
    readonly type: Type;
    readonly data: EventData[Type];
  };
}[keyof EventData];
