/** Times for people: how long ago, with the exact time and its zone. */

import { type ComponentChildren, createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { ago } from '../words/ago.ts';

/** How often relative times are recomputed. */
const TICK_MS = 5_000;

const Now = createContext(0);

/** Every `Time` below it updates itself. */
export function Clock({ children }: { readonly children: ComponentChildren }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return <Now.Provider value={now}>{children}</Now.Provider>;
}

/** `at` is an ISO time; null shows `never`. */
export function Time({
  at,
  never = 'never',
}: {
  readonly at: string | null;
  readonly never?: string;
}) {
  // A time after the last tick is not in the future.
  const now = Math.max(useContext(Now), Date.now());
  if (at === null) return <span class="muted">{never}</span>;
  return (
    <time dateTime={at} title={exactTime(at)}>
      {ago(Date.parse(at) - now)}
    </time>
  );
}

/** A future time. One that has just passed is due: the page is older than the response. */
export function Ahead({ at, never }: { readonly at: string | null; readonly never: string }) {
  useContext(Now);
  return at !== null && Date.parse(at) <= Date.now() ? <>now</> : <Time at={at} never={never} />;
}

const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'long' });
const clock = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' });

/** With the zone: `27 Nov 2026, 16:52:31 UTC`. */
export function exactTime(at: string): string {
  return exact.format(Date.parse(at));
}

/** `16:52:31`, in the reader's time zone. */
export function clockTime(at: string): string {
  return clock.format(Date.parse(at));
}

/** The reader's time zone as `clockTime` uses it: `UTC`, `CET`. */
export function zoneName(at: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', { timeZoneName: 'short' });
  return parts.formatToParts(Date.parse(at)).find(({ type }) => type === 'timeZoneName')!.value;
}
