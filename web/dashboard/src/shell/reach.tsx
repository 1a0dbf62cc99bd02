/** A bar that is shown while the service cannot be reached. */

import { useEffect, useState } from 'preact/hooks';
import { ask, ReachEvent } from '../api.ts';
import { clockTime } from '../parts/time.tsx';

/** How often an unreachable service is retried. */
const TRY_MS = 3_000;

export function Reach() {
  const [lostAt, setLostAt] = useState<string | null>(null);
  useEffect(() => {
    const note = (isReached: boolean): void =>
      setLostAt((before) => (isReached ? null : (before ?? new Date().toISOString())));
    const reached = (event: Event): void => note((event as ReachEvent).isReached);
    const offline = (): void => note(false);
    addEventListener(ReachEvent.type, reached);
    addEventListener('offline', offline);
    return () => {
      removeEventListener(ReachEvent.type, reached);
      removeEventListener('offline', offline);
    };
  }, []);
  const isLost = lostAt !== null;
  useEffect(() => {
    if (!isLost) return;
    const timer = setInterval(() => void ask('/status').catch(() => {}), TRY_MS);
    return () => clearInterval(timer);
  }, [isLost]);
  return (
    <p class="reach" role="status">
      {isLost &&
        `Connection lost. This page shows data from before ${clockTime(lostAt)}. Reconnecting…`}
    </p>
  );
}
