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
    /** The seats that were taken at once. */
    readonly seats: readonly number[];
    readonly [name: string]: unknown;
  };
  /** Every seat is taken and every player has connected: the match begins. */
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
  /** The session expired before it began. Sent instead of `session.ended`. */
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
  /** All players of a session that has ended want a rematch. */
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
    /** The record's version. */
    readonly v?: number | undefined;
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly [name: string]: unknown;
  };
  /** A player left before the match began: the seat is open again. */
  readonly 'player.left': {
    /** The record's version. */
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
    /** The record's version. */
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
    /** The record's version. */
    readonly v?: number | undefined;
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly [name: string]: unknown;
  };
  /** An action was committed. Webhooks get it only if they ask for it. */
  readonly 'move.made': {
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    /** The record's version. */
    readonly v: number;
    readonly action: unknown;
    readonly [name: string]: unknown;
  };
  /** A bot took a seat. */
  readonly 'bot.injected': {
    /** The record's version. */
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
    /** How many players the ticket holds now. */
    readonly taken: number;
    readonly capacity: number;
    readonly [name: string]: unknown;
  };
  /** A player was removed from a ticket. */
  readonly 'ticket.player_removed': {
    readonly ticketId: string;
    readonly game: Game;
    readonly playerId: string | null;
    /** How many players the ticket holds now. */
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
  /** A group was started in a match. */
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
    /** The record's version. */
    readonly v?: number | undefined;
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
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
    readonly [name: string]: unknown;
  };
  /** Unusual use of an API key. Webhooks get it only if they ask for it. */
  readonly 'key.alert': {
    readonly keyId: string;
    /** What is unusual. */
    readonly kind: "new_network" | "dormant_key" | "refusals" | "request_rate" | "old_secret";
    /** Figures by name, as they are told to people. */
    readonly details: Readonly<Record<string, string | number>>;
    readonly [name: string]: unknown;
  };
  /** The signed head of the tenant's audit chain, once a day, if an active live webhook subscribes to it. */
  readonly 'audit.anchored': {
    /** For `matchd audit verify --anchor`, as is the whole event. */
    readonly anchor: {
      /** Whose chain. */
      readonly tenant: string;
      /** The newest row's number. */
      readonly n: number;
      /** Its hash. */
      readonly hash: string;
      readonly at: string;
      readonly signature: {
        /** Of a key of `/.well-known/jwks.json`. */
        readonly keyId: string;
        readonly algorithm: "Ed25519";
        /** 64 bytes in base64url. */
        readonly value: string;
      };
    };
    readonly [name: string]: unknown;
  };
  /** A man was crowned. */
  readonly 'checkers.crowned': {
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    /** Where the new king stands. */
    readonly square: number;
    readonly [name: string]: unknown;
  };
  /** A piece was sent back. */
  readonly 'ludo.captured': {
    readonly seat: number;
    readonly game?: Game | undefined;
    readonly playerId?: string | null | undefined;
    readonly isBot?: boolean | undefined;
    readonly metadata?: Readonly<Record<string, string>> | null | undefined;
    readonly token: number;
    /** Where, as in the view: `track 17`. */
    readonly at: string;
    /** The token that goes back to its yard. */
    readonly captured: {
      readonly seat: number;
      readonly token: number;
    };
    readonly [name: string]: unknown;
  };
  /** A round of the fight is over. */
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
    /** Rounds without a winner are counted too. */
    readonly round: number;
    /** Null: the round is played again. */
    readonly winner: number | null;
    readonly by: "knockout" | "time" | "double_knockout" | "equal_health";
    /** What is left, by seat. */
    readonly health: readonly number[];
    /** How long it took. */
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
