/** Finds out who is there and where he wants to go, and shows that page. */

import { ask, Refusal } from './api.ts';
import { ENTRIES, makeFrame } from './frame.ts';
import type { Context, MakePage } from './page.ts';
import { showLink } from './pages/link.ts';
import { showLogin } from './pages/login.ts';
import { OWN_PAGES, TENANT_PAGES } from './pages/pages.ts';
import { type Address, ownUrl, pageUrl, parseAddress } from './place.ts';
import type { Me } from './types.ts';
import { closeDialogs } from './ui/dialog.ts';
import { el } from './ui/dom.ts';
import { refreshTimes } from './ui/time.ts';

/** How often it is said anew how long ago things were. */
const TIMES_MS = 5_000;

const root = document.getElementById('app')!;
/** Cancels what the page before did again and again. */
let leave = (): void => {};
/** Says on the page that is shown why something did not happen. */
let warn = (_text: string): void => {};
/** Rises with every page: what comes late for an older one is dropped. */
let visit = 0;

function go(url: string): void {
  history.pushState(null, '', url);
  void show(true);
}

async function show(isMove = false, words = ''): Promise<void> {
  leave();
  const here = ++visit;
  const address = parseAddress(location.pathname);
  if (['setup', 'invitation', 'reset'].includes(address.page) && address.tenant === null) {
    await showLink(root, address.page);
    return done();
  }
  let me: Me;
  try {
    me = await ask<Me>('/me');
  } catch (error) {
    if (here !== visit) return;
    if (isSignedOut(error)) showOut();
    else root.replaceChildren(el('p', 'problem lonely', String((error as Error).message)));
    return done();
  }
  if (here === visit) await showPage(me, address, here, { isMove, words });
  done();
}

function isSignedOut(error: unknown): boolean {
  return error instanceof Refusal && error.status === 401;
}

/** Whoever was shown a page before is told why it is gone. */
function showOut(): void {
  const wasIn = root.querySelector('.frame') !== null;
  closeDialogs();
  showLogin(root, (advice) => void show(true, advice), wasIn ? 'You have been signed out.' : '');
}

function done(): void {
  root.removeAttribute('aria-busy');
}

/** How one came to a page: is it another than before, and what is to be said there? */
interface Coming {
  readonly isMove: boolean;
  readonly words: string;
}

async function showPage(me: Me, address: Address, here: number, coming: Coming): Promise<void> {
  const start = startOf(me, address);
  if (start !== null) {
    history.replaceState(null, '', start);
    return showPage(me, parseAddress(start), here, coming);
  }
  const place = me.tenants.find(({ slug }) => slug === address.tenant) ?? null;
  const frame = makeFrame(me, place, address, go);
  const stops: (() => void)[] = [];
  leave = () => stops.forEach((stop) => void stop());
  warn = frame.warn;
  const context = {
    me,
    place,
    world: address.world,
    id: address.id,
    api: `/t/${address.tenant}/${address.world}`,
    go,
    reload: (words = '') => void show(false, words),
    say: frame.say,
    every: (ms: number, act: () => Promise<void>) => void stops.push(repeat(ms, act)),
  } as Context;
  const made = await makeContent(place === null ? OWN_PAGES : TENANT_PAGES, address, context);
  if (here !== visit) return;
  frame.main.replaceChildren(made);
  root.replaceChildren(frame.element);
  const title = made.querySelector('h1')?.textContent ?? 'Dashboard';
  const where = place === null ? '' : `${address.world} · ${place.name} · `;
  document.title = `${title} · ${where}matchd`;
  if (coming.isMove) frame.main.focus();
  frame.say(coming.words);
}

/** Where to go instead of the start; null for an address that is a page. */
function startOf(me: Me, { tenant, page }: Address): string | null {
  if (tenant !== null || (page !== '' && page !== 'login')) return null;
  const first = me.tenants[0];
  if (first !== undefined) return pageUrl(first.slug, 'test', 'overview');
  return ownUrl(me.isOperator ? 'installation' : 'account');
}

async function makeContent(
  pages: Readonly<Record<string, MakePage>>,
  { tenant, page }: Address,
  context: Context,
): Promise<HTMLElement> {
  const make = pages[page];
  const isForeign = tenant !== null && context.place === null;
  const entry = ENTRIES.find((each) => each.page === page);
  const isClosed = context.place !== null && entry?.roles.includes(context.place.role) === false;
  if (make === undefined || isForeign)
    return notice('There is no such page', 'Pick one on the left.');
  if (isClosed) return notice('Not for your role', `As ${context.place.role} you cannot see this.`);
  try {
    return await make(context);
  } catch (error) {
    return notice('This could not be shown', String((error as Error).message));
  }
}

function notice(title: string, text: string): HTMLElement {
  return el('div', '', el('h1', '', title), el('p', 'lead', text));
}

/** While nobody looks it rests; a failure is not the end, unless the reader is signed out. */
function repeat(ms: number, act: () => Promise<void>): () => void {
  let isStopped = false;
  const failed = (error: unknown): void => {
    if (!isStopped && isSignedOut(error)) void show();
  };
  const turn = async (): Promise<void> => {
    if (!document.hidden) await act().catch(failed);
    if (!isStopped) setTimeout(turn, ms);
  };
  setTimeout(turn, ms);
  return () => {
    isStopped = true;
  };
}

/** What a button or a field was refused and no page or form says itself. */
window.addEventListener('unhandledrejection', (event) => {
  const error: unknown = event.reason;
  // Anything else is a fault of the page's own, which the console should have, too.
  if (error instanceof Refusal) event.preventDefault();
  if (isSignedOut(error)) void show();
  else warn(error instanceof Error ? error.message : String(error));
});
addEventListener('popstate', () => void show(true));
document.addEventListener('click', (event) => {
  const anchor = (event.target as Element).closest('a');
  const isPlain = !event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0;
  if (anchor === null || !isPlain || anchor.target !== '' || event.defaultPrevented) return;
  if (anchor.hasAttribute('download')) return;
  if (anchor.origin !== location.origin || !anchor.pathname.startsWith('/dashboard')) return;
  event.preventDefault();
  go(anchor.href);
});
setInterval(refreshTimes, TIMES_MS);
void show();
