/** The games of this service, for lists and filters. */

import { ask } from './api.ts';
import type { Context } from './page.ts';
import type { Page } from './types.ts';

export interface GameInfo {
  readonly game: string;
  readonly isShipped: boolean;
  readonly rulesVersion: number;
  readonly hasBot: boolean;
  /** Of an operator's rules; null where the last hour had none. */
  readonly slowCalls: {
    readonly count: number;
    readonly longestMs: number;
    readonly lastAt: string;
  } | null;
}

/** Shipped games first. */
export async function fetchGames({ api }: Pick<Context, 'api'>): Promise<readonly GameInfo[]> {
  return (await ask<Page<GameInfo>>(`${api}/v1/games`)).data;
}
