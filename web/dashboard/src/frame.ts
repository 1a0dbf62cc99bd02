/** What stands around every page: where one is, in which world, and where one can go. */

import { ask } from './api.ts';
import { type Address, ownUrl, pageUrl } from './place.ts';
import type { Me, Place, Role, World } from './types.ts';
import { button, el, link, withAttributes } from './ui/dom.ts';

interface Entry {
  readonly page: string;
  readonly label: string;
  readonly roles: readonly Role[];
}

const ALL: readonly Role[] = ['owner', 'developer', 'support'];
const MAKERS: readonly Role[] = ['owner', 'developer'];

export const ENTRIES: readonly Entry[] = [
  { page: 'overview', label: 'Overview', roles: ALL },
  { page: 'sessions', label: 'Sessions', roles: ALL },
  { page: 'board', label: 'Tickets and groups', roles: ALL },
  { page: 'players', label: 'Players', roles: ALL },
  { page: 'bots', label: 'Bots', roles: ALL },
  { page: 'integrity', label: 'Device integrity', roles: ALL },
  { page: 'webhooks', label: 'Webhooks', roles: ALL },
  { page: 'requests', label: 'Request log', roles: ALL },
  { page: 'usage', label: 'Usage', roles: ALL },
  { page: 'keys', label: 'API keys', roles: MAKERS },
  { page: 'explorer', label: 'API explorer', roles: ALL },
  { page: 'audit', label: 'Audit log', roles: MAKERS },
  { page: 'team', label: 'Team', roles: ['owner'] },
];

/** How long what is said stays. */
const SAID_MS = 6_000;

export interface Frame {
  readonly element: HTMLElement;
  readonly main: HTMLElement;
  say(text: string): void;
  /** Says why something did not happen, over a dialog, too. */
  warn(text: string): void;
}

/** `place` is null on pages that belong to no tenant. */
export function makeFrame(
  me: Me,
  place: Place | null,
  address: Address,
  go: (url: string) => void,
): Frame {
  const main = withAttributes(el('main', ''), { id: 'content', tabindex: '-1' });
  const said = withAttributes(el('p', 'said'), { role: 'status' });
  const warned = withAttributes(el('p', 'said'), { role: 'alert' });
  const skip = link('#content', 'skip', 'Skip to the content');
  skip.addEventListener('click', (event) => {
    event.preventDefault();
    main.focus();
  });
  const nav = withAttributes(el('nav', '', ...makeEntries(me, place, address)), {
    'aria-label': 'Pages',
    id: 'pages',
  });
  const menu = withAttributes(
    button('menu', 'Menu', () => {
      const isOpen = nav.classList.toggle('open');
      menu.setAttribute('aria-expanded', String(isOpen));
    }),
    { 'aria-expanded': 'false', 'aria-controls': 'pages' },
  );
  const bar = el(
    'header',
    'bar',
    menu,
    link(ownUrl(''), 'brand', 'matchd'),
    ...(place === null ? [] : [makeTenantChoice(me, address, go), makeWorldChoice(place, address)]),
    el('span', 'space'),
    link(ownUrl('account'), 'account', me.name),
    button('small', 'Sign out', signOut),
  );
  const element = el('div', 'frame', skip, bar, nav, main, said, warned);
  element.dataset['world'] = place === null ? 'none' : address.world;
  let timer = 0;
  /** They stand in the same place: what is said now takes it. */
  const show = (status: string, alert: string): void => {
    said.textContent = status;
    warned.textContent = alert;
    clearTimeout(timer);
    if (status + alert !== '') timer = window.setTimeout(() => show('', ''), SAID_MS);
  };
  const warn = (text: string): void => {
    // A dialog covers the rest of the page, to those who listen as well.
    (document.querySelector('dialog[open]') ?? element).append(warned);
    show('', text);
  };
  return { element, main, say: (text) => show(text, ''), warn };
}

async function signOut(): Promise<void> {
  await ask('/logout', undefined, 'POST');
  location.assign(ownUrl('login'));
}

function makeEntries(me: Me, place: Place | null, { page, world }: Address): HTMLElement[] {
  const own =
    place === null
      ? []
      : ENTRIES.filter(({ roles }) => roles.includes(place.role)).map((each) =>
          makeEntry(pageUrl(place.slug, world, each.page), each.label, each.page === page),
        );
  const others = [
    makeEntry(ownUrl('account'), 'Your account', page === 'account' && place === null),
    ...(me.isOperator
      ? [makeEntry(ownUrl('installation'), 'Installation', page === 'installation')]
      : []),
    makeEntry('/docs/guides/', 'Guides', false),
    makeEntry('/docs/', 'Reference', false),
    // On a phone the bar has no room for it.
    el('li', 'on-phones', button('', 'Sign out', signOut)),
  ];
  return [...(own.length === 0 ? [] : [el('ul', '', ...own)]), el('ul', '', ...others)];
}

function makeEntry(url: string, label: string, isCurrent: boolean): HTMLElement {
  const entry = link(url, '', label);
  if (isCurrent) entry.setAttribute('aria-current', 'page');
  return el('li', '', entry);
}

function makeTenantChoice(me: Me, address: Address, go: (url: string) => void): HTMLElement {
  const choice = withAttributes(el('select', 'tenant'), { 'aria-label': 'Tenant' });
  for (const { slug, name } of me.tenants) {
    const option = withAttributes(el('option', '', name), { value: slug });
    option.selected = slug === address.tenant;
    choice.append(option);
  }
  choice.addEventListener('change', () => go(pageUrl(choice.value, address.world, 'overview')));
  return choice;
}

const WORLDS: readonly (readonly [World, string])[] = [
  ['test', 'Test'],
  ['live', 'Live'],
];

/** Both are always there, and which one it is says colour, word and address. */
function makeWorldChoice({ slug }: Place, { world, page }: Address): HTMLElement {
  const links = WORLDS.map(([name, label]) => {
    const made = link(pageUrl(slug, name, page || 'overview'), `world ${name}`, label);
    if (name === world) made.setAttribute('aria-current', 'true');
    return made;
  });
  return withAttributes(el('div', 'worlds', ...links), { role: 'group', 'aria-label': 'World' });
}
