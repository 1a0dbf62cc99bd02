/** The frame of every page: where the reader is, in which mode, and where they can go. */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask } from '../api.ts';
import { recallPlace } from '../last-place.ts';
import { type Address, ownUrl, pageUrl } from '../place.ts';
import type { Me, Place, World } from '../types.ts';
import { entriesFor } from './entries.ts';
import { FindButton } from './find-button.tsx';
import { Reach } from './reach.tsx';

interface Where {
  readonly me: Me;
  /** Null on pages without a tenant. */
  readonly place: Place | null;
  readonly address: Address;
}

/** On pages without a tenant the bar and the navigation keep the last tenant. */
function lastWhere({ me, place, address }: Where): Where {
  const last = place === null && address.tenant === null ? recallPlace(me) : null;
  if (last === null) return { me, place, address };
  return { me, place: last.place, address: { ...address, world: last.world } };
}

export function Shell({ children, ...given }: Where & { readonly children: ComponentChildren }) {
  const where = lastWhere(given);
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const { me, place, address } = where;
  const { path } = useLocation();
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    setOpen(false);
    // The page starts at its top, below the bar.
    scrollTo(0, 0);
    main.current!.focus({ preventScroll: true });
  }, [path]);
  return (
    <div class="frame" data-world={place === null ? 'none' : address.world}>
      {/* biome-ignore lint/a11y/useValidAnchor: it leads to a place, and the address stays */}
      <a
        href="#content"
        class="skip"
        onClick={(event) => {
          event.preventDefault();
          main.current!.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="bar">
        <button
          type="button"
          class="menu"
          aria-expanded={isOpen}
          aria-controls="pages"
          onClick={() => setOpen(!isOpen)}
        >
          Menu
        </button>
        <a
          href={place === null ? ownUrl('') : pageUrl(place.slug, address.world, 'overview')}
          class="brand"
        >
          matchd
        </a>
        {place !== null && (
          <>
            <TenantChoice me={me} place={place} address={address} />
            <WorldChoice place={place} address={address} />
          </>
        )}
        <span class="space" />
        <FindButton me={me} place={place} world={address.world} />
        <a href={ownUrl('account')} class="account">
          {me.name}
        </a>
        <button type="button" class="small sign-out" onClick={signOut}>
          Sign out
        </button>
      </header>
      <Navigation {...where} isOpen={isOpen} close={() => setOpen(false)} />
      <main id="content" tabIndex={-1} ref={main}>
        <Reach />
        {children}
      </main>
    </div>
  );
}

async function signOut(): Promise<void> {
  await ask('/logout', undefined, 'POST');
  location.assign(ownUrl('login'));
}

function Navigation({
  me,
  place,
  address: { tenant, page, world },
  isOpen,
  close,
}: Where & { readonly isOpen: boolean; readonly close: () => void }) {
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the links inside are what is pressed
    <nav id="pages" aria-label="Pages" class={isOpen ? 'open' : ''} onClick={close}>
      {place !== null && (
        <ul>
          {entriesFor(place.role).map((entry) => (
            <Item
              key={entry.page}
              url={pageUrl(place.slug, world, entry.page)}
              label={entry.label}
              isCurrent={tenant !== null && entry.page === page}
            />
          ))}
        </ul>
      )}
      <ul>
        <Item
          url={ownUrl('account')}
          label="Your account"
          isCurrent={tenant === null && page === 'account'}
        />
        {me.isOperator && (
          <Item
            url={ownUrl('installation')}
            label="Installation"
            isCurrent={tenant === null && page === 'installation'}
          />
        )}
        <Item url="/docs/guides/" label="Guides" isCurrent={false} />
        <Item url="/docs/" label="Reference" isCurrent={false} />
        {/* On a phone the bar has no room for it. */}
        <li class="on-phones">
          <button type="button" onClick={signOut}>
            Sign out
          </button>
        </li>
      </ul>
    </nav>
  );
}

function Item(entry: {
  readonly url: string;
  readonly label: string;
  readonly isCurrent: boolean;
}) {
  return (
    <li>
      <a href={entry.url} aria-current={entry.isCurrent ? 'page' : undefined}>
        {entry.label}
      </a>
    </li>
  );
}

function TenantChoice({
  me,
  place,
  address,
}: {
  readonly me: Me;
  readonly place: Place;
  readonly address: Address;
}) {
  const { route } = useLocation();
  return (
    <select
      class="tenant"
      aria-label="Tenant"
      value={place.slug}
      onChange={({ currentTarget }) =>
        route(pageUrl(currentTarget.value, address.world, 'overview'))
      }
    >
      {me.tenants.map(({ slug, name }) => (
        <option key={slug} value={slug}>
          {name}
        </option>
      ))}
    </select>
  );
}

const WORLDS: readonly (readonly [World, string])[] = [
  ['test', 'Test'],
  ['live', 'Live'],
];

/** Both are always shown; colour, word and address tell which one it is. */
function WorldChoice({ place, address }: { readonly place: Place; readonly address: Address }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: two links are no fieldset
    <div class="worlds" role="group" aria-label="World">
      {WORLDS.map(([name, label]) => (
        <a
          key={name}
          href={pageUrl(place.slug, name, address.tenant === null ? 'overview' : address.page)}
          class={`world ${name}`}
          aria-current={name === address.world ? 'true' : undefined}
        >
          {label}
        </a>
      ))}
    </div>
  );
}
