/** A match that waits for players: the room's code and the ways to share it, and which players are present. */

import { adoptSheet } from '../games/adopt-sheet.ts';
import { titleOf } from '../games/title.ts';
import type { Translate } from '../i18n/translate.ts';
import { seatName } from '../model.ts';
import type { Seat, SessionView } from '../protocol.ts';
import { playerAt } from '../protocol.ts';
import { button, h, setText } from '../ui/dom.ts';
import { makeIcon } from '../ui/icons.ts';
import { reloadInstead } from '../ui/reload-instead.ts';
import css from './lobby.css' with { type: 'text' };
import { showQr } from './qr-dialog.ts';

export interface LobbyHost {
  /** The page on which others join, with `{code}` for the room's code; null if unknown. */
  readonly invite: string | null;
  /** Announces to screen readers. */
  announce(text: string): void;
  /** Gets the focus when the lobby is removed. */
  rest(): HTMLElement;
}

export interface Lobby {
  readonly element: HTMLElement;
  update(session: SessionView): void;
}

/** How long "Copied" stays. Milliseconds. */
const COPIED_MS = 2_000;
/** This many seats are visible at once; more scroll. */
const SEATS_SHOWN = 4;

/** The data that a room shares. */
interface Invitation {
  readonly code: string;
  /** Null when no page to join is configured. */
  readonly link: string | null;
  readonly words: string;
}

export function makeLobby(t: Translate, host: LobbyHost): Lobby {
  adoptSheet(css);
  const room = makeRoomPart(t, host);
  const title = h('h2', { class: 'lobby-title' });
  const list = h('ul', { class: 'lobby-seats', 'aria-label': t('lobby.players') });
  const element = h(
    'section',
    { class: 'lobby', 'aria-label': t('lobby.label') },
    room.element,
    title,
    list,
  );
  let drawn = '';
  return {
    element,
    update(session) {
      room.update(session);
      const { players, seats } = session;
      const here = players.filter(({ connected }) => connected).length;
      setText(title, t('lobby.count', { count: here, seats }));
      const now = JSON.stringify(players);
      if (drawn === now) return;
      drawn = now;
      // Scrollable content must be reachable by keyboard.
      if (seats > SEATS_SHOWN) list.tabIndex = 0;
      list.replaceChildren(
        ...Array.from({ length: seats }, (_, seat) => makeRow(session, seat, t)),
      );
    },
  };
}

function makeRow(session: SessionView, seat: Seat, t: Translate): HTMLElement {
  const player = playerAt(session, seat);
  const isHere = player?.connected === true;
  const words =
    player === null
      ? ''
      : t(player.isBot ? 'player.bot' : isHere ? 'player.here' : 'player.absent');
  const own = seat === session.seat ? ` (${t('player.you')})` : '';
  return h(
    'li',
    { 'data-state': player === null ? 'open' : isHere ? 'here' : 'absent' },
    h('span', { class: 'lobby-name' }, seatName(session, seat, t) + own),
    h('span', { class: 'lobby-state' }, words),
  );
}

/** The room's code and its buttons; absent if no code opens a seat. */
function makeRoomPart(t: Translate, host: LobbyHost): Lobby {
  const code = h('p', { class: 'lobby-code', translate: 'no' });
  let invitation: Invitation | null = null;
  const copier: Copier = { t, host, code };
  const copyCode = makeCopyButton(copier, t('lobby.copy'), () => invitation?.code ?? '');
  const share = makeShareButton(copier, () => invitation);
  const qr = button('button is-small', t('lobby.qr'), makeIcon('qr'), () => void open());
  const open = async (): Promise<void> => {
    if (invitation === null) return;
    const { code: text, link } = invitation;
    try {
      await showQr(qr.closest('.app') ?? document.body, t, { code: text, text: link ?? text });
    } catch {
      reloadInstead(qr, t);
    }
  };
  const element = h(
    'div',
    { class: 'lobby-room' },
    h('p', { class: 'lobby-label' }, t('lobby.code')),
    code,
    h('div', { class: 'lobby-actions' }, copyCode, share, qr),
  );
  return {
    element,
    update(session) {
      const { roomCode } = session;
      element.hidden = roomCode === null;
      invitation = roomCode === null ? null : makeInvitation(session, roomCode, host, t);
      share.hidden = !canShare() && invitation?.link == null;
      setText(code, roomCode ?? '');
    },
  };
}

function makeInvitation(
  { game }: SessionView,
  code: string,
  { invite }: LobbyHost,
  t: Translate,
): Invitation {
  const link = invite === null ? null : invite.replaceAll('{code}', code);
  return { code, link, words: t('lobby.invite', { game: titleOf(game, t), code }) };
}

const canShare = (): boolean => typeof navigator.share === 'function';

/** Opens the device's share dialog; without one the link is copied. */
function makeShareButton(copier: Copier, invitation: () => Invitation | null): HTMLButtonElement {
  const { t } = copier;
  if (!canShare()) {
    return makeCopyButton(copier, t('lobby.copyLink'), () => invitation()?.link ?? '');
  }
  const share = async (): Promise<void> => {
    const invite = invitation();
    if (invite === null) return;
    const { link, words } = invite;
    try {
      await navigator.share({ text: words, ...(link === null ? null : { url: link }) });
    } catch (error) {
      // Cancelling is not an error. A frame may lack permission to share.
      if ((error as Error).name === 'AbortError') return;
      await copy(copier, element, link === null ? words : `${words} ${link}`);
    }
  };
  const element = button('button is-small', t('lobby.share'), makeIcon('share'), () => {
    void share();
  });
  return element;
}

/** The inputs of copying. */
interface Copier {
  readonly t: Translate;
  readonly host: LobbyHost;
  /** The element that shows the code. */
  readonly code: HTMLElement;
}

function makeCopyButton(copier: Copier, label: string, text: () => string): HTMLButtonElement {
  const element = button('button is-small', label, makeIcon('copy'), () => {
    void copy(copier, element, text());
  });
  return element;
}

/** Shows on the pressed button, for a while, that the action succeeded. */
async function copy(
  { t, host, code }: Copier,
  pressed: HTMLButtonElement,
  text: string,
): Promise<void> {
  const words = pressed.lastElementChild!;
  const label = words.textContent;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // A frame may have no access to the clipboard: then the code is at least selected.
    getSelection()?.selectAllChildren(code);
    return;
  }
  host.announce(t('fair.copied'));
  if (label === t('fair.copied')) return;
  setText(words, t('fair.copied'));
  setTimeout(() => setText(words, label), COPIED_MS);
}
