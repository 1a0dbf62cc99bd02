/** Which commands a match has accepted (rule P4): rebuilt from its log, so it survives everything. */

import type { Json, Seat } from '../../game/src/game.ts';
import { canonicalJson } from '../../game/src/json.ts';
import type { CommandId, Entry, LogRecord } from './record.ts';

/** A record that results from a command. */
type CommandRecord = Extract<LogRecord, { readonly id: CommandId | null }>;

/** An acknowledged command: its record, and the record's version. */
export interface TakenCommand {
  readonly v: number;
  readonly record: CommandRecord;
}

/** By seat, then by the client's id. Grows with its log. */
export type CommandIndex = Map<CommandId, TakenCommand>[];

export function makeCommandIndex(entries: readonly Entry[]): CommandIndex {
  const index: CommandIndex = [];
  for (const entry of entries) rememberCommand(index, entry);
  return index;
}

/**
 * Adds a committed record to the index; records without a command are skipped. A new player on a
 * left seat starts without commands: ids are chosen by clients, and two players' may be equal.
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

/** The content of a command as text: two commands with one id are the same if this is. */
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
