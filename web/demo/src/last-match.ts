/**
 * The match that this tab last showed, so that a reload shows it again. Stores no token: a new one
 * is requested.
 */

import type { DemoMatch } from '../../../src/http/site/demo.ts';
import { BackendError, freshSeat } from './backend.ts';

const STORED = 'matchd.demo.match';

interface Stored {
  readonly session: string;
  readonly player: string;
  readonly others: readonly { readonly player: string; readonly name: string }[];
}

export function keepMatch({ session, player, others }: DemoMatch): void {
  const stored: Stored = {
    session,
    player,
    others: others.map(({ player: id, name }) => ({ player: id, name })),
  };
  try {
    sessionStorage.setItem(STORED, JSON.stringify(stored));
  } catch {
    // Storage is not available: a reload starts a new match.
  }
}

/** The service's error code for a match that no longer exists. */
const GONE: readonly number[] = [404, 410];

/** Null if there was none, or if it no longer exists. Rejects if the service cannot answer: then the match stays stored. */
export async function findMatch(): Promise<DemoMatch | null> {
  const stored = readStored();
  if (stored === null) return null;
  const { session, player, others } = stored;
  try {
    const [own, ...seats] = await Promise.all(
      [player, ...others.map((each) => each.player)].map((id) => freshSeat(session, id)),
    );
    return {
      session,
      player,
      playUrl: own!.playUrl,
      others: others.map((each, index) => ({ ...each, playUrl: seats[index]!.playUrl })),
    };
  } catch (error) {
    if (!(error instanceof BackendError && GONE.includes(error.status))) throw error;
    sessionStorage.removeItem(STORED);
    return null;
  }
}

function readStored(): Stored | null {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? 'null') as Stored | null;
  } catch {
    return null;
  }
}
