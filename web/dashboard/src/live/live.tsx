/** Pages follow the change stream: their data is fetched again when it has changed. */

import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isSignedOut } from '../api.ts';
import { type ChangedList, openChangeStream } from './change-stream.ts';

/** How often data is fetched again while the stream is open: a change may be lost between nodes. */
const CHECK_MS = 60_000;
/** The same while the stream is broken. */
const POLL_MS = 5_000;
/** A shorter break is not announced. */
const GRACE_MS = 1_500;

type Listener = (lists: readonly ChangedList[] | 'all') => void;

interface Live {
  /** False without a stream, and while it is broken. */
  readonly isOpen: boolean;
  listen(listener: Listener): () => void;
}

const LiveContext = createContext<Live>({ isOpen: false, listen: () => () => {} });

/** `path` is that of the mode's stream; null on pages without a tenant. */
export function LiveUpdates({
  path,
  signedOut,
  children,
}: {
  readonly path: string | null;
  readonly signedOut: () => void;
  readonly children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const [broken, setBroken] = useState<{ readonly error: unknown } | null>(null);
  const listeners = useRef(new Set<Listener>());
  useEffect(() => {
    if (path === null) return;
    const tell: Listener = (lists) => {
      for (const listener of listeners.current) listener(lists);
    };
    const close = openChangeStream(path, {
      opened() {
        // The stream does not report what changed before it opened.
        tell('all');
        setOpen(true);
        setBroken(null);
      },
      changed: tell,
      broken(error) {
        if (isSignedOut(error)) signedOut();
        setOpen(false);
        setBroken({ error });
      },
    });
    return () => {
      close();
      setOpen(false);
      setBroken(null);
    };
  }, [path]);
  const live = useMemo(
    (): Live => ({
      isOpen,
      listen(listener) {
        listeners.current.add(listener);
        return () => listeners.current.delete(listener);
      },
    }),
    [isOpen],
  );
  return (
    <LiveContext.Provider value={live}>
      <Break broken={broken} />
      {children}
    </LiveContext.Provider>
  );
}

/** Says that the stream is broken, while it is. */
function Break({ broken }: { readonly broken: { readonly error: unknown } | null }) {
  const isBroken = broken !== null;
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    if (!isBroken) return setLong(false);
    const timer = setTimeout(() => setLong(true), GRACE_MS);
    return () => clearTimeout(timer);
  }, [isBroken]);
  const why = broken?.error instanceof Error ? `${broken.error.message}. ` : '';
  return (
    <p class="reach" role="status">
      {isBroken &&
        isLong &&
        `Live updates are interrupted. ${why}This page asks every ${POLL_MS / 1_000} s. Reconnecting…`}
    </p>
  );
}

/** Calls `act` when one of these lists has changed, each minute, and more often while the stream is broken. */
export function useChanges(lists: readonly ChangedList[], act: () => void): void {
  const { isOpen, listen } = useContext(LiveContext);
  const latest = useRef(act);
  latest.current = act;
  useEffect(
    () =>
      listen((changed) => {
        if (changed === 'all' || changed.some((list) => lists.includes(list))) latest.current();
      }),
    [lists.join(), listen],
  );
  const isFollowing = lists.length > 0;
  useEffect(() => {
    if (!isFollowing) return;
    const timer = setInterval(
      () => !document.hidden && latest.current(),
      isOpen ? CHECK_MS : POLL_MS,
    );
    return () => clearInterval(timer);
  }, [isFollowing, isOpen]);
}
