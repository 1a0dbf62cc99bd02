/** What the page was opened with: taken from the address at once, kept so that a reload resumes. */

export interface Entrance {
  /** Tokens to try, the best first. */
  readonly credentials: readonly string[];
  readonly theme: 'dark' | 'light' | 'auto';
  /** As the host wished, e.g. `de`; null leaves it to the browser. */
  readonly lang: string | null;
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
}

/** So many of a token's last characters tell it from others. */
const PLACE_CHARS = 16;
const STATE_KEY = 'matchd';

export function makeEntrance({ location, history, storage }: EntranceWindow): Entrance {
  const params = new URLSearchParams(location.hash.slice(1));
  const token = params.get('token');
  const before = keptIn(history.state);
  const kept: Kept = {
    place: token === null ? (before?.place ?? '') : token.slice(-PLACE_CHARS),
    theme: params.get('theme') ?? before?.theme ?? null,
    lang: params.get('lang') ?? before?.lang ?? null,
  };
  history.replaceState({ [STATE_KEY]: kept }, '', location.pathname + location.search);
  const item = `matchd.resume.${kept.place}`;
  const resume = kept.place === '' ? null : (storage?.getItem(item) ?? null);
  return {
    credentials: [resume, token].flatMap((each) => (each === null || each === '' ? [] : [each])),
    theme: kept.theme === 'dark' || kept.theme === 'light' ? kept.theme : 'auto',
    lang: kept.lang,
    keepResumeToken(next) {
      try {
        if (kept.place !== '') storage?.setItem(item, next);
      } catch {
        // A full or forbidden storage: a reload will need a new link, the match goes on.
      }
    },
  };
}

function keptIn(state: unknown): Kept | null {
  const kept = (state as Record<string, Kept> | null)?.[STATE_KEY];
  return typeof kept?.place === 'string' ? kept : null;
}
