/** One search box for everything: pages, and sessions, players, requests, tickets, webhooks and keys. */

import MiniSearch from 'minisearch';
import { useEffect, useId, useMemo, useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask } from '../api.ts';
import { canEdit } from '../here.ts';
import { Dialog } from '../parts/dialog.tsx';
import { ownUrl, pageUrl } from '../place.ts';
import type { Key, Me, Page, Place, World } from '../types.ts';
import { entriesFor } from './entries.ts';
import type { FindProps } from './find-props.ts';

interface Item {
  readonly id: string;
  readonly label: string;
  readonly kind: string;
  readonly url: string;
}

/** The pause after a key press before the service is asked. */
const PAUSE_MS = 150;
const SHOWN_MAX = 12;

export function Palette({ close, ...props }: FindProps & { readonly close: () => void }) {
  const { route } = useLocation();
  const [words, setWords] = useState('');
  const [picked, setPicked] = useState(0);
  const id = useId();
  const known = useKnown(props);
  const found = useFound(props, words.trim());
  const items = useMemo(() => rank(known, found, words.trim()), [known, found, words]);
  const open = (item: Item | undefined): void => {
    if (item === undefined) return;
    close();
    if (item.url.startsWith('/dashboard/')) route(item.url);
    else location.assign(item.url);
  };
  const pressed = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === 'Enter') open(items[picked]);
    if (step === undefined) return;
    event.preventDefault();
    setPicked((picked + step + items.length) % Math.max(1, items.length));
  };
  return (
    <Dialog title="Find" close={close} className="palette">
      <input
        type="text"
        role="combobox"
        aria-label="Find pages, sessions, players, requests, tickets, webhooks and keys"
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={items.length === 0 ? undefined : `${id}-${picked}`}
        placeholder="A page, an id, a player…"
        autocomplete="off"
        spellcheck={false}
        value={words}
        onInput={({ currentTarget }) => {
          setWords(currentTarget.value);
          setPicked(0);
        }}
        onKeyDown={pressed}
      />
      <div role="listbox" id={id} aria-label="Results">
        {items.map((item, n) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are pressed in the box
          <div
            role="option"
            key={item.id}
            id={`${id}-${n}`}
            tabIndex={-1}
            aria-selected={n === picked}
            onClick={() => open(item)}
          >
            <span class="id">{item.label}</span> <span class="muted">{item.kind}</span>
          </div>
        ))}
      </div>
      {items.length === 0 && <p class="muted">Nothing matches.</p>}
    </Dialog>
  );
}

/** Best first; the service's results by id come before all. */
function rank(known: readonly Item[], found: readonly Item[], words: string): readonly Item[] {
  if (words === '') return known.slice(0, SHOWN_MAX);
  const index = new MiniSearch<Item>({
    fields: ['label', 'kind', 'id'],
    searchOptions: { prefix: true, fuzzy: 0.2, boost: { label: 2 }, combineWith: 'AND' },
  });
  index.addAll(known);
  const byId = new Map(known.map((item) => [item.id, item]));
  const matches = index.search(words).map(({ id }) => byId.get(String(id))!);
  return [...found, ...matches].slice(0, SHOWN_MAX);
}

function pagesOf({ me, place, world }: FindProps): readonly Item[] {
  const own =
    place === null
      ? []
      : entriesFor(place.role).map(({ page, label }) => ({
          id: `page-${page}`,
          label,
          kind: `${place.name}, ${world}`,
          url: pageUrl(place.slug, world, page),
        }));
  const item = (id: string, label: string, url: string): Item => ({ id, label, kind: 'page', url });
  return [
    ...own,
    item('account', 'Your account', ownUrl('account')),
    ...(me.isOperator ? [item('installation', 'Installation', ownUrl('installation'))] : []),
    ...otherTenants(me, place, world),
    item('guides', 'Guides', '/docs/guides/'),
    item('reference', 'Reference', '/docs/'),
  ];
}

function otherTenants(me: Me, place: Place | null, world: World): readonly Item[] {
  return me.tenants
    .filter(({ slug }) => slug !== place?.slug)
    .map(({ slug, name }) => ({
      id: `tenant-${slug}`,
      label: name,
      kind: 'tenant',
      url: pageUrl(slug, world, 'overview'),
    }));
}

/** Pages, and the webhooks and keys of this mode, which are few. */
function useKnown(props: FindProps): readonly Item[] {
  const { place, world } = props;
  const [named, setNamed] = useState<readonly Item[]>([]);
  useEffect(() => {
    if (place === null) return;
    const api = `/t/${place.slug}/${world}`;
    const hooks = ask<Page<{ id: string; url: string }>>(`${api}/v1/webhooks?limit=100`).then(
      ({ data }) =>
        data.map(({ id, url }) => ({
          id,
          label: url,
          kind: 'webhook',
          url: pageUrl(place.slug, world, 'webhooks', id),
        })),
    );
    const keys = !canEdit({ place })
      ? []
      : ask<Page<Key>>(`${api}/keys`).then(({ data }) =>
          data.map(({ id, name, hint }) => ({
            id,
            label: `${name} ${hint}`,
            kind: 'API key',
            url: pageUrl(place.slug, world, 'keys'),
          })),
        );
    Promise.all([hooks, keys]).then(
      (lists) => setNamed(lists.flat()),
      // Pages can be found without them.
      () => {},
    );
  }, [place, world]);
  return useMemo(() => [...pagesOf(props), ...named], [named]);
}

/** The service's results: an id by its prefix, players by a prefix of their ids. */
function useFound({ place, world }: FindProps, words: string): readonly Item[] {
  const [found, setFound] = useState<readonly Item[]>([]);
  useEffect(() => {
    setFound([]);
    if (place === null || words === '') return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      const items = await lookUp(place, world, words).catch(() => []);
      if (isCurrent) setFound(items);
    }, PAUSE_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [place, world, words]);
  return found;
}

async function lookUp({ slug }: Place, world: World, words: string): Promise<readonly Item[]> {
  const api = `/t/${slug}/${world}`;
  const one = async (kind: string, path: string, url: string): Promise<readonly Item[]> => {
    await ask(`${api}${path}`);
    return [{ id: words, label: words, kind, url }];
  };
  const id = encodeURIComponent(words);
  if (words.startsWith('ses_')) {
    return one('session', `/v1/sessions/${id}`, pageUrl(slug, world, 'sessions', id));
  }
  if (words.startsWith('req_')) {
    return one('request', `/requests/${id}`, `${pageUrl(slug, world, 'requests')}?id=${id}`);
  }
  if (words.startsWith('tkt_') || words.startsWith('grp_')) {
    const kind = words.startsWith('tkt_') ? 'ticket' : 'group';
    return one(kind, `/tickets/${id}`, pageUrl(slug, world, 'board', id));
  }
  const { data } = await ask<Page<{ playerId: string; displayName: string | null }>>(
    `${api}/players?find=${id}`,
  );
  return data.slice(0, 5).map(({ playerId, displayName }) => ({
    id: `player-${playerId}`,
    label: displayName === null ? playerId : `${displayName} (${playerId})`,
    kind: 'player',
    url: pageUrl(slug, world, 'players', encodeURIComponent(playerId)),
  }));
}
