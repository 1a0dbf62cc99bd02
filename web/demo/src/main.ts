/** The demo's app: creates a match through its backend, mounts it, and shows its events. */

import type { Mounted } from '../../../sdk/src/embed/index.ts';
import { mount } from '../../../sdk/src/embed/index.ts';
import type { DemoMatch } from '../../../src/http/site/demo.ts';
import { fetchGames, freshSeat, makeMatch } from './backend.ts';
import { makeEventLog } from './event-log.ts';
import { copyButton, find, make } from './find.ts';
import { findMatch, keepMatch } from './last-match.ts';
import { makeLook } from './look.ts';
import { makeBackendSample, makePageSample } from './samples.ts';
import { makeSetup } from './setup.ts';

async function open(): Promise<void> {
  const games = await fetchGames();
  const events = makeEventLog();
  let mounted: Mounted | null = null;
  const readLook = makeLook(({ theme, palette, locale }) => {
    mounted?.setTheme(theme);
    mounted?.setPalette(palette);
    mounted?.setLocale(locale || navigator.language);
    drawSamples();
  });
  const setup = makeSetup(games, drawSamples, () => void start());

  function drawSamples(): void {
    find('backend-code').textContent = makeBackendSample(setup.wish());
    find('page-code').textContent = makePageSample(readLook());
  }

  async function start(): Promise<void> {
    find('trouble').textContent = '';
    find('retry').hidden = true;
    setup.setBusy(true);
    try {
      const match = await makeMatch(setup.wish());
      keepMatch(match);
      show(match).frame.scrollIntoView({ block: 'nearest', behavior: 'smooth' });
    } catch (error) {
      find('trouble').textContent = (error as Error).message;
    } finally {
      setup.setBusy(false);
    }
  }

  function show(match: DemoMatch): Mounted {
    mounted?.unmount();
    events.clear();
    showInvitations(match);
    mounted = mountMatch(match);
    return mounted;
  }

  function mountMatch({ session, player, playUrl }: DemoMatch): Mounted {
    const frame = find('frame');
    frame.replaceChildren();
    const { theme, palette, locale } = readLook();
    return mount(frame, {
      url: here(playUrl),
      getToken: async () => (await freshSeat(session, player)).token,
      theme,
      palette: palette ?? undefined,
      locale: locale || undefined,
      title: 'The match',
      onEvent: events.add,
    });
  }

  for (const id of ['backend-code', 'page-code']) {
    const text = find(id);
    // A scrolling element must be reachable by keyboard.
    text.tabIndex = 0;
    text.before(copyButton('Copy', () => text.textContent ?? ''));
  }
  drawSamples();
  await showLast(() => mounted !== null, show);
}

/** Shows the match from before a reload, unless another was started meanwhile. */
async function showLast(isShown: () => boolean, show: (match: DemoMatch) => void): Promise<void> {
  const retry = find<HTMLButtonElement>('retry');
  retry.onclick = () => void showLast(isShown, show);
  retry.hidden = true;
  try {
    const last = await findMatch();
    if (isShown()) return;
    if (last !== null) show(last);
    find('trouble').textContent = '';
  } catch (error) {
    if (isShown()) return;
    find('trouble').textContent = `Your last match cannot be shown: ${(error as Error).message}.`;
    retry.hidden = false;
  }
}

/** By the host name of this page, so that phones reach it, too. */
function here(url: string): string {
  const { pathname, hash } = new URL(url);
  return location.origin + pathname + hash;
}

function showInvitations({ others }: DemoMatch): void {
  find('invite').hidden = others.length === 0;
  const links = others.map(({ name, playUrl }) => {
    const url = here(playUrl);
    const anchor = make('a', 'start', `Open as ${name}`);
    anchor.href = url;
    anchor.target = '_blank';
    anchor.rel = 'noopener';
    return make(
      'li',
      '',
      anchor,
      copyButton('Copy link', () => url),
    );
  });
  find('links').replaceChildren(...links);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(location.hostname);
  find('phone').textContent = isLocal
    ? 'For a phone, start with npm start -- --host 0.0.0.0 and open this page by the machine’s address.'
    : '';
}

open().catch((error: unknown) => {
  find('trouble').textContent = `The backend cannot be reached: ${String(error)}`;
});
