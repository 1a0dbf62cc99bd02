/** Which commands a match has already taken (rule P4): rebuilt from its log, so it outlives all. */

import type { Json, Seat } from '../games/game.ts';
import { canonicalJson } from '../games/json.ts';
import type { CommandId, Entry } from './record.ts';

/** A command that was acknowledged: the version of its record and what it asked for. */
export interface TakenCommand {
  readonly v: number;
  readonly fingerprint: string;
}

/** By seat and the client's id. Grows with the log it is made from. */
export type CommandIndex = Map<string, TakenCommand>;

export function makeCommandIndex(entries: readonly Entry[]): CommandIndex {
  const index: CommandIndex = new Map();
  for (const entry of entries) rememberCommand(index, entry);
  return index;
}

/** Takes a committed record into the index; records that answer no command are passed over. */
export function rememberCommand(index: CommandIndex, entry: Entry): void {
  const { record, v } = entry;
  switch (record.k) {
    case 'action':
      remember(index, record.seat, record.id, v, fingerprint('act', record.action));
      return;
    case 'draw':
      remember(index, record.seat, record.id, v, fingerprint('draw', record.do));
      return;
    case 'forfeited':
      if (record.id !== null) {
        remember(index, record.seat, record.id, v, fingerprint('resign', null));
      }
      return;
    default:
      return;
  }
}

export function findCommand(index: CommandIndex, seat: Seat, id: CommandId): TakenCommand | null {
  return index.get(`${seat}:${id}`) ?? null;
}

/** What a command asks for, as text: two commands with one id are the same when this is. */
export function fingerprint(kind: 'act' | 'draw' | 'resign', body: Json): string {
  return `${kind}:${canonicalJson(body)}`;
}

function remember(index: CommandIndex, seat: Seat, id: string, v: number, print: string): void {
  index.set(`${seat}:${id}`, { v, fingerprint: print });
}
