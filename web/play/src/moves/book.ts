/** The moves of the match: stores them, lists them, and shows the position after each. */

import { describeStep } from '../announcement.ts';
import type { BoardModule, ShortMove } from '../games/board-view.ts';
import { watchedStateOf } from '../games/watched-state.ts';
import type { Translate } from '../i18n/translate.ts';
import { seatName, spokenName } from '../model.ts';
import type { SessionView } from '../protocol.ts';
import { button, keepKeyboard, setText } from '../ui/dom.ts';
import { makeSettingButton } from '../ui/setting-button.ts';
import { canVibrate } from '../ui/vibration.ts';
import type { History, PlayedMove, Step } from './history.ts';
import { historyAfter, NO_MOVES } from './history.ts';
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
  addStep(step: Step): void;
  showEvent(event: string): void;
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
  event: string;
  /** The number of moves before the shown position. Null is the present. */
  pastIndex: number | null;
}

/** Whether the list has its own area next to the board. */
const WIDE = '(min-aspect-ratio: 11 / 10) and (min-width: 900px) and (min-height: 560px)';

export function makeBook(parts: BookHost): Book {
  const { t, host, element, open } = parts;
  const stage: Stage = {
    ...parts,
    now: button('button is-primary trail-now', t('trail.now'), null, () => showPast(stage, null)),
    panel: makePanel(t, {
      showPast: (index) => showPast(stage, index),
      close: () => setOpen(stage, false),
    }),
    session: null,
    history: NO_MOVES,
    event: '',
    pastIndex: null,
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
    addStep: (step) => addStep(stage, step),
    showEvent(event) {
      stage.event = event;
      render(stage);
    },
    lastSentence() {
      const last = stage.history.moves.at(-1);
      return last === undefined ? null : sentenceOf(stage, last);
    },
    toggle: () => setOpen(stage, !element.classList.contains('is-open')),
  };
}

function addStep(stage: Stage, step: Step): void {
  const stored = stage.session === null ? readHistory(step.session) : null;
  stage.session = step.session;
  const history = historyAfter(stored?.history ?? stage.history, {
    ...step,
    before: step.before ?? stored?.last ?? null,
  });
  if (history === stage.history) return;
  // The oldest moves were dropped, so the shown move has another number.
  const dropped = stage.history.moves.length - history.moves.length;
  if (dropped >= 0 && stage.pastIndex !== null) showPast(stage, null);
  stage.history = history;
  render(stage);
}

function sentenceOf({ board, t }: Stage, { seat, action, before, after }: PlayedMove): string {
  const session = after ?? before;
  if (session === null) return '';
  return describeStep({ before, session, board }, { seat, action }, t).join('. ');
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
  if (stage.pastIndex !== null) showPast(stage, null);
  else if (stage.element.classList.contains('is-open')) setOpen(stage, false);
}

/** Shows the position after this many moves on a board without interaction. */
function showPast(stage: Stage, index: number | null): void {
  const { host, history, t, element, open } = stage;
  const made = index === null || index === 0 ? null : history.moves[index - 1]!;
  const session = index === 0 ? history.start : (made?.after ?? null);
  const live = host.live();
  if (live === null) return;
  const isPast = session !== null && index! < history.moves.length;
  stage.pastIndex = isPast ? index : null;
  host.table.classList.toggle('is-past', isPast);
  if (isPast) host.table.replaceChildren(makePast(stage, session, made));
  else if (live.element.parentElement !== host.table) host.table.replaceChildren(live.element);
  keepKeyboard(element, open, () => render(stage));
  const sentence = made === null ? '' : sentenceOf(stage, made);
  host.announce(isPast ? [placeOf(stage), sentence].join('. ') : t('trail.present'));
}

function makePast(
  { host, board, t }: Stage,
  session: SessionView,
  made: PlayedMove | null,
): Element {
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

function placeOf({ t, pastIndex, history }: Stage): string {
  return pastIndex === 0
    ? t('trail.start')
    : t('trail.at', { index: pastIndex!, last: history.moves.length });
}

function render(stage: Stage): void {
  const { element, text, now, pastIndex, history, event, panel } = stage;
  const isPast = pastIndex !== null;
  element.classList.toggle('is-past', isPast);
  element.classList.toggle('has-moves', history.moves.length > 0);
  // Announcements continue while an earlier position is shown.
  setText(text, isPast ? `${placeOf(stage)} · ${event}` : event);
  now.hidden = !isPast;
  if (!element.classList.contains('is-open') && !matchMedia(WIDE).matches) return;
  panel.show({
    count: history.moves.length,
    hasStart: history.start !== null,
    pastIndex,
    makeRow: (index) => makeRow(stage, history.moves[index]!),
  });
}

function makeRow(stage: Stage, made: PlayedMove): Row {
  const text = sentenceOf(stage, made);
  return {
    piece: stage.board.makePiece(made.seat),
    short: shortOf(stage, made) ?? { text },
    text,
    isSeen: made.after !== null,
  };
}

function shortOf(
  { board, t }: Stage,
  { seat, action, before, after }: PlayedMove,
): ShortMove | null {
  const session = after ?? before;
  if (session === null || board.shortMove === undefined) return null;
  return board.shortMove(action, seat, t, {
    before: before?.view ?? null,
    view: session.view,
    variant: session.variant,
    nameOf: (other) => spokenName(session, other, t),
  });
}
