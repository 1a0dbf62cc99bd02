/** The messages between nodes about sessions. Types only; a message is a list of items, in order. */

import type { Command } from '../match/decide.ts';
import type { Wire } from '../match/frames/compact.ts';
import type { Roster } from '../match/session.ts';
import type { WorldChanges } from '../runtime/events/changes.ts';
import type { PlayerCommand, PlayerSeat } from '../runtime/host/player-work.ts';
import type { PlacedAnswer, WorkOutcome } from '../runtime/host/work.ts';
import type { ServiceRefusal } from '../runtime/sessions/session-service.ts';
import type { SessionChange, SessionRow } from '../store/store.ts';
import type { KeyMode } from '../tenancy/tenant.ts';

/**
 * A slot's number: a subscriber on one node of a session that another node owns. Assigned by the subscriber's
 * node, and never reused by it.
 */
export type SlotId = number;

/** A request to the node that owns session `s`, for slot `p`. */
export type ForOwner =
  | {
      readonly t: 'attach';
      readonly s: string;
      readonly p: SlotId;
      /** The seat whose view it gets; null is a watcher. */
      readonly viewer: number | null;
      /** The seat's player; null for watchers. */
      readonly player: string | null;
      /** Its subprotocol. A node that omits it finds answers among the frames. */
      readonly wire?: Wire;
    }
  /** `putAway`: it was not the player's doing. */
  | { readonly t: 'detach'; readonly p: SlotId; readonly putAway?: true }
  | { readonly t: 'play'; readonly p: SlotId; readonly command: PlayerCommand }
  | { readonly t: 'hold'; readonly p: SlotId; readonly from: number; readonly masks: unknown }
  /** Shown to everybody; the owner fills in the session's version. */
  | { readonly t: 'relay'; readonly p: SlotId; readonly frame: object }
  /** The whole state; of one that has seen version `seen` only if it is behind. */
  | { readonly t: 'state'; readonly p: SlotId; readonly seen: number | null }
  /** To be answered under number `n`. */
  | { readonly t: 'ask'; readonly n: number; readonly s: string; readonly ask: Ask };

export type Ask =
  | { readonly kind: 'play'; readonly seat: PlayerSeat; readonly command: PlayerCommand }
  /** Work that was decided on the session's version `v`: to be done at that version, or not at all. */
  | {
      readonly kind: 'work';
      readonly v: number;
      readonly command: Command;
      readonly change: SessionChange | null;
      /** The players of the seats afterwards; null if unchanged. */
      readonly roster: Roster | null;
    };

/** `not_mine`: find the owner again. `stale`: its version is another; read it again. */
export type Answer = WorkOutcome | { readonly kind: 'not_mine' } | { readonly kind: 'stale' };

/** The answer to a command of that slot. */
export interface SlotAnswer extends PlacedAnswer {
  readonly p: SlotId;
}

/** Messages of an owner to its slots on another node. */
export type ForEdge =
  | { readonly t: 'attached'; readonly p: SlotId; readonly answer: Answer }
  /** Frames, in one write, to each of these slots; to one of them the answer to its command, too. */
  | {
      readonly t: 'frames';
      readonly p: SlotId[];
      readonly texts: readonly string[];
      answered?: SlotAnswer;
    }
  /** The requested whole state; empty for a subscriber that has it. */
  | { readonly t: 'whole'; readonly p: SlotId; readonly texts: readonly string[] }
  /** The session is not shown there any more: the subscribers have to find it again. */
  | { readonly t: 'lost'; readonly p: SlotId[] }
  | { readonly t: 'answer'; readonly n: number; readonly answer: Answer };

/** News for every node. Applying it twice has no further effect. */
export type News =
  /** Another node has taken a session over, though this one was alive. */
  | { readonly kind: 'taken'; readonly session: string }
  | {
      readonly kind: 'seated';
      readonly row: SessionRow;
      readonly playerId: string;
      readonly seat: number;
      readonly isBot: boolean;
    }
  /**
   * A player was erased: their sockets are closed and their name is forgotten. `at`: when, ms since
   * 1970; a later player with that id is a different person.
   */
  | {
      readonly kind: 'erased';
      readonly tenant: string;
      readonly world: KeyMode;
      readonly playerId: string;
      readonly at: number;
    }
  /** Lists of worlds have changed, for the pages that show them. */
  | { readonly kind: 'changed'; readonly changes: WorldChanges }
  /** A socket has come to a place; older ones give way. Of two the one with the higher stamp is newer. */
  | { readonly kind: 'entered'; readonly place: string; readonly stamp: number }
  /** Something about a session's rematch has changed; `refused`: why it could not be made. */
  | {
      readonly kind: 'rematch';
      readonly session: string;
      readonly refused: ServiceRefusal | null;
    };

export type ForAll =
  /** To be confirmed by its number, because it is repeated when the link breaks. */
  | { readonly t: 'news'; readonly n: number; readonly news: News }
  | { readonly t: 'heard'; readonly n: number }
  /** How many watch a session on the sending node: where it has changed, or all there are. */
  | {
      readonly t: 'watched';
      readonly isAll: boolean;
      readonly counts: Readonly<Record<string, number>>;
    };

/** Turns at a queue; `n` is the requesting node's number for one. */
export type ForQueueTurns =
  | { readonly t: 'turn'; readonly line: string; readonly n: number }
  | { readonly t: 'turn_given'; readonly line: string; readonly n: number }
  | { readonly t: 'turn_over'; readonly line: string; readonly n: number };

export type Item = ForOwner | ForEdge | ForAll | ForQueueTurns;
