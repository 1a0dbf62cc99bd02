/** Which commands a match has already taken (rule P4): rebuilt from its log, so it outlives all. */

import type { Json, Seat } from '../../game/src/game.ts';
import { canonicalJson } from '../../game/src/json.ts';
import type { CommandId, Entry, LogRecord } from './record.ts';

/** A record that answers a command. */
type CommandRecord = Extract<LogRecord, { readonly id: CommandId | null }>;

/** A command that was acknowledged: its record, and the record's version. */
export interface TakenCommand {
  readonly v: number;
  readonly record: CommandRecord;
}

/** By seat, then by the client's id. Grows with the log it is made from. */
export type CommandIndex = Map<CommandId, TakenCommand>[];

export function makeCommandIndex(entries: readonly Entry[]): CommandIndex {
  const index: CommandIndex = [];
  for (const entry of entries) rememberCommand(index, entry);
  return index;
}

/**
 * Takes a committed record into the index; records that answer no command are passed over. Whoever takes
 * a seat that was left begins with no commands: ids are the client's own, and two players' may be alike.
 */
export function rememberCommand(index: CommandIndex, { record, v }: Entry): void {
  if (record.k === 'joined') index[record.seat]?.clear();
  if (!('id' in record) || record.id === null) return;
  while (index.length <= record.seat) index.push(new Map());
  index[record.seat]!.set(record.id, { v, record });
}

export function findCommand(index: CommandIndex, seat: Seat, id: CommandId): TakenCommand | null {
  return index[seat]?.get(id) ?? null;
}

/** What a command asked for, as text: two commands with one id are the same when this is. */
export function fingerprintOf({ record }: TakenCommand): string {
  switch (record.k) {
    case 'action':
      return fingerprint('act', record.action);
    case 'draw':
      return fingerprint('draw', record.do);
    case 'forfeited':
      return fingerprint('resign', null);
    case 'left':
      return fingerprint('leave', null);
  }
}

export function fingerprint(kind: 'act' | 'draw' | 'resign' | 'leave', body: Json): string {
  return `${kind}:${canonicalJson(body)}`;
}
