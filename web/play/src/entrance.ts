/** What the page was opened with: taken from the address at once, kept so that a reload resumes. */

import type { Invitation } from './embed.ts';

export interface Entrance {
  /** Null when there is none. The resume token is the better one. */
  readonly resumeToken: string | null;
  readonly token: string | null;
  readonly theme: 'dark' | 'light' | 'auto';
  /** As the host wished, e.g. `de`; null leaves it to the browser. */
  readonly lang: string | null;
  /** The page that frames this one, when it was mounted by the SDK; else null. */
  readonly invitation: Invitation | null;
  /** Keeps the token to come back with. */
  keepResumeToken(token: string): void;
}

/**
 * The part of the window that is used. `history.state` belongs to this very frame and outlives a
 * reload, which tells frames of one tab apart: they share their `sessionStorage`.
 */
export interface EntranceWindow {
  readonly location: Pick<Location, 'hash' | 'pathname' | 'search'>;
  readonly history: Pick<History, 'state' | 'replaceState'>;
  /** Null where the browser forbids it. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem'> | null;
}

interface Kept {
  /** Names the stored resume token. */
  readonly place: string;
  readonly theme: string | null;
  readonly lang: string | null;
  readonly invitation: Invitation | null;
}

/** So many of a token's last characters tell it from others. */
const PLACE_CHARS = 16;
const STATE_KEY = 'matchd';

export function makeEntrance({ location, history, storage }: EntranceWindow): Entrance {
  const params = new URLSearchParams(location.hash.slice(1));
  const token = params.get('token');
  const before = keptIn(history.state);
  const invitation = invitationIn(params) ?? before?.invitation ?? null;
  const kept: Kept = {
    place: placeOf(token, invitation, before),
    theme: params.get('theme') ?? before?.theme ?? null,
    lang: params.get('lang') ?? before?.lang ?? null,
    invitation,
  };
  history.replaceState({ [STATE_KEY]: kept }, '', location.pathname + location.search);
  const item = `matchd.resume.${kept.place}`;
  const resume = kept.place === '' ? null : (storage?.getItem(item) ?? null);
  return {
    resumeToken: resume || null,
    token: token || null,
    theme: kept.theme === 'dark' || kept.theme === 'light' ? kept.theme : 'auto',
    lang: kept.lang,
    invitation,
    keepResumeToken(next) {
      try {
        if (kept.place !== '') storage?.setItem(item, next);
      } catch {
        // A full or forbidden storage: a reload will need a new link, the match goes on.
      }
    },
  };
}

/** A page that is mounted gets its token later: the nonce of the mount names its place. */
function placeOf(token: string | null, invitation: Invitation | null, before: Kept | null): string {
  if (token !== null) return token.slice(-PLACE_CHARS);
  return before?.place || (invitation?.nonce ?? '');
}

function invitationIn(params: URLSearchParams): Invitation | null {
  const [nonce, host] = [params.get('embed'), params.get('host')];
  return nonce !== null && host !== null && URL.canParse(host) ? { nonce, host } : null;
}

function keptIn(state: unknown): Kept | null {
  const kept = (state as Record<string, Kept> | null)?.[STATE_KEY];
  return typeof kept?.place === 'string' ? kept : null;
}
