/** The board of a session: live during the match, with a slider after its end. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, type Json } from '../../api.ts';
import { canManage, useHere } from '../../here.ts';
import { Failure, Loading } from '../../parts/states.tsx';
import { fetchAnswer, useClient } from '../../query.ts';
import type { Session } from '../../types.ts';
import { showReplay } from './replay-frame.ts';

export function Stage({ session, path }: { readonly session: Session; readonly path: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const [error, setError] = useState<unknown>(null);
  const [isLoading, setLoading] = useState(true);
  const [tries, setTries] = useState(0);
  const { status } = session;
  const client = useClient();
  const mayWatch = canManage(useHere());
  useEffect(() => {
    let isShown = true;
    setError(null);
    setLoading(true);
    const show = async (): Promise<void> => {
      const isEnded = status === 'ended';
      if (status === 'pending' || (!isEnded && !mayWatch)) return;
      // The timeline reads the replay, too: one request serves both.
      const given = isEnded
        ? await fetchAnswer<Json>(client, `${path}/replay`)
        : await ask(`${path}/watch`, {});
      if (!isShown) return;
      if (isEnded) showReplay(holder.current!, given);
      else showLive(holder.current!, String(given['playUrl']));
    };
    show()
      .catch((reason: unknown) => isShown && setError(reason))
      .finally(() => isShown && setLoading(false));
    return () => {
      isShown = false;
    };
  }, [status, path, tries]);
  return (
    <section class="stage" aria-label="Board">
      {status === 'pending' && <p class="empty">The match has not started.</p>}
      {status === 'active' && !mayWatch && (
        <p class="empty">
          Viewers cannot watch live matches. The replay is here when it has ended.
        </p>
      )}
      {status !== 'pending' && isLoading && <Loading />}
      {error !== null && <Failure error={error} retry={() => setTries(tries + 1)} />}
      <div ref={holder} />
    </section>
  );
}

function showLive(holder: HTMLElement, playUrl: string): void {
  // The path only, so that it works under every host name of the service.
  const { pathname, hash } = new URL(playUrl);
  const frame = document.createElement('iframe');
  frame.src = pathname + hash;
  frame.title = 'The match, live';
  frame.allow = 'fullscreen';
  holder.replaceChildren(frame);
}
