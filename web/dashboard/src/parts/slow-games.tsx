/** An operator's games whose rules were slow within the last hour. */

import type { GameInfo } from '../games.ts';
import { useHere } from '../here.ts';
import { useAnswer } from '../query.ts';
import type { Page } from '../types.ts';
import { Time } from './time.tsx';

const REFRESH_MS = 30_000;

/** Nothing if there are none. */
export function SlowGames() {
  const { api } = useHere();
  const games = useAnswer<Page<GameInfo>>(`${api}/v1/games`, REFRESH_MS);
  const slow = (games.data?.data ?? []).flatMap(({ game, slowCalls }) =>
    slowCalls === null ? [] : [{ game, ...slowCalls }],
  );
  if (slow.length === 0) return null;
  return (
    <section class="card alerts">
      <h2>Games with slow rules</h2>
      <ul>
        {slow.map(({ game, count, longestMs, lastAt }) => (
          <li key={game}>
            <span>
              <strong>{game}</strong>: {count === 1 ? '1 call' : `${count} calls`} took longer than
              50 ms, the longest {longestMs} ms. Last <Time at={lastAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
