/** Opens the players' page: takes the token out of the address and connects. */

import type { HostPage } from './embed.ts';
import { meetHost, tellHost } from './embed.ts';
import type { Entrance } from './entrance.ts';
import { makeEntrance } from './entrance.ts';
import { chooseLanguage, makeTranslate } from './i18n/translate.ts';
import type { Page } from './page.ts';
import { makePage } from './page.ts';
import type { Client } from './protocol.ts';
import { connect } from './protocol.ts';

/** Third-party frames may be denied their storage: asking for it throws then. */
function findStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

async function start(): Promise<void> {
  const entrance = makeEntrance({ location, history, storage: findStorage() });
  const language = chooseLanguage([entrance.lang, ...navigator.languages]);
  document.documentElement.lang = language;
  document.documentElement.dataset['theme'] = entrance.theme;
  let client: Client | null = null;
  const root = document.getElementById('app')!;
  const page = makePage(root, makeTranslate(language), () => client);
  const { invitation } = entrance;
  const isFramed = invitation !== null && window.parent !== window;
  const host = isFramed ? await meetHost(invitation, window) : null;
  client = open(entrance, host);
  const opened = client;
  opened.on((event) => {
    if (event.kind === 'credential') entrance.keepResumeToken(event.resumeToken);
    page.take(event);
    const hasEnded = [...opened.sessions.values()].every(({ status }) => status === 'ended');
    // Once the match is over there is nothing to come back for.
    const isLost = event.kind === 'status' && event.status.kind === 'waiting';
    if (isLost && hasEnded && opened.sessions.size > 0) opened.close();
  });
  if (host !== null) obey(host, opened, root, page);
  const followNetwork = (): void => page.setOnline(navigator.onLine);
  window.addEventListener('online', followNetwork);
  window.addEventListener('offline', followNetwork);
  // A new link in the address of an open page is another match.
  window.addEventListener('hashchange', () => location.reload());
}

function open({ resumeToken, token }: Entrance, host: HostPage | null): Client {
  return connect({
    url: location.origin,
    resumeToken: resumeToken ?? undefined,
    token: host?.token ?? token ?? undefined,
    getToken: host?.getToken ?? undefined,
  });
}

/** What the page around may change, and what it is told. */
function obey(host: HostPage, client: Client, root: Element, page: Page): void {
  tellHost(host, client, root);
  host.onCommand((command) => {
    if (command.type === 'theme') document.documentElement.dataset['theme'] = command.theme;
    else page.setMuted(command.muted);
  });
}

void start();
