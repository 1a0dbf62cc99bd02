/** The players' plates: seat, piece, presence, and clock. */

import type { Translate } from '../i18n/translate.ts';
import type { Model, Now } from '../model.ts';
import { isAwaited, isOut, isToMove, seatName } from '../model.ts';
import type { Emote, ResultFrame, Seat, SessionView } from '../protocol.ts';
import { parseTime, playerAt } from '../protocol.ts';
import { winnersOf } from '../result-words.ts';
import { h, setAttributes, setText } from './dom.ts';
import { makeEmote } from './icons.ts';

/** How long an emote stays. Milliseconds. */
const BUBBLE_MS = 3_200;
/** A clock is amber, then red, below these times and parts of the turn, whichever is less. */
const SOON = { ms: 30_000, part: 0.5 };
const HURRY = { ms: 10_000, part: 0.25 };
/** This many plates are visible at once. */
const SEATS_SHOWN = 4;
/** Separates the remarks on one player. */
const SEPARATOR = ' · ';

export interface Plates {
  readonly element: HTMLElement;
  update(model: Model, now: Now): void;
  /** Updates only what changes with time. */
  tick(model: Model, now: Now): void;
  showEmote(seat: Seat, emote: Emote): void;
}

interface Plate {
  readonly element: HTMLElement;
  readonly piece: HTMLElement;
  readonly name: HTMLElement;
  readonly sub: HTMLElement;
  readonly clock: HTMLElement;
  readonly bar: HTMLElement;
  readonly bubble: HTMLElement;
  /** Cancels the hiding of the bubble. */
  cancelBubble: () => void;
}

export function makePlates(t: Translate): Plates {
  const element = h('div', { class: 'plates' });
  let plates: Plate[] = [];
  return {
    element,
    update(model, now) {
      const seats = model.session?.seats ?? 2;
      if (plates.length !== seats) {
        plates = Array.from({ length: seats }, () => makePlate());
        element.replaceChildren(...plates.map((plate) => plate.element));
        // More plates than fit are a list that can be scrolled, also by keyboard.
        const label = seats > SEATS_SHOWN ? t('any.players') : null;
        setAttributes(element, {
          tabindex: label && 0,
          role: label && 'group',
          'aria-label': label,
        });
      }
      for (const [seat, plate] of plates.entries()) renderPlate(plate, seat, model, t);
      if (seats > SEATS_SHOWN) showActing(element, plates, model.session);
      tickPlates(plates, model, now, t);
    },
    tick: (model, now) => tickPlates(plates, model, now, t),
    showEmote(seat, emote) {
      const plate = plates[seat];
      if (plate !== undefined) showBubble(plate, emote, t);
    },
  };
}

/** Scrolls to the plate of the player to move, to the viewer's own if there are several. */
function showActing(
  element: HTMLElement,
  plates: readonly Plate[],
  session: SessionView | null,
): void {
  const [first, ...more] = session?.acting ?? [];
  const seat = more.length > 0 ? (session?.seat ?? null) : (first ?? null);
  const shown = seat === null ? '' : `${seat}`;
  if (element.dataset['shown'] === shown) return;
  element.dataset['shown'] = shown;
  const plate = seat === null ? null : plates[seat]!.element;
  if (plate !== null) {
    element.scrollTo({
      left: plate.offsetLeft - element.offsetLeft - (element.clientWidth - plate.offsetWidth) / 2,
      top: plate.offsetTop - element.offsetTop - (element.clientHeight - plate.offsetHeight) / 2,
    });
  }
}

function makePlate(): Plate {
  const piece = h('span', { class: 'plate-piece' });
  const name = h('span', { class: 'plate-name' });
  const sub = h('span', { class: 'plate-sub' });
  const clock = h('span', { class: 'plate-clock', role: 'timer', 'aria-live': 'off' });
  const bar = h('span', { class: 'plate-bar', 'aria-hidden': 'true' });
  const bubble = h('span', { class: 'bubble', 'aria-hidden': 'true', hidden: true });
  const foot = h('span', { class: 'plate-foot' }, sub, clock);
  const element = h('div', { class: 'plate', role: 'group' }, piece, name, foot, bar, bubble);
  return { element, piece, name, sub, clock, bar, bubble, cancelBubble: () => {} };
}

function renderPlate(plate: Plate, seat: Seat, model: Model, t: Translate): void {
  const { session, board, connection } = model;
  // Without a connection no player's presence is known.
  const isKnown = connection.kind !== 'closed';
  const player = session === null ? null : playerAt(session, seat);
  const isWinner = session?.result != null && winnersOf(session.result).includes(seat);
  const wantedPiece = board === null ? '' : session!.game;
  if (plate.piece.dataset['game'] !== wantedPiece) {
    plate.piece.dataset['game'] = wantedPiece;
    plate.piece.replaceChildren(...(board === null ? [] : [board.makePiece(seat)]));
  }
  const { classList } = plate.element;
  classList.toggle('is-turn', session?.status === 'active' && isToMove(session, seat));
  classList.toggle('is-own', session !== null && session.seat === seat);
  classList.toggle('is-open', player === null);
  classList.toggle('is-away', player !== null && !player.connected && session?.status !== 'ended');
  classList.toggle('is-winner', isWinner);
  classList.toggle('is-bot', player?.isBot === true);
  const name = session === null ? ' ' : seatName(session, seat, t);
  setText(plate.name, name);
  plate.name.title = name;
  const note = session === null ? null : noteOf(session, board, seat, t);
  const sub = session === null ? [' '] : subOf(session, seat, note, isKnown, t);
  const pieceName = board?.pieceName(seat, t) ?? '';
  showSub(plate.sub, sub);
  setAttributes(plate.element, {
    'aria-label':
      session === null
        ? null
        : [name, pieceName, sub.join(SEPARATOR)].filter((part) => part !== '').join(', '),
  });
}

/** If only one of several fits, it is the first: each of them is cut off separately. */
function showSub(element: HTMLElement, words: readonly string[]): void {
  if (element.textContent === words.join(SEPARATOR)) return;
  element.replaceChildren(
    ...words.map((word, index) => h('span', {}, index === 0 ? word : SEPARATOR + word)),
  );
}

/** The game's words for a seat, during the match. */
function noteOf(
  session: SessionView,
  board: Model['board'],
  seat: Seat,
  t: Translate,
): string | null {
  if (session.result === null && isOut(session, seat)) return t('player.out');
  return board?.note?.(session.view, seat, t) ?? null;
}

/** Remarks on a player next to the piece, the most important first. */
function subOf(
  session: SessionView,
  seat: Seat,
  note: string | null,
  isKnown: boolean,
  t: Translate,
): readonly string[] {
  const player = playerAt(session, seat);
  if (player === null) return [];
  // With room for one of them, the game's words are shown.
  const wins = winsOf(session, seat, t);
  const notes = note === null ? [] : [note];
  const withNote = (word: string): readonly string[] => [...notes, word, ...wins];
  const place = session.result === null ? [] : placeOf(session.result, seat, t);
  // After the end the seat's result matters more.
  if (place.length > 0) return [...place, ...notes, ...wins];
  if (seat === session.seat) return withNote(t('player.you'));
  if (player.isBot) return withNote(t('player.bot'));
  // The dot shows that the player is connected; the note takes the text's place.
  if (player.connected)
    return note === null && !isKnown ? wins : [note ?? t('player.here'), ...wins];
  const neverConnected = session.status === 'pending' || isAwaited(session, seat);
  return [t(neverConnected ? 'player.absent' : 'player.away'), ...wins];
}

/** Matches of the series that the seat's player has won, with this one. */
function winsOf({ series, result }: SessionView, seat: Seat, t: Translate): readonly string[] {
  if (series === undefined) return [];
  const won = result !== null && winnersOf(result).includes(seat) ? 1 : 0;
  return [t('player.wins', { count: (series.wins[seat] ?? 0) + won })];
}

/** The result of a seat, if there is one to show. */
function placeOf(result: ResultFrame, seat: Seat, t: Translate): readonly string[] {
  const { placements, winners } = result;
  const own = placements.find((each) => each.seat === seat);
  if (own === undefined) return [];
  const { place, score } = own;
  const points = score === undefined ? [] : [t('player.score', { count: score })];
  if (winnersOf(result).includes(seat)) return [t('player.winner'), ...points];
  const hasOrder = placements.length > 2 && winners.length > 0;
  return hasOrder ? [t('player.place', { place }), ...points] : points;
}

function tickPlates(plates: readonly Plate[], model: Model, now: Now, t: Translate): void {
  for (const [seat, plate] of plates.entries()) {
    const left = timeLeft(model.session, seat, now.server);
    setText(plate.clock, left === null ? '' : t.countdown(left));
    const isRunning = model.session !== null && isToMove(model.session, seat);
    setAttributes(plate.clock, {
      'aria-label': left === null ? null : t('time.left', { time: t.spoken(left) }),
    });
    const part = isRunning ? turnPartLeft(model.session!, now.server) : null;
    const isBelow = (limit: typeof SOON): boolean =>
      isRunning && left !== null && left < limit.ms && (part ?? 0) < limit.part;
    const isHurry = isBelow(HURRY);
    plate.element.classList.toggle('is-hurry', isHurry);
    plate.element.classList.toggle('is-soon', !isHurry && isBelow(SOON));
    plate.bar.hidden = part === null;
    if (part !== null) plate.bar.style.setProperty('transform', `scaleX(${part.toFixed(4)})`);
  }
}

/** A seat's clock; without clocks, the time of the turn for the seat to move. */
function timeLeft(session: SessionView | null, seat: Seat, now: number): number | null {
  if (session === null) return null;
  const { clock, deadline, status } = session;
  if (clock !== null) {
    const flagsAt = clock.running === seat ? parseTime(clock.flagsAt) : null;
    return flagsAt === null ? (clock.remainingMs[seat] ?? null) : Math.max(0, flagsAt - now);
  }
  const isRunning = status === 'active' && isToMove(session, seat);
  return isRunning && deadline !== null ? deadline - now : null;
}

/** The remaining part of the turn, 1 to 0; null when it has no limit. */
function turnPartLeft({ deadline, turnAt, status }: SessionView, now: number): number | null {
  if (status !== 'active' || deadline === null || deadline <= turnAt) return null;
  return Math.min(1, Math.max(0, (deadline - now) / (deadline - turnAt)));
}

function showBubble(plate: Plate, emote: Emote, t: Translate): void {
  plate.cancelBubble();
  plate.bubble.replaceChildren(makeEmote(emote), h('span', {}, t(`emote.${emote}`)));
  plate.bubble.hidden = false;
  const timer = setTimeout(() => {
    plate.bubble.hidden = true;
  }, BUBBLE_MS);
  plate.cancelBubble = () => clearTimeout(timer);
}
