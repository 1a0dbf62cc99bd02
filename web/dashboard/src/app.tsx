/** Chooses the page by the account and the address. */

import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { LocationProvider, useLocation } from 'preact-iso';
import { isSignedOut, Refusal } from './api.ts';
import { type Here, HereContext } from './here.ts';
import { recallPlace, rememberPlace } from './last-place.ts';
import { LiveUpdates } from './live/live.tsx';
import { Login } from './pages/account/login.tsx';
import { OWN_PAGES, TENANT_PAGES } from './pages.ts';
import { lazy } from './parts/lazy.tsx';
import { Failure, Loading, Notice } from './parts/states.tsx';
import { Clock } from './parts/time.tsx';
import { type Address, ownUrl, pageUrl, parseAddress } from './place.ts';
import { Client, makeClient, useAnswer } from './query.ts';
import type { Announcer } from './shell/announcer.ts';
import { ENTRIES } from './shell/entries.ts';
import { Shell } from './shell/shell.tsx';
import type { Me, Place } from './types.ts';

/** Most readers open it once or twice. */
const LinkPage = lazy(async () => (await import('./pages/account/link.tsx')).LinkPage);
const EXPLORER = 'explorer';
/** Addresses of no tenant that lead to one. */
const START_PAGES: readonly string[] = ['', 'login', EXPLORER];
/** Pages that a link in a message opens, signed in or not. */
const LINK_PAGES: readonly string[] = ['setup', 'invitation', 'reset'];

export function App({ announcer }: { readonly announcer: Announcer }) {
  const [isOut, setOut] = useState(false);
  const signedOut = useCallback(() => setOut(true), []);
  const client = useMemo(() => makeClient(signedOut), [signedOut]);
  useEffect(() => {
    const listen = (event: PromiseRejectionEvent): void => {
      const reason: unknown = event.reason;
      // Any other error is the page's own fault and belongs in the console, too.
      if (reason instanceof Refusal) event.preventDefault();
      if (isSignedOut(reason)) signedOut();
      else announcer.warn(reason instanceof Error ? reason.message : String(reason));
    };
    addEventListener('unhandledrejection', listen);
    return () => removeEventListener('unhandledrejection', listen);
  }, [announcer, signedOut]);
  const entered = (advice: string): void => {
    client.clear();
    setOut(false);
    announcer.say(advice);
  };
  return (
    <LocationProvider scope="/dashboard">
      <Client.Provider value={client}>
        <Clock>
          <Entrance isOut={isOut} signedOut={signedOut} entered={entered} announcer={announcer} />
        </Clock>
      </Client.Provider>
    </LocationProvider>
  );
}

interface EntranceProps {
  readonly isOut: boolean;
  readonly signedOut: () => void;
  readonly entered: (advice: string) => void;
  readonly announcer: Announcer;
}

function Entrance({ isOut, entered, ...rest }: EntranceProps) {
  const address = parseAddress(useLocation().path);
  /** If a page was shown before, the reader is told why it is gone. */
  const wasIn = useRef(false);
  if (address.tenant === null && LINK_PAGES.includes(address.page)) {
    return <LinkPage key={address.page} page={address.page} />;
  }
  if (isOut) {
    const words = wasIn.current ? 'You have been signed out.' : '';
    return <Login entered={entered} words={words} />;
  }
  return <SignedIn {...rest} address={address} wasIn={wasIn} />;
}

interface SignedInProps extends Pick<EntranceProps, 'signedOut' | 'announcer'> {
  readonly address: Address;
  readonly wasIn: { current: boolean };
}

function SignedIn({ address, wasIn, ...rest }: SignedInProps) {
  const { path, url, route } = useLocation();
  const me = useAnswer<Me>('/me');
  const asked = useRef(path);
  useEffect(() => {
    if (asked.current === path) return;
    asked.current = path;
    // A role may have changed, or a tenant may be new.
    void me.refetch();
  }, [path]);
  const start = me.data === undefined ? null : startOf(me.data, address, url);
  useEffect(() => {
    if (start !== null) route(start, true);
  }, [start]);
  if (me.data === undefined) {
    if (!me.isError || isSignedOut(me.error)) return <Loading />;
    return (
      <main class="alone">
        <Failure error={me.error} retry={() => void me.refetch()} />
      </main>
    );
  }
  if (start !== null) return <Loading />;
  wasIn.current = true;
  const place = me.data.tenants.find(({ slug }) => slug === address.tenant) ?? null;
  if (address.tenant !== null && place === null && (me.isFetching || asked.current !== path)) {
    return <Loading />;
  }
  if (place !== null) rememberPlace(place.slug, address.world);
  return (
    <Shell me={me.data} place={place} address={address}>
      <LiveUpdates
        path={place === null ? null : `/t/${place.slug}/${address.world}/changes`}
        signedOut={rest.signedOut}
      >
        <PageOf me={me.data} place={place} address={address} announcer={rest.announcer} />
      </LiveUpdates>
    </Shell>
  );
}

/** Where to redirect from the start page; null for the address of a page. `url` includes the query. */
function startOf(me: Me, { tenant, page }: Address, url: string): string | null {
  if (tenant !== null || !START_PAGES.includes(page)) return null;
  const last = recallPlace(me);
  const slug = (last?.place ?? me.tenants[0])?.slug;
  if (page === EXPLORER && slug !== undefined) {
    // The reference links to a call and knows no tenant. It is tried in test mode.
    return pageUrl(slug, 'test', EXPLORER) + url.slice(ownUrl(EXPLORER).length);
  }
  if (last !== null) return pageUrl(last.place.slug, last.world, 'overview');
  const first = me.tenants[0];
  if (first !== undefined) return pageUrl(first.slug, 'test', 'overview');
  return ownUrl(me.isOperator ? 'installation' : 'account');
}

interface PageProps extends Pick<EntranceProps, 'announcer'> {
  readonly me: Me;
  readonly place: Place | null;
  readonly address: Address;
}

function PageOf({ me, place, address, announcer }: PageProps) {
  const { tenant, world, page, id } = address;
  useTitle(place, address);
  const here = useMemo(
    () =>
      ((): Here => {
        const { say, warn } = announcer;
        const api = `/t/${tenant}/${world}`;
        // Pages without a tenant do not use `place`.
        return { me, place: place!, world, id, api, say, warn };
      })(),
    [me, place, world, id, tenant, announcer],
  );
  const Page = (place === null ? OWN_PAGES : TENANT_PAGES)[page];
  const roles = ENTRIES.find((each) => each.page === page)?.roles;
  if (Page === undefined || (tenant !== null && place === null)) {
    return <Notice title="There is no such page">Pick one in the navigation.</Notice>;
  }
  if (place !== null && roles?.includes(place.role) === false) {
    return <Notice title="Not for your role">As {place.role} you cannot see this page.</Notice>;
  }
  const key = `${tenant} ${world} ${page}`;
  return (
    <HereContext.Provider value={here}>
      <Page key={key} />
    </HereContext.Provider>
  );
}

/** The document's title is the page's heading, whenever that appears. */
function useTitle(place: Place | null, { world }: Address): void {
  useEffect(() => {
    const where = place === null ? '' : `${world} · ${place.name} · `;
    const content = document.getElementById('content')!;
    const name = (): void => {
      const heading = content.querySelector('h1');
      const title = heading?.getAttribute('aria-label') ?? heading?.textContent ?? 'Dashboard';
      const next = `${title} · ${where}matchd`;
      if (document.title !== next) document.title = next;
    };
    name();
    const observer = new MutationObserver(name);
    observer.observe(content, { childList: true, subtree: true });
    return () => observer.disconnect();
  }, [place, world]);
}
