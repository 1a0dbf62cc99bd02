/** The moves of the match: stores them, lists them, and shows the position after each. */

import type { BoardModule, ShortMove } from '../games/board-view.ts';
import { watchedStateOf } from '../games/watched-state.ts';
import type { Translate } from '../i18n/translate.ts';
import { seatName, spokenName } from '../model.ts';
import type { SessionView } from '../protocol.ts';
import { sayStep } from '../say.ts';
import { button, keepKeyboard, setText } from '../ui/dom.ts';
import { makeSettingButton } from '../ui/setting-button.ts';
import { canVibrate } from '../ui/vibration.ts';
import type { History, Made, Step } from './history.ts';
import { NO_MOVES, takeStep } from './history.ts';
import type { Panel, Row } from './panel.ts';
import { makePanel } from './panel.ts';
import { readHistory, storeHistory } from './stored-history.ts';
import type { TrailHost } from './trail-host.ts';

export interface BookHost {
  readonly t: Translate;
  readonly host: TrailHost;
  readonly board: BoardModule;
  /** The trail, its line, and the button that opens the list. */
  readonly element: HTMLElement;
  readonly text: HTMLElement;
  readonly open: HTMLButtonElement;
}

export interface Book {
  take(step: Step): void;
  tell(news: string): void;
  lastSentence(): string | null;
  /** Opens the list as a sheet, or closes it. */
  toggle(): void;
}

/** The state that the book's functions share. */
interface Stage extends BookHost {
  readonly now: HTMLButtonElement;
  readonly panel: Panel;
  session: SessionView | null;
  history: History;
  news: string;
  /** The number of moves before the shown position. Null is the present. */
  looked: number | null;
}

/** Whether the list has its own area next to the board. */
const WIDE = '(min-aspect-ratio: 11 / 10) and (min-width: 900px) and (min-height: 560px)';

export function makeBook(parts: BookHost): Book {
  const { t, host, element, open } = parts;
  const stage: Stage = {
    ...parts,
    now: button('button is-primary trail-now', t('trail.now'), null, () => look(stage, null)),
    panel: makePanel(t, {
      look: (index) => look(stage, index),
      close: () => setOpen(stage, false),
    }),
    session: null,
    history: NO_MOVES,
    news: '',
    looked: null,
  };
  stage.now.hidden = true;
  open.before(stage.now);
  element.append(stage.panel.element);
  if (canVibrate()) {
    stage.panel.settings.append(makeSettingButton(t, host.settings, 'vibrate'));
  }
  matchMedia(WIDE).addEventListener('change', () => render(stage));
  // Not after every move, because a long match has a megabyte.
  addEventListener('pagehide', () => {
    if (stage.session !== null) storeHistory(stage.history, stage.session);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && !event.defaultPrevented) leave(stage);
  });
  return {
    take: (step) => take(stage, step),
    tell(news) {
      stage.news = news;
      render(stage);
    },
    lastSentence() {
      const last = stage.history.moves.at(-1);
      return last === undefined ? null : sentenceOf(stage, last);
    },
    toggle: () => setOpen(stage, !element.classList.contains('is-open')),
  };
}

function take(stage: Stage, step: Step): void {
  const kept = stage.session === null ? readHistory(step.session) : null;
  stage.session = step.session;
  const history = takeStep(kept?.history ?? stage.history, {
    ...step,
    before: step.before ?? kept?.last ?? null,
  });
  if (history === stage.history) return;
  // The oldest moves were dropped, so the shown move has another number.
  const gone = stage.history.moves.length - history.moves.length;
  if (gone >= 0 && stage.looked !== null) look(stage, null);
  stage.history = history;
  render(stage);
}

function sentenceOf({ board, t }: Stage, { seat, action, before, after }: Made): string {
  const session = after ?? before;
  if (session === null) return '';
  return sayStep({ before, session, board }, { seat, action }, t).join('. ');
}

function setOpen(stage: Stage, isOpen: boolean): void {
  const { element, open, panel } = stage;
  element.classList.toggle('is-open', isOpen);
  render(stage);
  open.setAttribute('aria-expanded', String(isOpen));
  if (!isOpen) open.focus();
  else panel.focus();
}

/** Escape returns to the present, then closes the sheet. */
function leave(stage: Stage): void {
  if (document.querySelector('dialog[open]') !== null) return;
  if (stage.looked !== null) look(stage, null);
  else if (stage.element.classList.contains('is-open')) setOpen(stage, false);
}

/** Shows the position after this many moves on a board without interaction. */
function look(stage: Stage, index: number | null): void {
  const { host, history, t, element, open } = stage;
  const made = index === null || index === 0 ? null : history.moves[index - 1]!;
  const session = index === 0 ? history.start : (made?.after ?? null);
  const live = host.live();
  if (live === null) return;
  const isPast = session !== null && index! < history.moves.length;
  stage.looked = isPast ? index : null;
  host.table.classList.toggle('is-past', isPast);
  if (isPast) host.table.replaceChildren(makePast(stage, session, made));
  else if (live.element.parentElement !== host.table) host.table.replaceChildren(live.element);
  keepKeyboard(element, open, () => render(stage));
  const said = made === null ? '' : sentenceOf(stage, made);
  host.say(isPast ? [placeOf(stage), said].join('. ') : t('trail.present'));
}

function makePast({ host, board, t }: Stage, session: SessionView, made: Made | null): Element {
  const past = board.makeBoard({
    t,
    play() {},
    refuse: () => host.refuse(t('trail.past')),
    say() {},
    sound() {},
    pace: () => 1,
    nameOf: (seat) => seatName(session, seat, t),
  });
  const lastMove = made === null ? null : { v: session.v, seat: made.seat, action: made.action };
  past.render(watchedStateOf({ ...session, lastMove }, session.seat ?? 0));
  return past.element;
}

function placeOf({ t, looked, history }: Stage): string {
  return looked === 0
    ? t('trail.start')
    : t('trail.at', { index: looked!, last: history.moves.length });
}

function render(stage: Stage): void {
  const { element, text, now, looked, history, news, panel } = stage;
  const isPast = looked !== null;
  element.classList.toggle('is-past', isPast);
  element.classList.toggle('has-moves', history.moves.length > 0);
  // Announcements continue while an earlier position is shown.
  setText(text, isPast ? `${placeOf(stage)} · ${news}` : news);
  now.hidden = !isPast;
  if (!element.classList.contains('is-open') && !matchMedia(WIDE).matches) return;
  panel.show({
    count: history.moves.length,
    hasStart: history.start !== null,
    looked,
    makeRow: (index) => makeRow(stage, history.moves[index]!),
  });
}

function makeRow(stage: Stage, made: Made): Row {
  const text = sentenceOf(stage, made);
  return {
    piece: stage.board.makePiece(made.seat),
    short: shortOf(stage, made) ?? { text },
    text,
    isSeen: made.after !== null,
  };
}

function shortOf({ board, t }: Stage, { seat, action, before, after }: Made): ShortMove | null {
  const session = after ?? before;
  if (session === null || board.shortMove === undefined) return null;
  return board.shortMove(action, seat, t, {
    before: before?.view ?? null,
    view: session.view,
    variant: session.variant,
    nameOf: (other) => spokenName(session, other, t),
  });
}
