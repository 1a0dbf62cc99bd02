/** The messages between a page and the match it embeds. Version 1, checked on both sides. */

import type { Theme } from '../generated/api.ts';

/** Marks every message; a later version has another mark. */
export const EMBED_MARK = 'matchd.embed.1';

export type EmbedTheme = 'light' | 'dark' | 'auto';

/**
 * The tenant's twelve colours and lengths; missing ones keep their defaults. A play URL of a session with a theme
 * has it after the `#`, as JSON.
 */
export type EmbedPalette = Theme;

/** From the match to the page. They decide nothing: results come from the service. */
export type EmbedEvent =
  /** The page is loaded and listens. */
  | { readonly type: 'ready' }
  | { readonly type: 'connection'; readonly status: string }
  | {
      readonly type: 'state';
      readonly session: string;
      readonly game: string;
      readonly status: 'pending' | 'active' | 'ended';
      readonly seat: number | null;
      readonly turn: number | null;
    }
  | { readonly type: 'ended'; readonly session: string; readonly result: unknown }
  /** All players want a rematch of that session. */
  | { readonly type: 'rematchAgreed'; readonly session: string }
  /** The size that the match prefers, in CSS pixels. */
  | { readonly type: 'resize'; readonly height: number }
  | { readonly type: 'error'; readonly code: string };

/** The match requests a token; the page answers `token` with the same number. */
export interface TokenNeeded {
  readonly type: 'tokenNeeded';
  readonly ask: number;
}
/** All players want a rematch, and the page may create it; it answers `rematch` with the same number. */
export interface RematchNeeded {
  readonly type: 'rematchNeeded';
  readonly ask: number;
  readonly session: string;
}
export type FromMatch = EmbedEvent | TokenNeeded | RematchNeeded;

/** From the page to the match. No message plays a move. */
export type ToMatch =
  | { readonly type: 'theme'; readonly theme: EmbedTheme }
  /** Null restores the defaults. */
  | { readonly type: 'palette'; readonly palette: EmbedPalette | null }
  /** A BCP 47 tag, `de` or `pt-BR`; the page takes the nearest language that it has. */
  | { readonly type: 'locale'; readonly locale: string }
  | { readonly type: 'mute'; readonly muted: boolean }
  /** `failed`: a retry may succeed. A match that does not know the field treats it as no token. */
  | {
      readonly type: 'token';
      readonly ask: number;
      readonly token: string | null;
      readonly failed?: boolean;
    }
  /** `token` opens the rematch; null leaves it to the service, or to the tenant's backend. */
  | { readonly type: 'rematch'; readonly ask: number; readonly token: string | null };

/** The first message, on the window: without data, from the match to the page that frames it. */
export interface Hello {
  readonly mark: typeof EMBED_MARK;
  readonly type: 'hello';
}
/** The page's answer, with a port for all further messages. */
export interface Init {
  readonly mark: typeof EMBED_MARK;
  readonly type: 'init';
  /** As in the frame's address: identifies this mount. */
  readonly nonce: string;
  readonly token: string | null;
  readonly mayAskToken: boolean;
  /** Does the page create rematches? Absent: no. */
  readonly makesRematch?: boolean;
}

export function isMarked(data: unknown, type: string): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const { mark, type: own } = data as Readonly<Record<string, unknown>>;
  return mark === EMBED_MARK && own === type;
}
