/** Creates the parts of the players' page and puts them in their order. */

import type { BoardView } from './games/board-view.ts';
import type { Translate } from './i18n/translate.ts';
import type { LobbyDoor } from './lobby/lobby-door.ts';
import { makeLobbyDoor } from './lobby/lobby-door.ts';
import type { Trail } from './moves/trail.ts';
import { makeTrail } from './moves/trail.ts';
import type { Client, MatchSession, SessionView } from './protocol.ts';
import type { RematchHost, RematchPlace } from './rematch/place.ts';
import { makeRematchPlace } from './rematch/place.ts';
import { makeAfterwards } from './replay/afterwards.ts';
import type { Announcer } from './ui/announcer.ts';
import { makeAnnouncer } from './ui/announcer.ts';
import type { Confirm } from './ui/confirm.ts';
import { makeConfirm } from './ui/confirm.ts';
import { h } from './ui/dom.ts';
import type { Footer } from './ui/footer.ts';
import { makeFooter } from './ui/footer.ts';
import type { Notice } from './ui/notice.ts';
import { makeNotice } from './ui/notice.ts';
import type { Onlookers } from './ui/onlookers.ts';
import { makeOnlookers } from './ui/onlookers.ts';
import type { Plates } from './ui/plates.ts';
import { makePlates } from './ui/plates.ts';
import type { Settings } from './ui/settings.ts';
import { makeSettings } from './ui/settings.ts';
import type { Sound } from './ui/sound.ts';
import { makeSound } from './ui/sound.ts';
import type { StatusBar } from './ui/status-bar.ts';
import { makeStatusBar } from './ui/status-bar.ts';

export interface PageParts {
  /** The label for screen readers; sighted players need none. */
  readonly heading: HTMLElement;
  readonly plates: Plates;
  readonly onlookers: Onlookers;
  readonly status: StatusBar;
  readonly table: HTMLElement;
  readonly lobby: LobbyDoor;
  readonly trail: Trail;
  readonly rematch: RematchPlace;
  readonly footer: Footer;
  readonly notice: Notice;
  readonly confirm: Confirm;
  readonly announcer: Announcer;
  readonly sound: Sound;
  readonly settings: Settings;
}

/** How the embedding page creates a rematch, if it does, and how one is opened. */
export type Rematches = Pick<RematchHost, 'make' | 'open'>;

/** The page's parameters, as far as its parts need them. */
export interface PartsOptions {
  /** The page on which others join (rule W1). */
  readonly invite: string | null;
  /** Whether pool shows the balls' paths from the start. */
  readonly ballPaths: boolean;
  readonly rematches: Rematches;
  askReplay(session: string): Promise<unknown>;
}

/** The parts' calls to the page. They work once the page is complete. */
export interface PageDeeds {
  readonly root: HTMLElement;
  client(): Client | null;
  /** Ms since 1970. */
  serverNow(): number;
  session(): SessionView | null;
  commitment(): string | null;
  board(): BoardView | null;
  /** Runs an action in the session, if there is one. */
  act(run: (session: MatchSession) => void): void;
  askToResign(): void;
  refuse(why: string): void;
}

export function makeParts(
  t: Translate,
  { invite, ballPaths, rematches, askReplay }: PartsOptions,
  deeds: PageDeeds,
): PageParts {
  const { client, session, commitment, act } = deeds;
  const announcer = makeAnnouncer();
  const { announce } = announcer;
  const sound = makeSound();
  const settings = makeSettings(ballPaths ? ['ballPaths'] : []);
  const table = h('main', { class: 'table' });
  const status = makeStatusBar(t, {
    retryNow: () => client()?.wake(),
    acceptDraw: () => act((open) => void open.draw('accept')),
    declineDraw: () => act((open) => void open.draw('decline')),
  });
  const rematch = makeRematchPlace(t, {
    ...rematches,
    client,
    serverNow: deeds.serverNow,
    announce,
  });
  const actions = {
    leave: () => act((open) => void open.leave()),
    resign: deeds.askToResign,
    offerDraw: () => act((open) => void open.draw('offer')),
    emote: (emote: Parameters<MatchSession['emote']>[0]) => act((open) => void open.emote(emote)),
  };
  const root = () => deeds.root;
  const afterwards = makeAfterwards(t, { root, sound, session, commitment, askReplay });
  return {
    heading: h('h1', { class: 'only-heard' }, t('page.noTitle')),
    plates: makePlates(t),
    onlookers: makeOnlookers(t),
    status,
    table,
    lobby: makeLobbyDoor(t, { invite, announce, rest: () => status.element }),
    trail: makeTrail(t, { table, settings, live: deeds.board, refuse: deeds.refuse, announce }),
    rematch,
    footer: makeFooter(t, actions, sound, rematch.element, afterwards),
    notice: makeNotice(t, {
      textChanged: announcer.interrupt,
      playHere: () => client()?.reconnect(),
      reload: () => location.reload(),
    }),
    confirm: makeConfirm(t),
    announcer,
    sound,
    settings,
  };
}

/** In the order in which they are on the page. */
export function elementsOf(parts: PageParts): readonly HTMLElement[] {
  const { heading, plates, onlookers } = parts;
  return [
    h('header', { class: 'header' }, heading, plates.element, onlookers.element),
    parts.status.element,
    parts.table,
    parts.lobby.element,
    parts.trail.element,
    parts.footer.element,
    parts.notice.element,
    parts.confirm.element,
    parts.announcer.element,
  ];
}
