/** Seals of ended sessions: a signature over the log, the seats and the row at the end (decision 0032). */

import { hash } from 'node:crypto';
import type { Json } from '../../../game/src/game.ts';
import { canonicalJson } from '../../../game/src/json.ts';
import { idTime } from '../../match/id-text.ts';
import type { Replay } from '../../match/replay/replay-form.ts';
import type { Roster, Session } from '../../match/session.ts';
import type { SessionRow, StoredSession } from '../../store/store.ts';
import { isId } from '../ids.ts';
import { extendChain, startChain } from './log-chain.ts';
import { type SignedReplay, signReplay } from './replay-signature.ts';
import type { Signature, Signer } from './signer.ts';

/** How an ended session compares to its seal. `changed`: it differs from what was sealed, or the seal was changed. */
export type SealState =
  | 'sealed'
  | 'not_ended'
  | 'not_sealed'
  | 'missing'
  | 'changed'
  | 'unknown_key';

export interface SealCheck {
  readonly state: SealState;
  /** The key that signed; null without a seal. */
  readonly keyId: string | null;
  /** Why verification fails; null when it succeeds. */
  readonly error: string | null;
  /** Seats whose player has been erased: they can no longer be compared. */
  readonly erasedSeats: readonly number[];
}

/** A session at its end, as of its last commit. */
export interface EndedMatch {
  readonly row: SessionRow;
  readonly roster: Roster;
  readonly session: Session;
  /** The head of its log's chain. */
  readonly head: string;
}

export interface Seals {
  /** JSON, to be stored with the commit that ends the session. */
  make(ended: EndedMatch): string;
  check(stored: StoredSession): SealCheck;
  /** For a replay that leaves the service. */
  signReplay(replay: Replay): SignedReplay;
}

/** `since`: ended sessions of that time or later have a seal, ms since 1970. */
export function makeSeals(signer: Signer, since: number): Seals {
  return {
    make({ row, roster, session, head }) {
      const keyId = signer.keyId;
      // With all keys in order, so that its JSON equals the result of `textOf`.
      const body: SealBody = {
        format: 1,
        head,
        records: session.v + 1,
        row: hashRow(row),
        seats: session.seats.map(({ taken, isBot }, seat) => {
          if (!taken) return null;
          const id = roster[seat]?.id ?? null;
          return {
            isBot,
            player: id === null ? null : signer.mark(keyId, markText(row, seat, id)),
          };
        }),
      };
      const text = JSON.stringify(body);
      const signature = JSON.stringify(signer.sign('session-seal', text));
      return `${text.slice(0, -1)},"signature":${signature}}`;
    },
    check: (stored) => checkSeal(signer, since, stored),
    signReplay: (replay) => signReplay(signer, replay),
  };
}

/** A taken seat. `player`: keyed digest of the player's id; null: erased before the end. */
interface SealedSeat {
  readonly isBot: boolean;
  readonly player: string | null;
}

interface SealBody {
  readonly format: 1;
  /** How many records the log has. */
  readonly records: number;
  readonly head: string;
  readonly seats: readonly (SealedSeat | null)[];
  /** Hex SHA-256 of the session's row. */
  readonly row: string;
}

type StoredSeal = SealBody & { readonly signature: Signature };

const textOf = (body: SealBody): string => canonicalJson(body as unknown as Json);

const markText = ({ id, tenant }: SessionRow, seat: number, playerId: string): string =>
  JSON.stringify([tenant, id, seat, playerId]);

/** The whole row except the seal. The owner and the wake-up time are not in it. */
function hashRow(row: SessionRow): string {
  const { id, tenant, mode, world, game, matchType, variant, status, roomCode } = row;
  const { metadata, theme, createdAt, startedAt, endedAt, integrity } = row;
  const names = [id, tenant, mode, world ?? null, game, matchType, variant, status, roomCode];
  const others = [metadata, theme, createdAt, startedAt, endedAt, integrity ?? null];
  return hash('sha256', JSON.stringify([...names, ...others]));
}

function checkSeal(signer: Signer, since: number, stored: StoredSession): SealCheck {
  const { row } = stored;
  const none = { keyId: null, erasedSeats: [] };
  if (row.seal === undefined) {
    const isOver = row.status === 'ended' || stored.entries.at(-1)?.record.k === 'ended';
    if (!isOver) return { ...none, state: 'not_ended', error: null };
    if (newestTime(row) < since) return { ...none, state: 'not_sealed', error: null };
    return { ...none, state: 'missing', error: 'The session has ended and its seal is gone' };
  }
  const read = readSeal(row.seal);
  if (read === null) return { ...none, state: 'changed', error: SEAL_CHANGED };
  const { seal, text } = read;
  const { keyId } = seal.signature;
  const erasedSeats = listErased(seal, stored.roster);
  const signed = signer.check('session-seal', text, seal.signature);
  if (signed === 'unknown_key') {
    const error = `Not checked: it was sealed with key ${keyId}, which this installation does not have`;
    return { state: 'unknown_key', keyId, error, erasedSeats };
  }
  const error = signed === 'invalid' ? SEAL_CHANGED : findChange(signer, seal, stored);
  return { state: error === null ? 'sealed' : 'changed', keyId, error, erasedSeats };
}

const SEAL_CHANGED = 'The seal was changed after the end';

/** The first part that differs from what was sealed. */
function findChange(signer: Signer, seal: StoredSeal, stored: StoredSession): string | null {
  const { row, roster, entries, botSeats } = stored;
  if (entries.length !== seal.records || extendChain(startChain(row), entries) !== seal.head) {
    return 'The log was changed after the end: a record or its time is not what was sealed';
  }
  const seats = Math.max(seal.seats.length, roster.length);
  for (let seat = 0; seat < seats; seat++) {
    const sealed = seal.seats[seat] ?? null;
    const isTaken = (roster[seat] ?? null) !== null;
    const isBot = botSeats?.includes(seat) ?? sealed?.isBot;
    const isSame = isTaken === (sealed !== null) && (!isTaken || isBot === sealed?.isBot);
    if (!isSame || !isPlayerOf(signer, seal, stored, seat)) {
      return `Seat ${seat} was changed after the end: its player is not the one that was sealed`;
    }
  }
  return hashRow(row) === seal.row ? null : "The session's row was changed after the end";
}

/** An erased player can no longer be compared (rule R2). */
function isPlayerOf(
  signer: Signer,
  { seats, signature }: StoredSeal,
  { row, roster }: StoredSession,
  seat: number,
): boolean {
  const mark = seats[seat]?.player ?? null;
  const id = roster[seat]?.id ?? null;
  return (
    mark === null || id === null || mark === signer.mark(signature.keyId, markText(row, seat, id))
  );
}

function listErased({ seats }: StoredSeal, roster: Roster): readonly number[] {
  return seats.flatMap((sealed, seat) => {
    if (sealed === null) return [];
    return sealed.player === null || roster[seat]?.id == null ? [seat] : [];
  });
}

/** The id has the creation time, even if the row was changed. */
function newestTime({ id, endedAt }: SessionRow): number {
  return Math.max(isId('ses', id) ? idTime(id) : 0, endedAt ?? 0);
}

/** The seal and the signed text. Null for anything that does not look like our seal. */
function readSeal(stored: string): { readonly seal: StoredSeal; readonly text: string } | null {
  try {
    const seal = JSON.parse(stored) as StoredSeal;
    const { signature, ...body } = seal;
    const isSeal =
      seal.format === 1 &&
      Array.isArray(seal.seats) &&
      [signature.keyId, signature.value].every((each) => typeof each === 'string');
    return isSeal ? { seal, text: textOf(body) } : null;
  } catch {
    // Invalid JSON, not an object, or nested too deeply.
    return null;
  }
}
