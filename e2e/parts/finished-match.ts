/** Matches played to their end by random players over sockets, for tests of results and replays. */

import { makeRandom } from '../../game/src/random.ts';
import type { Replay } from '../../src/match/replay/replay-form.ts';
import { anyShot } from './any-shot.ts';
import type { Tenant } from './matches.ts';
import { call, FOUR_PLAYERS } from './matches.ts';
import { openRandomPlayer } from './random-player.ts';

export interface FinishedMatch {
  readonly sessionId: string;
  /** The players' pages by seat: each shows the result. */
  readonly playUrls: readonly string[];
  readonly replay: Replay;
}

interface Created {
  readonly sessionId: string;
  readonly tokens: Readonly<Record<string, string>>;
  readonly playUrls: Readonly<Record<string, string>>;
  readonly players: readonly { readonly id: string; readonly seat: number }[];
}

export async function playToEnd(
  tenant: Tenant,
  request: { readonly game: string; readonly [field: string]: unknown },
  wish: { readonly seed: string; readonly seats?: number; readonly maskMax?: number },
): Promise<FinishedMatch> {
  const players = FOUR_PLAYERS.slice(0, wish.seats ?? 2);
  const body = { ...request, players };
  const made = (await call(tenant, 'POST', '/v1/sessions', body)) as Created;
  const { sessionId, tokens, playUrls } = made;
  const port = Number(new URL(tenant.url).port);
  const random = makeRandom(wish.seed, () => '', 0);
  const clients = await Promise.all(
    made.players.map(({ id, seat }) =>
      openRandomPlayer({
        port,
        token: tokens[id]!,
        session: sessionId,
        seat,
        random,
        ...(wish.maskMax === undefined ? { chooseFreely: anyShot } : { maskMax: wish.maskMax }),
      }),
    ),
  );
  for (const { over } of clients) await over;
  for (const client of clients) client.close();
  const replay = (await call(tenant, 'GET', `/v1/sessions/${sessionId}/replay`)) as Replay;
  return { sessionId, playUrls: players.flatMap(({ id }) => playUrls[id] ?? []), replay };
}
