/** The page's parameters: removed from the address at once, and stored so that a reload resumes. */

import type { Invitation } from './embed.ts';

export interface Entrance {
  /** Null when there is none. The resume token is preferred. */
  readonly resumeToken: string | null;
  readonly token: string | null;
  /** Whether to show a replay from a file instead of a match. */
  readonly wantsReplay: boolean;
  readonly theme: 'dark' | 'light' | 'auto';
  /** The tenant's colours as in the address, unchecked. */
  readonly palette: unknown;
  /** The host's choice, e.g. `de`; null for the browser's language. */
  readonly lang: string | null;
  /** Where others join a room, with `{code}` for its code; null if not configured. */
  readonly invite: string | null;
  /** Whether pool shows the balls' paths after the contact until the player changes it. */
  readonly ballPaths: boolean;
  /** The page that frames this one, when it was mounted by the SDK; else null. */
  readonly invitation: Invitation | null;
  /** Stores the token for a reload. */
  storeResumeToken(token: string): void;
  /** The language for the next load. */
  storeLang(lang: string): void;
}

/**
 * The part of the window that is used. `history.state` belongs to the frame and survives a reload.
 * That distinguishes frames of one tab, which share their `sessionStorage`.
 */
export interface EntranceWindow {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'state' | 'replaceState'>;
  /** Null where the browser forbids it. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | null;
}

interface StoredState {
  /** Names the stored resume token. */
  readonly place: string;
  readonly wantsReplay: boolean;
  readonly theme: string | null;
  /** JSON, as in the address. */
  readonly palette: string | null;
  readonly lang: string | null;
  readonly invite: string | null;
  readonly ballPaths: boolean;
  readonly invitation: Invitation | null;
}

/** This many final characters identify a token. */
const PLACE_CHARS = 16;
const STATE_KEY = 'matchd';
/** Twelve names with their values take up far less. */
const PALETTE_CHARS_MAX = 1_000;

/** The longest text in a QR code that phones can still read. */
const INVITE_CHARS_MAX = 300;

export function makeEntrance({ location, history, storage }: EntranceWindow): Entrance {
  const params = new URLSearchParams(location.hash.slice(1));
  const token = params.get('token');
  const before = storedIn(history.state);
  const invitation = invitationIn(params) ?? before?.invitation ?? null;
  let stored: StoredState = {
    place: placeOf(token, invitation, before),
    wantsReplay: params.has('replay') || (params.size === 0 && before?.wantsReplay === true),
    theme: params.get('theme') ?? before?.theme ?? null,
    palette: params.get('palette')?.slice(0, PALETTE_CHARS_MAX) ?? before?.palette ?? null,
    lang: params.get('lang') ?? before?.lang ?? null,
    invite: readInvite(params.get('invite')) ?? before?.invite ?? null,
    ballPaths: params.has('paths') ? params.get('paths') === 'on' : before?.ballPaths === true,
    invitation,
  };
  const store = (next: StoredState): void => {
    stored = next;
    history.replaceState({ [STATE_KEY]: stored }, '', location.pathname + location.search);
  };
  store(stored);
  const item = `matchd.resume.${stored.place}`;
  const resume = stored.place === '' ? null : (storage?.getItem(item) ?? null);
  return {
    resumeToken: resume || null,
    token: token || null,
    wantsReplay: stored.wantsReplay,
    theme: stored.theme === 'dark' || stored.theme === 'light' ? stored.theme : 'auto',
    palette: parseJson(stored.palette),
    lang: stored.lang,
    invite: stored.invite,
    ballPaths: stored.ballPaths,
    invitation,
    storeLang: (lang) => store({ ...stored, lang }),
    storeResumeToken(next) {
      try {
        if (stored.place !== '') storage?.setItem(item, next);
      } catch {
        // Storage is full or forbidden: a reload will need a new link, but the match continues.
      }
    },
  };
}

/** Accepts only addresses that a browser opens as a page, because a shared link looks like the tenant's own. */
function readInvite(text: string | null): string | null {
  if (text === null || text.length > INVITE_CHARS_MAX) return null;
  const { protocol } = URL.parse(text) ?? {};
  return protocol === 'https:' || protocol === 'http:' ? text : null;
}

/** Null for an invalid value. */
function parseJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

/** A mounted page gets its token later: until then the nonce of the mount is its key in the storage. */
function placeOf(
  token: string | null,
  invitation: Invitation | null,
  before: StoredState | null,
): string {
  if (token !== null) return token.slice(-PLACE_CHARS);
  return before?.place || (invitation?.nonce ?? '');
}

function invitationIn(params: URLSearchParams): Invitation | null {
  const [nonce, host] = [params.get('embed'), params.get('host')];
  return nonce !== null && host !== null && URL.canParse(host) ? { nonce, host } : null;
}

function storedIn(state: unknown): StoredState | null {
  const stored = (state as Record<string, StoredState> | null)?.[STATE_KEY];
  return typeof stored?.place === 'string' ? stored : null;
}
