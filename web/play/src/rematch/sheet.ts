/** The sheet below a result: ratings, the series, and the players' answers about a rematch (rule W8). */

import { adoptSheet } from '../games/adopt-sheet.ts';
import { makeWords, type Word } from '../i18n/rematch-words.ts';
import type { Translate } from '../i18n/translate.ts';
import { seatName } from '../model.ts';
import type { Rematch, Seat, SessionView } from '../protocol.ts';
import { winnersOf } from '../result-words.ts';
import { button, h, keepKeyboard, setEnabled, setText } from '../ui/dom.ts';
import {
  ARRIVAL_MS,
  type Attendance,
  absentAt,
  attendanceAfter,
  NO_ATTENDANCE,
  type Phase,
  phaseOf,
  withdrawnAfter,
} from './phase.ts';
import css from './rematch.css' with { type: 'text' };

/** The delay between the agreement and the opening of the next match, so that the reader sees it. Ms. */
const OPEN_AFTER_MS = 900;
/** If the response with the rematch takes longer, it is requested again. Ms. */
const RETRY_MS = 3_000;
/** After this time the page says that the rematch takes longer. Ms. */
const LATE_MS = 20_000;
/** A timer may fire this much early by another clock. Ms. */
const EARLY_MS = 50;

export type RematchAnswer = 'offer' | 'withdraw' | 'decline';

export interface SheetHost {
  readonly session: SessionView & { readonly seat: Seat };
  /** The server's time, ms since 1970. */
  now(): number;
  /** Sends an answer, or requests the others' answers; the result arrives by `update`. */
  send(step?: RematchAnswer): void;
  /** Asks the embedding page to create it; null if others do. */
  readonly make: ((session: string) => Promise<string | null>) | null;
  /** Opens the next match. */
  open(token: string): void;
  announce(text: string): void;
}

export interface Sheet {
  update(rematch: Rematch): void;
  /** Whether there is a connection to send through. */
  setOnline(isOnline: boolean): void;
}

interface Stage {
  readonly host: SheetHost;
  readonly t: Translate;
  readonly words: ReturnType<typeof makeWords>;
  readonly element: HTMLElement;
  readonly message: HTMLElement;
  readonly buttons: HTMLElement;
  readonly facts: HTMLElement;
  rematch: Rematch | null;
  attendance: Attendance;
  withdrawn: readonly Seat[];
  isOnline: boolean;
  /** The answer given here that the server has not confirmed yet. */
  isSending: boolean;
  /** The player has agreed in this window: then the rematch opens by itself. */
  wants: boolean;
  isMaking: boolean;
  /** The server's time when all were first seen to agree. */
  agreedAt: number | null;
  token: string | null;
  isOpening: boolean;
  cancelTimer: () => void;
}

/** `element` is the container; it is shown once it has content. */
export function makeSheet(t: Translate, element: HTMLElement, host: SheetHost): Sheet {
  adoptSheet(css);
  const message = h('p', { class: 'rematch-said' });
  const buttons = h('div', { class: 'rematch-buttons' });
  const facts = h('p', { class: 'rematch-facts' });
  const words = makeWords(t.language);
  element.tabIndex = -1;
  element.setAttribute('aria-label', words('again'));
  element.replaceChildren(message, buttons, facts);
  const stage: Stage = {
    host,
    t,
    words,
    element,
    message,
    buttons,
    facts,
    rematch: null,
    attendance: NO_ATTENDANCE,
    withdrawn: [],
    isOnline: true,
    isSending: false,
    wants: false,
    isMaking: false,
    agreedAt: null,
    token: null,
    isOpening: false,
    cancelTimer: () => {},
  };
  return {
    update: (rematch) => update(stage, rematch),
    setOnline(isOnline) {
      if (stage.isOnline === isOnline) return;
      stage.isOnline = isOnline;
      render(stage);
    },
  };
}

function update(stage: Stage, rematch: Rematch): void {
  stage.withdrawn = withdrawnAfter(stage.withdrawn, stage.rematch, rematch);
  stage.rematch = rematch;
  stage.attendance = attendanceAfter(stage.attendance, rematch, othersOf(stage), performance.now());
  if (stage.attendance.missing.size > 0) setTimeout(() => render(stage), ARRIVAL_MS + EARLY_MS);
  stage.isSending = false;
  if (rematch.agreed) stage.agreedAt ??= stage.host.now();
  stage.token = rematch.next?.token ?? stage.token;
  render(stage);
  follow(stage);
}

/** The other people's seats. */
function othersOf({ host }: Stage): readonly Seat[] {
  const { seat: own, players } = host.session;
  return players.flatMap(({ seat, isBot }) => (isBot || seat === own ? [] : [seat]));
}

function phaseNow(stage: Stage): Phase {
  const { host, rematch, withdrawn, token } = stage;
  const { seat: own } = host.session;
  const others = othersOf(stage);
  const seen = withdrawn.filter((seat) => seat !== own);
  const now = host.now();
  const isLate = stage.agreedAt !== null && now - stage.agreedAt >= LATE_MS;
  const away = absentAt(stage.attendance, performance.now());
  const phase = phaseOf({ rematch, own, others, away, withdrawn: seen, now, isLate });
  return token !== null && phase.kind !== 'none' ? { kind: 'ready', token } : phase;
}

/** The automatic steps: creating the rematch, requesting it again, opening it. */
function follow(stage: Stage): void {
  const { host, rematch } = stage;
  const phase = phaseNow(stage);
  stage.cancelTimer();
  if (phase.kind === 'making' || phase.kind === 'late') {
    if (host.make !== null) void make(stage, host.make);
    later(stage, RETRY_MS, () => {
      // Without a connection requests would only pile up; a new connection sends one by itself.
      if (stage.isOnline) host.send();
      render(stage);
      follow(stage);
    });
  } else if (phase.kind === 'ready' && phase.token === null) host.send();
  else if (phase.kind === 'ready' && wantsIt(stage) && !stage.isOpening) {
    stage.isOpening = true;
    setTimeout(() => host.open(phase.token!), OPEN_AFTER_MS);
  } else if (rematch?.until != null && phase.kind !== 'expired' && phase.kind !== 'declined') {
    later(stage, Math.max(0, rematch.until - host.now()) + 1, () => render(stage));
  }
}

/** A player who agreed in another tab, or before a reload, agrees here too. */
function wantsIt({ wants, rematch, host }: Stage): boolean {
  return wants || rematch?.asked.includes(host.session.seat) === true;
}

function later(stage: Stage, ms: number, act: () => void): void {
  const timer = setTimeout(act, ms);
  stage.cancelTimer = () => clearTimeout(timer);
}

async function make(stage: Stage, ask: NonNullable<SheetHost['make']>): Promise<void> {
  if (stage.isMaking) return;
  stage.isMaking = true;
  stage.token = (await ask(stage.host.session.s)) ?? stage.token;
  if (stage.token === null) return;
  render(stage);
  follow(stage);
}

// ── display ────────────────────────────────────────────────────────────────────────────────────

function render(stage: Stage): void {
  const { element, message, buttons } = stage;
  const phase = phaseNow(stage);
  const text = stage.isOnline || phase.kind === 'none' ? textOf(stage, phase) : stage.words('lost');
  renderFacts(stage);
  const isChanged = text !== '' && message.textContent !== text;
  const wanted = `${phase.kind} ${stage.isSending} ${stage.isOnline}`;
  setText(message, text);
  element.dataset['phase'] = phase.kind;
  keepKeyboard(element, element, () => {
    if (buttons.dataset['for'] !== wanted) buttons.replaceChildren(...buttonsOf(stage, phase));
    buttons.dataset['for'] = wanted;
  });
  element.hidden = phase.kind === 'none' && stage.facts.childElementCount === 0;
  if (isChanged) stage.host.announce(text);
}

function namesOf({ host, t }: Stage, seats: readonly Seat[]): string {
  const names = seats.map((seat) => seatName(host.session, seat, t));
  return new Intl.ListFormat(t.language).format(names);
}

function textOf(stage: Stage, phase: Phase): string {
  const { words, host } = stage;
  const of = (word: Word, seats: readonly Seat[]) =>
    words(word, { name: namesOf(stage, seats) }, seats.length);
  // A player who was never seen here may be about to arrive.
  const hasLeft = (seats: readonly Seat[]): boolean =>
    seats.every((seat) => stage.attendance.seen.includes(seat));
  switch (phase.kind) {
    case 'none':
      return '';
    case 'open':
      if (phase.away.length === 0) return '';
      return of(hasLeft(phase.away) ? 'left' : 'absent', phase.away);
    case 'waiting':
      if (phase.away.length === 0) return of('waiting', phase.for);
      return of(hasLeft(phase.away) ? 'leftWaiting' : 'absentWaiting', phase.away);
    case 'asked':
    case 'withdrawn':
      return of(phase.kind, phase.by);
    case 'declined':
      return phase.by === host.session.seat ? words('declinedOwn') : of('declined', [phase.by]);
    case 'expired':
    case 'making':
    case 'late':
    case 'ready':
    case 'refused':
      return words(phase.kind);
  }
}

function buttonsOf(stage: Stage, phase: Phase): HTMLButtonElement[] {
  const { host, words } = stage;
  const send = (word: Word, step: RematchAnswer | undefined, isPrimary = false) =>
    press(stage, words(word), isPrimary, () => {
      stage.isSending = true;
      stage.wants = step === 'offer' || (stage.wants && step === undefined);
      host.send(step);
      render(stage);
    });
  switch (phase.kind) {
    case 'open':
    case 'withdrawn':
      return [send('again', 'offer', true)];
    case 'waiting':
      return [send('withdraw', 'withdraw')];
    case 'asked':
      return [send('accept', 'offer', true), send('decline', 'decline')];
    case 'refused':
      return [send('retry', undefined, true)];
    case 'ready': {
      const { token } = phase;
      if (token === null || wantsIt(stage)) return [];
      return [press(stage, words('play'), true, () => host.open(token))];
    }
    default:
      return [];
  }
}

function press(
  { isOnline, isSending }: Stage,
  label: string,
  isPrimary: boolean,
  act: () => void,
): HTMLButtonElement {
  const element = button(isPrimary ? 'button is-primary' : 'button', label, null, act);
  setEnabled(element, isOnline && !isSending);
  return element;
}

/** The player's rating before and after, and the score of the series. */
function renderFacts({ facts, rematch, host, words, t }: Stage): void {
  const { session } = host;
  const own = rematch?.ratings?.[session.seat];
  const lines: HTMLElement[] = [];
  if (own !== undefined) {
    const [before, after] = own.map(Math.round) as [number, number];
    const number = new Intl.NumberFormat(t.language);
    const signed = new Intl.NumberFormat(t.language, { signDisplay: 'exceptZero' });
    const change = words('change', { before: number.format(before), after: number.format(after) });
    lines.push(
      h(
        'span',
        {},
        `${words('rating')} `,
        h('b', {}, change),
        ` (${signed.format(after - before)})`,
      ),
    );
  }
  const score = scoreOf(session);
  if (score !== null) {
    const { draws } = score;
    const text = { score: score.wins.join(' : '), draws };
    lines.push(h('span', {}, words(draws === 0 ? 'series' : 'draws', text)));
  }
  if (facts.textContent !== lines.map(({ textContent }) => textContent).join('')) {
    facts.replaceChildren(...lines);
  }
}

/** With this match, by seat; null if the match is not a rematch. */
function scoreOf({ series, result, seats }: SessionView) {
  if (series === undefined || result === null) return null;
  const winners = winnersOf(result);
  const isDraw = winners.length === 0 && result.reason !== 'aborted';
  return {
    wins: Array.from(
      { length: seats },
      (_, seat) => (series.wins[seat] ?? 0) + (winners.includes(seat) ? 1 : 0),
    ),
    draws: series.draws + (isDraw ? 1 : 0),
  };
}
