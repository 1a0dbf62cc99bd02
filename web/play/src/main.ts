/** Opens the players' page: takes the token out of the address and connects. */

import { browserPorts } from './browser-ports.ts';
import type { Connection } from './connection.ts';
import { makeConnection } from './connection.ts';
import { makeEntrance } from './entrance.ts';
import { chooseLanguage, makeTranslate } from './i18n/translate.ts';
import { makePage } from './page.ts';

const SOCKET_PATH = '/v1/socket';

/** Third-party frames may be denied their storage: asking for it throws then. */
function findStorage(): Storage | null {
  try {
    return window.sessionStorage;
  } catch {
    return null;
  }
}

function socketUrl(): string {
  return `${location.protocol === 'https:' ? 'wss:' : 'ws:'}//${location.host}${SOCKET_PATH}`;
}

function start(): void {
  const entrance = makeEntrance({ location, history, storage: findStorage() });
  const language = chooseLanguage([entrance.lang, ...navigator.languages]);
  document.documentElement.lang = language;
  document.documentElement.dataset['theme'] = entrance.theme;
  let connection: Connection | null = null;
  const root = document.getElementById('app')!;
  const page = makePage(root, makeTranslate(language), () => connection);
  connection = makeConnection({
    url: socketUrl(),
    credentials: entrance.credentials,
    ports: browserPorts,
    onEvent(event) {
      if (event.kind === 'credential') entrance.keepResumeToken(event.resumeToken);
      page.take(event);
      const hasEnded = [...(connection?.sessions.values() ?? [])].every(
        ({ status }) => status === 'ended',
      );
      // Once the match is over there is nothing to come back for.
      const isLost = event.kind === 'status' && event.status.kind === 'waiting';
      if (isLost && hasEnded && connection?.sessions.size) connection.close();
    },
  });
  followNetwork(connection, (online) => page.setOnline(online));
  // A new link in the address of an open page is another match.
  window.addEventListener('hashchange', () => location.reload());
}

/** Tries at once when the network or the page comes back, rather than when the wait is over. */
function followNetwork(connection: Connection, setOnline: (online: boolean) => void): void {
  const wake = (): void => {
    setOnline(navigator.onLine);
    connection.wake();
  };
  window.addEventListener('online', wake);
  window.addEventListener('offline', wake);
  window.addEventListener('pageshow', (event) => {
    if (event.persisted) wake();
  });
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'visible') wake();
  });
}

start();
