/** Puts a match into a page: a frame, a handshake with it, and a port for messages. */

import { watchLoading } from './loading.ts';
import type {
  EmbedEvent,
  EmbedPalette,
  EmbedTheme,
  FromMatch,
  Hello,
  Init,
  ToMatch,
} from './messages.ts';
import { EMBED_MARK, isMarked } from './messages.ts';

export interface MountOptions {
  /** A play URL of a response; or the service's own address, with `tenant` and a token. */
  readonly url: string;
  /** The tenant's slug, as in `whoami`, when `url` is the service's address. */
  readonly tenant?: string | undefined;
  readonly token?: string | undefined;
  /** Called for a fresh token when the match has none left; null means that there will be none. */
  readonly getToken?: (() => Promise<string | null>) | undefined;
  readonly theme?: EmbedTheme | undefined;
  /** Your twelve colours and lengths; by default those of the session. */
  readonly palette?: EmbedPalette | undefined;
  /** `en`, `de`, …; by default the browser's own. */
  readonly locale?: string | undefined;
  /** By default the player's own last choice. */
  readonly muted?: boolean | undefined;
  /**
   * Where others join a private session: a page of yours, with `{code}` for the room's code. The waiting match
   * shows it as a QR code and shares it; without it the code alone.
   */
  readonly inviteUrl?: string | undefined;
  /**
   * For beginners: pool shows the paths of both balls after contact, until the player chooses otherwise. By default
   * false; the player can still switch it on.
   */
  readonly ballPaths?: boolean | undefined;
  /** The frame's name for screen readers. */
  readonly title?: string | undefined;
  /**
   * Called for the rematch of a session that all players agree on: its play URL or token for this player, or null
   * if the service or your backend creates it anyway. Every player's page calls this; the route returns the same
   * session to each.
   */
  readonly onRematch?: ((session: string) => Promise<string | null>) | undefined;
  readonly onEvent?: ((event: EmbedEvent) => void) | undefined;
}

export interface Mounted {
  readonly frame: HTMLIFrameElement;
  setTheme(theme: EmbedTheme): void;
  /** Null restores the defaults. */
  setPalette(palette: EmbedPalette | null): void;
  setLocale(locale: string): void;
  setMuted(muted: boolean): void;
  /** Removes the frame from the page. */
  unmount(): void;
}

const NONCE_BYTES = 16;
const SANDBOX = 'allow-scripts allow-same-origin allow-popups allow-downloads';

const ALLOWED = ['autoplay', 'fullscreen', 'clipboard-write', 'gamepad', 'screen-wake-lock'];
// Browsers without Web Share warn about this permission.
if (typeof navigator !== 'undefined' && 'share' in navigator) ALLOWED.push('web-share');

/** Appends the frame to the element. */
export function mount(element: Element, options: MountOptions): Mounted {
  const nonce = makeNonce();
  const { src, origin, token } = addressOf(options, nonce);
  const frame = makeFrame(src, options.title ?? 'Match');
  /** The page's current settings, by kind: a reloaded match gets them again. */
  const wishes = new Map<string, ToMatch>();
  let port: MessagePort | null = null;
  /** Sessions whose end was reported: a reloaded match reports it again. */
  const ended = new Set<string>();
  const tell = (event: EmbedEvent): void => {
    if (event.type === 'ended') {
      if (ended.has(event.session)) return;
      ended.add(event.session);
    }
    options.onEvent?.(event);
  };
  const send = (message: ToMatch): void => port?.postMessage(message);
  const wish = (message: ToMatch): void => {
    wishes.set(message.type, message);
    send(message);
  };
  const loading = watchLoading(frame, element, options.locale, () => {
    tell({ type: 'error', code: 'not_loaded' });
  });
  const greet = (event: MessageEvent<Hello>): void => {
    // Window and origin identify the sender: other frames of the page can post, too.
    if (event.source !== frame.contentWindow || event.origin !== origin) return;
    if (!isMarked(event.data, 'hello')) return;
    loading.done();
    port?.close();
    const channel = new MessageChannel();
    port = channel.port1;
    port.onmessage = ({ data }: MessageEvent<FromMatch | null>) => take(data, options, send, tell);
    const init: Init = {
      mark: EMBED_MARK,
      type: 'init',
      nonce,
      token,
      mayAskToken: options.getToken !== undefined,
      makesRematch: options.onRematch !== undefined,
    };
    // To this origin only: a frame that was navigated elsewhere gets nothing.
    frame.contentWindow?.postMessage(init, origin, [channel.port2]);
    for (const each of wishes.values()) send(each);
  };
  const mounted: Mounted = {
    frame,
    setTheme: (theme) => wish({ type: 'theme', theme }),
    setPalette: (next) => wish({ type: 'palette', palette: next }),
    setLocale: (locale) => wish({ type: 'locale', locale }),
    setMuted: (muted) => wish({ type: 'mute', muted }),
    unmount() {
      loading.done();
      removeEventListener('message', greet);
      port?.close();
      frame.remove();
    },
  };
  if (options.muted !== undefined) mounted.setMuted(options.muted);
  mounted.setTheme(options.theme ?? 'auto');
  addEventListener('message', greet);
  element.append(frame);
  return mounted;
}

function take(
  message: FromMatch | null,
  { getToken, onRematch }: MountOptions,
  send: (message: ToMatch) => void,
  tell: (event: EmbedEvent) => void,
): void {
  // A match of another version may send unknown messages, so the kind and its fields are checked.
  if (typeof message?.type !== 'string') return;
  if (message.type === 'rematchNeeded') {
    const told = (next: string | null): void =>
      send({ type: 'rematch', ask: message.ask, token: next === null ? null : tokenIn(next) });
    const make = async () => (await onRematch?.(message.session)) ?? null;
    make().then(told, () => told(null));
    return;
  }
  if (message.type !== 'tokenNeeded') {
    tell(message);
    return;
  }
  const answer = (token: string | null): void => send({ type: 'token', ask: message.ask, token });
  const ask = async (): Promise<string | null> => (await getToken?.()) ?? null;
  // As without a network: the match retries later.
  ask().then(answer, () => send({ type: 'token', ask: message.ask, token: null, failed: true }));
}

/** From a play URL, or the token itself. */
function tokenIn(next: string): string | null {
  if (!URL.canParse(next)) return next;
  return new URLSearchParams(new URL(next).hash.slice(1)).get('token');
}

/** The token is removed from the address: the handshake carries it, to the one origin. */
function addressOf(
  { url, tenant, token, theme, palette, locale, inviteUrl, ballPaths }: MountOptions,
  nonce: string,
): { src: string; origin: string; token: string | null } {
  const address = new URL(url);
  const given = new URLSearchParams(address.hash.slice(1));
  if (tenant !== undefined) address.pathname = `/play/${encodeURIComponent(tenant)}/`;
  const fragment = new URLSearchParams({ embed: nonce, host: location.origin });
  if (theme !== undefined) fragment.set('theme', theme);
  if (locale !== undefined) fragment.set('lang', locale);
  const invite = inviteUrl ?? given.get('invite');
  if (invite !== null) fragment.set('invite', invite);
  const paths = ballPaths === undefined ? given.get('paths') : ballPaths ? 'on' : null;
  if (paths !== null) fragment.set('paths', paths);
  const colours = palette === undefined ? given.get('palette') : JSON.stringify(palette);
  if (colours !== null) fragment.set('palette', colours);
  address.hash = `${fragment}`;
  return { src: address.href, origin: address.origin, token: token ?? given.get('token') };
}

function makeFrame(src: string, title: string): HTMLIFrameElement {
  const frame = document.createElement('iframe');
  frame.title = title;
  frame.allow = ALLOWED.join('; ');
  frame.referrerPolicy = 'no-referrer';
  // A same-origin frame could remove its sandbox: browsers warn of one that protects nothing.
  if (new URL(src).origin !== location.origin) frame.setAttribute('sandbox', SANDBOX);
  frame.style.cssText = 'border:0;width:100%;height:100%;display:block';
  frame.src = src;
  return frame;
}

function makeNonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
