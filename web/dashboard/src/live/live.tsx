/** Pages follow the change stream: what they show is asked for again when it has changed. */

import type { ComponentChildren } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { isSignedOut } from '../api.ts';
import { type ChangedList, openChangeStream } from './change-stream.ts';

/** What is asked for again by itself while the stream is open: a change may be lost between nodes. */
const CHECK_MS = 60_000;
/** The same while the stream is broken. */
const POLL_MS = 5_000;
/** A break this short is not worth a word. */
const GRACE_MS = 1_500;

type Listener = (lists: readonly ChangedList[] | 'all') => void;

interface Live {
  /** False where there is no stream, and while it is broken. */
  readonly isOpen: boolean;
  listen(listener: Listener): () => void;
}

const LiveContext = createContext<Live>({ isOpen: false, listen: () => () => {} });

/** `path` is that of the world's stream; null on pages of no tenant. */
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
    let wasOpen = false;
    const close = openChangeStream(path, {
      opened() {
        // The page has just asked for what it shows; after a break it has not.
        if (wasOpen) tell('all');
        wasOpen = true;
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

/** Says that the stream is broken, as long as it is. */
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
