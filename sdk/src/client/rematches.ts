/** Messages about a rematch in flight: stored until they are answered, sent again on every new socket (rule P13). */

import { parseTime } from '../frames/frames.ts';
import type { RejectFrame, RematchFrame, RematchMessage } from '../generated/frames.ts';
import type { Link, Rematch } from './link.ts';
import { transmit } from './link.ts';

/** A message that the server could not accept for the moment is sent again after this. Ms. */
const SAY_AGAIN_MS = 1_500;
const PASSING = new Set(['too_fast', 'unavailable']);

export function sayRematch(link: Link, message: RematchMessage): void {
  link.rematches.set(message.id, message);
  // Before the session's state has arrived the socket does not know it either.
  if (link.shown.has(message.s)) transmit(link, message);
}

export function takeRematch(link: Link, frame: RematchFrame): void {
  const { s, id = null } = frame;
  if (id !== null) link.rematches.delete(id);
  link.options.onEvent({ kind: 'rematch', s, id, rematch: toRematch(frame) });
}

function toRematch({ asked, agreed, declined, here, until, next, ...rest }: RematchFrame): Rematch {
  return {
    asked,
    agreed: agreed === true,
    declined: declined ?? null,
    here,
    until: parseTime(until),
    next: next ?? null,
    refused: rest.refused ?? null,
    ratings: rest.ratings?.map(([before, after]) => [Number(before), Number(after)]) ?? null,
  };
}

/** Handles a refusal about a rematch; false for any other. */
export function refuseRematch(link: Link, { id, code, error }: RejectFrame): boolean {
  const message = id === null ? undefined : link.rematches.get(id);
  if (id === null || message === undefined) return false;
  if (PASSING.has(code)) {
    link.options.ports.after(SAY_AGAIN_MS, () => {
      if (link.rematches.has(id) && link.shown.has(message.s)) transmit(link, message);
    });
    return true;
  }
  link.rematches.delete(id);
  link.options.onEvent({ kind: 'rematchRefused', s: message.s, id, code, error });
  return true;
}

export function sayRematchesAgain(link: Link, session: string): void {
  for (const message of link.rematches.values()) if (message.s === session) transmit(link, message);
}
