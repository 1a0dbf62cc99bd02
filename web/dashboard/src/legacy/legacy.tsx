/** Pages that are not rewritten yet: their own elements inside the new shell. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { isSignedOut } from '../api.ts';
import type { Here } from '../here.ts';
import type { Context, MakePage } from '../page.ts';
import { Failure, Loading, Notice } from '../parts/states.tsx';

/** `refresh` asks anew who is signed in; `signedOut` says that nobody is. */
export function Legacy({
  make,
  here,
  refresh,
  signedOut,
}: {
  readonly make: MakePage;
  readonly here: Here;
  readonly refresh: () => Promise<unknown>;
  readonly signedOut: () => void;
}) {
  const { route } = useLocation();
  const holder = useRef<HTMLDivElement>(null);
  const [turn, setTurn] = useState(0);
  const [isLoading, setLoading] = useState(true);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    const stops: (() => void)[] = [];
    let isShown = true;
    const context: Context = {
      ...here,
      go: route,
      reload: (words = '') =>
        void refresh().then(() => {
          setTurn((before) => before + 1);
          here.say(words);
        }),
      every: (ms, act) => void stops.push(repeat(ms, act, signedOut)),
    };
    Promise.resolve()
      .then(() => make(context))
      .then(
        (made) => {
          if (isShown) holder.current!.replaceChildren(made);
        },
        (reason: unknown) => {
          if (isShown) setError(reason);
          if (isSignedOut(reason)) signedOut();
        },
      )
      .finally(() => isShown && setLoading(false));
    return () => {
      isShown = false;
      stops.forEach((stop) => void stop());
    };
  }, [make, here.api, here.id, turn]);
  if (error !== null) {
    return (
      <>
        <Notice title="This could not be shown">Something went wrong.</Notice>
        <Failure error={error} />
      </>
    );
  }
  return (
    <>
      {isLoading && <Loading />}
      <div ref={holder} />
    </>
  );
}

/** Runs while the page is looked at; a failure is not the end, unless the reader is signed out. */
function repeat(ms: number, act: () => Promise<void>, signedOut: () => void): () => void {
  let isStopped = false;
  const turn = async (): Promise<void> => {
    if (!document.hidden) {
      await act().catch((error: unknown) => {
        if (!isStopped && isSignedOut(error)) signedOut();
      });
    }
    if (!isStopped) setTimeout(turn, ms);
  };
  setTimeout(turn, ms);
  return () => {
    isStopped = true;
  };
}
