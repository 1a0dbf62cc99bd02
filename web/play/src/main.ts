/** Opens the players' page: removes the token from the address, connects, and loads the player's language. */

import type { HostPage } from './embed.ts';
import { connectToHost, notifyHost } from './embed.ts';
import type { Entrance } from './entrance.ts';
import { makeEntrance } from './entrance.ts';
import type { LanguageTag } from './i18n/languages.ts';
import { chooseLanguage, languageOf, loadLanguage } from './i18n/languages.ts';
import type { Translate } from './i18n/translate.ts';
import { makeTranslate } from './i18n/translate.ts';
import type { Page } from './page.ts';
import { makePage } from './page.ts';
import type { Client, ConnectionEvent } from './protocol.ts';
import { connect } from './protocol.ts';
import type { Look } from './theme/look.ts';
import { makeLook } from './theme/look.ts';
import { parsePalette } from './theme/palette.ts';

/** Delay before a page without any language is reloaded. Milliseconds. */
const RELOAD_WAIT_MS = 3_000;
/** How old the number of watchers may be. Milliseconds. */
const PING_MS = 8_000;
/** How long a replay may take to arrive. Milliseconds. */
const REPLAY_WAIT_MS = 20_000;

/** Third-party frames may be denied their storage: access to it then throws. */
function findStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

async function start(): Promise<void> {
  const entrance = makeEntrance({ location, history, storage: findStorage() });
  let page: Page | null = null;
  const look = makeLook(document.documentElement, () => page?.restyle());
  look.setScheme(entrance.theme);
  look.setPalette(parsePalette(entrance.palette));
  const language = chooseLanguage([entrance.lang, ...navigator.languages]);
  const translating = loadTexts(language, entrance);
  if (entrance.wantsReplay) {
    await showReplays(await translating);
    return;
  }
  const { invitation } = entrance;
  const isFramed = invitation !== null && window.parent !== window;
  const host = isFramed ? await connectToHost(invitation, window) : null;
  const root = document.getElementById('app')!;
  const client = open(entrance, host);
  let resumeToken = entrance.resumeToken;
  // The connection does not wait for the language: its events are stored until it is loaded.
  const early: ConnectionEvent[] = [];
  client.on((event) => {
    if (event.kind === 'credential') {
      resumeToken = event.resumeToken;
      entrance.storeResumeToken(resumeToken);
    }
    if (page === null) early.push(event);
    else page.handle(event);
    if (page?.awaitsRematch() !== true) leaveAfterEnd(client, event);
  });
  if (host !== null) notifyHost(host, client, root);
  const askReplay = (session: string): Promise<unknown> =>
    fetchReplay(session, client, () => open({ resumeToken, token: null }, null));
  const made = makePage(root, await translating, () => client, askReplay, entrance, {
    make: host?.makeRematch ?? null,
    open: openNext,
  });
  page = made;
  for (const event of early) made.handle(event);
  if (host !== null) applyCommands(host, { entrance, look, page, language });
  const followNetwork = (): void => made.setOnline(navigator.onLine);
  window.addEventListener('online', followNetwork);
  window.addEventListener('offline', followNetwork);
  // A new link in the address of an open page opens another match.
  window.addEventListener('hashchange', () => location.reload());
}

/** The page's texts; if no language can be loaded the page reloads with its original address. */
async function loadTexts(wanted: LanguageTag, { token }: Entrance): Promise<Translate> {
  const loaded = await loadLanguage(wanted);
  if (loaded === null) {
    await new Promise((resolve) => setTimeout(resolve, RELOAD_WAIT_MS));
    if (token === null) location.reload();
    else openNext(token);
    return new Promise(() => {});
  }
  const { tag, texts } = loaded;
  document.documentElement.lang = tag;
  document.documentElement.dir = languageOf(tag).dir;
  return makeTranslate(tag, texts);
}

/** Reloads with that token and the page's other parameters. */
function openNext(token: string): void {
  history.replaceState(history.state, '', `#token=${token}`);
  location.reload();
}

function open(
  { resumeToken, token }: Pick<Entrance, 'resumeToken' | 'token'>,
  host: HostPage | null,
): Client {
  return connect({
    url: location.origin,
    resumeToken: resumeToken ?? undefined,
    // The address has a token if a rematch was opened: it is newer than that of the mount.
    token: token ?? host?.token ?? undefined,
    getToken: host?.getToken ?? undefined,
    pingMs: PING_MS,
  });
}

/** Fetches a replay over the page's own connection, or over a new one if that is closed. */
async function fetchReplay(
  session: string,
  client: Client,
  reopen: () => Client,
): Promise<unknown> {
  // A newer window may have replaced it. Taking the connection back is harmless, because the match is over.
  const isClosed = client.status.kind === 'closed' || client.status.kind === 'replaced';
  const used = isClosed ? reopen() : client;
  const tooLong = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('No answer')), REPLAY_WAIT_MS);
  });
  try {
    return await Promise.race([used.session(session).replay(), tooLong]);
  } finally {
    if (used !== client) used.close();
  }
}

/** The page at `#replay` needs no connection. */
async function showReplays(t: Translate): Promise<void> {
  const { showOpener } = await import('./replay/opener.ts');
  showOpener(document.getElementById('app')!, t);
  window.addEventListener('hashchange', () => location.reload());
}

/** Once the match is over a reload has nothing to resume. */
function leaveAfterEnd(client: Client, event: ConnectionEvent): void {
  const hasEnded = [...client.sessions.values()].every(({ status }) => status === 'ended');
  const isLost = event.kind === 'status' && event.status.kind === 'waiting';
  if (isLost && hasEnded && client.sessions.size > 0) client.close();
}

/** What the embedding page may change. */
function applyCommands(
  host: HostPage,
  own: { entrance: Entrance; look: Look; page: Page; language: LanguageTag },
): void {
  host.onCommand((command) => {
    switch (command.type) {
      case 'theme':
        own.look.setScheme(command.theme);
        return;
      case 'palette':
        own.look.setPalette(parsePalette(command.palette));
        return;
      case 'mute':
        own.page.setMuted(command.muted);
        return;
      case 'locale':
        // All texts change, so the page reloads where it was.
        if (chooseLanguage([command.locale, ...navigator.languages]) === own.language) return;
        own.entrance.storeLang(command.locale);
        location.reload();
    }
  });
}

void start();
