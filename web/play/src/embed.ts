/** The match's side of an embedding: connects to the page that frames it, and reports events to it. */

import type {
  EmbedEvent,
  FromMatch,
  Hello,
  Init,
  ToMatch,
} from '../../../sdk/src/embed/messages.ts';
import { EMBED_MARK, isMarked } from '../../../sdk/src/embed/messages.ts';
import type { Client, ConnectionEvent } from './protocol.ts';

/** Longer than any supported language tag. */
const LOCALE_CHARS_MAX = 35;

type PageCommand = Exclude<ToMatch, { readonly type: 'token' | 'rematch' }>;

/** The parameters in the frame's address. */
export interface Invitation {
  /** Names the mount that made this frame. */
  readonly nonce: string;
  /** The origin of the page that frames it: the only one that gets messages. */
  readonly host: string;
}

/** The page that frames the match. */
export interface HostPage {
  readonly token: string | null;
  /** Null when the page can provide none. */
  readonly getToken: (() => Promise<string | null>) | null;
  /** Asks the page to make the rematch: a token, or null if others make it. Null if the page makes none. */
  readonly makeRematch: ((session: string) => Promise<string | null>) | null;
  send(event: EmbedEvent): void;
  /** Handles the page's options: look and sound, never a move. */
  onCommand(listener: (command: PageCommand) => void): void;
}

/** The part of the window that is used. */
export type EmbedWindow = Pick<Window, 'parent' | 'addEventListener' | 'removeEventListener'>;

/** Waits for the page's answer. Other senders are ignored. */
export function connectToHost({ nonce, host }: Invitation, window: EmbedWindow): Promise<HostPage> {
  return new Promise((resolve) => {
    const listener = ({ source, origin, data, ports }: MessageEvent<Init>): void => {
      const port = ports[0];
      if (source !== window.parent || origin !== host || port === undefined) return;
      if (!isMarked(data, 'init') || data.nonce !== nonce) return;
      window.removeEventListener('message', listener);
      resolve(makeHostPage(data, port));
    };
    window.addEventListener('message', listener);
    const hello: Hello = { mark: EMBED_MARK, type: 'hello' };
    window.parent.postMessage(hello, host);
  });
}

function makeHostPage({ token, mayAskToken, makesRematch }: Init, port: MessagePort): HostPage {
  const pending = new Map<number, (token: string | null, isFailed: boolean) => void>();
  const rematches = new Map<number, (token: string | null) => void>();
  const waiting: PageCommand[] = [];
  let listener: Parameters<HostPage['onCommand']>[0] = (command) => void waiting.push(command);
  let count = 0;
  const send = (message: FromMatch): void => port.postMessage(message);
  port.onmessage = ({ data }: MessageEvent<ToMatch | null>) => {
    if (typeof data !== 'object' || data === null) return;
    if (data.type === 'token') {
      const token = typeof data.token === 'string' ? data.token : null;
      pending.get(data.ask)?.(token, data.failed === true);
      pending.delete(data.ask);
    } else if (data.type === 'rematch') {
      rematches.get(data.ask)?.(typeof data.token === 'string' ? data.token : null);
      rematches.delete(data.ask);
    } else if (isCommand(data)) listener(data);
  };
  const getToken = (): Promise<string | null> => {
    count += 1;
    send({ type: 'tokenNeeded', ask: count });
    return new Promise((resolve, reject) => {
      pending.set(count, (token, isFailed) => {
        if (isFailed) reject(new Error('The page could not get a token'));
        else resolve(token);
      });
    });
  };
  const makeRematch = (session: string): Promise<string | null> => {
    count += 1;
    send({ type: 'rematchNeeded', ask: count, session });
    return new Promise((resolve) => rematches.set(count, resolve));
  };
  return {
    token: typeof token === 'string' ? token : null,
    getToken: mayAskToken ? getToken : null,
    makeRematch: makesRematch === true ? makeRematch : null,
    send,
    onCommand(next) {
      listener = next;
      for (const command of waiting.splice(0)) next(command);
    },
  };
}

/** The embedding page may have another version, or bugs: unknown messages do nothing. */
function isCommand(data: PageCommand): boolean {
  switch (data.type) {
    case 'mute':
      return typeof data.muted === 'boolean';
    case 'theme':
      return ['light', 'dark', 'auto'].includes(data.theme);
    case 'palette':
      return typeof data.palette === 'object';
    case 'locale':
      return typeof data.locale === 'string' && data.locale.length <= LOCALE_CHARS_MAX;
    default:
      return false;
  }
}

/** The message to the page for one event of the connection; null for none. */
export function toEmbedEvent(event: ConnectionEvent, before: string | undefined): EmbedEvent[] {
  if (event.kind === 'status') {
    const { status } = event;
    return [
      { type: 'connection', status: status.kind },
      ...(status.kind === 'failed' ? [{ type: 'error', code: status.reason } as const] : []),
    ];
  }
  if (event.kind !== 'session') return [];
  const { s, game, status, seat, turn, result } = event.session;
  const state = { type: 'state', session: s, game, status, seat, turn } as const;
  const isOver = status === 'ended' && before !== 'ended' && result !== null;
  return isOver ? [state, { type: 'ended', session: s, result }] : [state];
}

/** Reports once per match that all players want a rematch. */
export function forwardRematches(
  send: (event: EmbedEvent) => void,
): (event: ConnectionEvent) => void {
  const agreed = new Set<string>();
  return (event) => {
    if (event.kind !== 'rematch' || !event.rematch.agreed || agreed.has(event.s)) return;
    agreed.add(event.s);
    send({ type: 'rematchAgreed', session: event.s });
  };
}

/** Sends the page all its events from now on. */
export function notifyHost(host: HostPage, client: Client, root: Element): void {
  const statuses = new Map<string, string>();
  client.on(forwardRematches(host.send));
  client.on((event) => {
    const s = event.kind === 'session' ? event.session.s : '';
    for (const each of toEmbedEvent(event, statuses.get(s))) host.send(each);
    if (event.kind === 'session') statuses.set(s, event.session.status);
  });
  new ResizeObserver(() => host.send({ type: 'resize', height: root.scrollHeight })).observe(root);
  host.send({ type: 'ready' });
}
