/** A player's command as work: performed once, answered by `ack` or `reject` (rule P4). */

import { findCommand, fingerprint, fingerprintOf } from '../../match/commands.ts';
import type { Command, Rejection } from '../../match/decide.ts';
import { gameOf } from '../../match/evolve.ts';
import type { CommandId, DrawStep } from '../../match/record.ts';
import type { Match } from './match-table.ts';
import type { MatchView, Repeat, Subscriber, Work, WorkResult } from './work.ts';

/** A player's command, as it came over a socket. */
export type PlayerCommand = PlayerAct & {
  /** The command's span, as a `traceparent`; for traces only. */
  readonly trace?: string | undefined;
};

type PlayerAct =
  | { readonly kind: 'act'; readonly id: CommandId; readonly action: unknown }
  | { readonly kind: 'resign' | 'leave'; readonly id: CommandId }
  | { readonly kind: 'draw'; readonly id: CommandId; readonly do: DrawStep };

/** A seat and its player, as in `Subscriber`. */
export interface PlayerSeat {
  readonly seat: number;
  readonly player: string | null;
}

export function playWork(
  s: string,
  seat: number,
  command: PlayerCommand,
  origin: Subscriber,
): Work {
  const { id } = command;
  return {
    origin,
    trace: command.trace,
    command: (match) => onceOnly(match as Match, { seat, player: origin.player }, command),
    done: (result) => {
      if (result.kind !== 'done') return { s, id, told: result };
      const { v } = findCommand((result.match as Match).commands, seat, id)!;
      return { s, id, told: { kind: 'done', v } };
    },
  };
}

export function playAsWork(
  seat: PlayerSeat,
  command: PlayerCommand,
  told: (result: WorkResult) => void,
): Work {
  return {
    trace: command.trace,
    command: (match) => onceOnly(match as Match, seat, command),
    done(result) {
      if (result.kind === 'done') {
        const { v } = findCommand((result.match as Match).commands, seat.seat, command.id)!;
        told({ ...result, v });
      } else told(result);
      return undefined;
    },
  };
}

/** Rule P4: a repeated command is acknowledged again and has no effect. */
function onceOnly(
  match: Match,
  { seat, player }: PlayerSeat,
  command: PlayerCommand,
): Command | Rejection | Repeat {
  if (!isSeatOf(match, seat, player)) return NOT_SEATED;
  const taken = findCommand(match.commands, seat, command.id);
  if (taken === null) return { ...command, seat };
  if (fingerprintOf(taken) === printOf(match, command)) return { repeatOf: taken.v };
  return { code: 'id_reused', error: `The id ${command.id} was used for another command` };
}

/** For a seat that its player has left. */
export const NOT_SEATED: Rejection = {
  code: 'unknown_session',
  error: 'This player has no seat in the session',
};

export function isSeatOf({ roster }: MatchView, seat: number, player: string | null): boolean {
  return player === null || roster[seat]?.id === player;
}

function printOf(match: Match, command: PlayerCommand): string {
  switch (command.kind) {
    case 'act':
      return fingerprint('act', gameOf(match.session).parseAction(command.action));
    case 'draw':
      return fingerprint('draw', command.do);
    case 'resign':
    case 'leave':
      return fingerprint(command.kind, null);
  }
}
