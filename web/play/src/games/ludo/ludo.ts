/** The board of ludo: roll the die, choose a token, and see the result. */

import { fieldOf } from '../../field.ts';
import type { Translate } from '../../i18n/translate.ts';
import { missedMoves } from '../../missed-moves.ts';
import type { Seat } from '../../protocol.ts';
import { setAttributes, svg } from '../../ui/dom.ts';
import { movesFreely } from '../../ui/motion.ts';
import type { BoardHost, BoardModule, BoardState, BoardView } from '../board-view.ts';
import type { Roving } from '../roving.ts';
import { makeRoving } from '../roving.ts';
import type { Burst } from './burst.ts';
import { makeBurst } from './burst.ts';
import type { Die } from './die.ts';
import { makeDie, pause, ROLL_MS } from './die.ts';
import { makeGround, SIZE, UNIT } from './ground.ts';
import { nearestOf, REACH_PX } from './nearest.ts';
import type { Tokens } from './tokens.ts';
import { BACK_MS, HOP_MS, makeTokens, pointOf } from './tokens.ts';
import type { Layout } from './track.ts';
import { yardAt } from './track.ts';
import type { LudoView, Step } from './view.ts';
import { readView, TOKENS, wayOf } from './view.ts';
import { describeMove, makePicture, placeName, shortMove } from './words.ts';

/** How long a roll without a move stays visible. Milliseconds. */
const READ_MS = 500;
/** How much faster animations run after a tap. */
const HURRY_PACE = 6;
/** How long a player has to notice that it is their turn. Milliseconds. */
const AUTO_ROLL_MS = 450;

/** The state that the board's functions share. */
interface Table {
  readonly host: BoardHost;
  readonly element: SVGSVGElement;
  readonly die: Die;
  readonly mark: SVGCircleElement;
  readonly burst: Burst;
  layout: Layout | null;
  tokens: Tokens | null;
  roving: Roving | null;
  state: BoardState | null;
  view: LudoView;
  /** Numbers the animations: an older one stops when a newer one starts. */
  showing: number;
  /** Whether an animation is running that the player must see first. */
  busy: boolean;
  /** The player has tapped: the animation finishes quickly. */
  isHurried: boolean;
}

function makeBoard(host: BoardHost): BoardView {
  const element = svg('svg', {
    class: 'board lu',
    viewBox: `0 0 ${SIZE} ${SIZE}`,
    role: 'group',
    'aria-label': host.t('ludo.board'),
  });
  const pace = (): number => host.pace() * (table.isHurried ? HURRY_PACE : 1);
  const table: Table = {
    host: { ...host, pace },
    element,
    die: makeDie(pace),
    burst: makeBurst(),
    mark: svg('circle', { class: 'lu-mark', r: 13 }),
    layout: null,
    tokens: null,
    roving: null,
    state: null,
    view: readView(null),
    showing: 0,
    busy: false,
    isHurried: false,
  };
  const { element: die } = table.die;
  element.addEventListener('click', (event) => takeTap(table, event), true);
  element.addEventListener('pointermove', (event) => hover(table, event));
  element.addEventListener('pointerleave', (event) => hover(table, event));
  new ResizeObserver(() => sizeTargets(element)).observe(element);
  host.settings?.onChange(() => rollByItself(table));
  die.addEventListener('click', () => roll(table));
  die.addEventListener('keydown', (event) => {
    if (event.repeat || (event.key !== 'Enter' && event.key !== ' ')) return;
    event.preventDefault();
    roll(table);
  });
  return {
    element,
    render: (next) => render(table, next),
  };
}

function layOut(table: Table, layout: Layout): void {
  if (table.layout?.seats === layout.seats && table.layout.nearest === layout.nearest) return;
  const tokens = makeTokens(layout, table.host.pace);
  table.layout = layout;
  table.tokens = tokens;
  const grid = svg(
    'g',
    { role: 'grid', 'aria-label': table.host.t('ludo.tokens') },
    tokens.element,
  );
  table.element.replaceChildren(
    makeGround(layout),
    table.mark,
    table.burst.element,
    table.die.element,
    grid,
  );
  table.roving = makeRoving(
    tokens.pieces.map(({ cell }) => cell),
    TOKENS,
    (index) => choose(table, tokens.pieces[index]!),
  );
  for (const { cell, seat, token } of tokens.pieces) {
    cell.addEventListener('focus', () => showTarget(table, seat, token));
    cell.addEventListener('blur', () => table.mark.classList.remove('is-shown'));
  }
}

const canRoll = ({ state, view, busy }: Table): boolean =>
  state?.canMove === true && view.die === null && !busy;
const canChoose = ({ state, view, busy }: Table): boolean =>
  state?.canMove === true && view.die !== null && !busy;

function movableTokens(table: Table): readonly number[] {
  if (!canChoose(table)) return [];
  return (table.state!.legal ?? []).flatMap((action) => {
    const token = fieldOf(action, 'token');
    return typeof token === 'number' ? [token] : [];
  });
}

function roll(table: Table): void {
  const { host, view, state } = table;
  if (canRoll(table)) host.play({ roll: true });
  else if (table.busy) speedUp(table);
  else if (state?.canMove === true && view.die !== null) {
    host.refuse?.(host.t('hint.chooseToken', { die: view.die }));
  } else host.refuse?.();
}

/** If the setting is on, a forced move needs no press. */
function rollByItself(table: Table): void {
  const { host, showing } = table;
  if (host.settings?.isOn('autoRoll') !== true || !canRoll(table)) return;
  setTimeout(() => {
    if (showing === table.showing && host.settings?.isOn('autoRoll') === true && canRoll(table)) {
      host.play({ roll: true });
    }
  }, AUTO_ROLL_MS);
}

function speedUp(table: Table): void {
  table.isHurried = true;
  for (const moved of table.element.getAnimations({ subtree: true })) {
    moved.playbackRate = HURRY_PACE;
  }
}

/** A tap selects the nearest token within reach. Keys and screen readers name a token themselves. */
function takeTap(table: Table, event: MouseEvent): void {
  if (event.detail === 0 || table.tokens === null) return;
  if (table.busy) {
    event.stopPropagation();
    speedUp(table);
    return;
  }
  const found = targetAt(table, event);
  const isDie = (event.target as Element).closest('.lu-die') !== null;
  if (found === null || (isDie && !found.isFree)) return;
  event.stopPropagation();
  choose(table, found.piece);
}

/** The player's token nearest to a pointer. */
function targetAt(table: Table, { clientX, clientY }: MouseEvent) {
  const movable = movableTokens(table);
  const own = (table.tokens?.pieces ?? []).filter(({ seat }) => seat === table.state?.seat);
  const targets = own.map((piece) => {
    const { left, top, width, height } = piece.cell.getBoundingClientRect();
    const isFree = movable.includes(piece.token);
    return { piece, x: left + width / 2, y: top + height / 2, isFree };
  });
  return nearestOf(targets, clientX, clientY);
}

/** Under the mouse a token shows its target: it is the token that a press there would move. */
function hover(table: Table, event: PointerEvent): void {
  if (event.pointerType !== 'mouse' || !canChoose(table)) return;
  const found = event.type === 'pointermove' ? targetAt(table, event) : null;
  if (found?.isFree === true) showTarget(table, found.piece.seat, found.piece.token);
  else table.mark.classList.remove('is-shown');
}

/** Units of the drawing that make a target of 44 pixels. */
function sizeTargets(element: SVGSVGElement): void {
  const { width, height } = element.getBoundingClientRect();
  const units = (REACH_PX / Math.max(1, Math.min(width, height))) * SIZE;
  element.style.setProperty('--reach', `${Math.max(26, units)}px`);
}

function choose(
  table: Table,
  { seat, token }: { readonly seat: Seat; readonly token: number },
): void {
  const { host, view, state } = table;
  const { t } = host;
  if (seat === state?.seat && movableTokens(table).includes(token)) host.play({ token });
  else if (table.busy) speedUp(table);
  else if (seat !== state?.seat) host.refuse?.(t('hint.notYours'));
  else if (view.die === null) host.refuse?.(t('hint.rollFirst'));
  else host.refuse?.(t('hint.tokenStuck', { die: view.die }));
}

function showTarget(table: Table, seat: Seat, token: number): void {
  const { view, state, layout, mark } = table;
  if (layout === null || view.die === null || seat !== state?.seat) return;
  if (!movableTokens(table).includes(token)) return;
  const target = wayOf(view, seat, view.tokens[seat]![token]!, view.die)?.at(-1);
  if (target === undefined) return;
  const [x, y] = pointOf(target, seat, token, layout);
  setAttributes(mark, { cx: x * UNIT, cy: y * UNIT });
  mark.classList.add('is-shown');
}

function render(table: Table, next: BoardState): void {
  const { state: before, view: viewBefore } = table;
  layOut(table, { seats: next.seats, nearest: next.nearest });
  const isFirst = before === null || viewBefore.tokens.length === 0;
  const isOther = before === null || JSON.stringify(before.view) !== JSON.stringify(next.view);
  table.state = next;
  if (!isOther) {
    renderStops(table);
    return;
  }
  table.view = readView(next.view);
  table.showing += 1;
  table.burst.clear();
  if (isFirst || !movesFreely() || document.visibilityState === 'hidden') settle(table);
  else void showCourse(table, viewBefore, table.showing);
}

/** Shows a position without animation. */
function settle(table: Table): void {
  const { tokens, view, state, die, layout } = table;
  table.busy = false;
  table.isHurried = false;
  tokens!.place(view.tokens);
  for (const step of view.last) showCapture(table, step);
  const roller = state?.turn ?? view.last.at(-1)?.seat ?? 0;
  const [x, y] = yardAt(roller, layout!);
  die.show(x * UNIT, y * UNIT, view.die ?? faceOf(table, roller));
  renderStops(table);
  moveFocus(table);
  rollByItself(table);
}

/** The face before a roll: the seat's last roll, else none. */
function faceOf({ view }: Table, roller: Seat): number | null {
  const last = view.last.at(-1);
  return last?.seat === roller ? last.die : null;
}

/** Animates the way to the position: each roll, each token square by square, each capture. */
async function showCourse(table: Table, before: LudoView, showing: number): Promise<void> {
  const { tokens, view } = table;
  const isCurrent = (): boolean => table.showing === showing;
  table.busy = true;
  tokens!.place(before.tokens);
  renderStops(table);
  for (const [n, step] of view.last.entries()) {
    const wasRolled = n === 0 && before.die !== null;
    if (!wasRolled) await showRoll(table, step.seat, step.die);
    if (!isCurrent()) return;
    await showStep(table, before, step);
    if (!isCurrent()) return;
  }
  if (view.last.length === 0 && view.die !== null) {
    await showRoll(table, table.state?.turn ?? 0, view.die);
  }
  if (isCurrent()) settle(table);
}

async function showRoll({ die, layout, host }: Table, seat: Seat, face: number): Promise<void> {
  const [x, y] = yardAt(seat, layout!);
  host.sound('roll');
  await die.roll(x * UNIT, y * UNIT, face);
}

async function showStep(table: Table, before: LudoView, step: Step): Promise<void> {
  const { tokens, host } = table;
  const { seat, token, from, to, die, captured } = step;
  if (token === null || from === null || to === null) {
    await pause(READ_MS, host.pace);
    return;
  }
  const way = wayOf(before, seat, from, die);
  const walked = way?.at(-1) === to ? way : [to];
  const onHop = (): void => host.sound(to === 'done' ? 'home' : 'hop');
  if (!(await tokens!.hop(seat, token, walked, onHop))) return;
  if (captured.length > 0) {
    host.sound('take');
    showCapture(table, step);
  }
  await Promise.all(captured.map((each) => tokens!.back(each.seat, each.token)));
}

function showCapture({ burst, layout }: Table, { seat, token, to, captured }: Step): void {
  if (captured.length === 0 || token === null || to === null) return;
  burst.show(pointOf(to, seat, token, layout!), seat);
}

/** Moves the keyboard focus to the next possible action. */
function moveFocus(table: Table): void {
  const focused = document.activeElement;
  if (focused === null || !table.element.contains(focused)) return;
  const [first] = movableTokens(table);
  const { seat } = table.state!;
  if (first !== undefined && focused === table.die.element) {
    const cell = table.tokens!.pieces[seat! * TOKENS + first]!.cell;
    cell.focus();
  } else if (canRoll(table)) table.die.element.focus();
}

/** Enables what can be pressed, and labels it. */
function renderStops(table: Table): void {
  const { host, tokens, die, view, state } = table;
  const { t } = host;
  const movable = movableTokens(table);
  const mayRoll = canRoll(table);
  const isRolling = fieldOf(state?.sending, 'roll') === true;
  const sending = fieldOf(state?.sending, 'token');
  die.element.classList.toggle('is-free', mayRoll);
  die.element.classList.toggle('is-sending', isRolling);
  setAttributes(die.element, {
    'aria-label': mayRoll
      ? t('ludo.roll')
      : view.die === null
        ? t('ludo.die')
        : t('ludo.dieShows', { die: view.die }),
    'aria-disabled': mayRoll ? 'false' : 'true',
  });
  for (const { seat, token, cell } of tokens!.pieces) {
    const isOwn = seat === state?.seat;
    const isFree = isOwn && movable.includes(token);
    cell.classList.toggle('is-free', isFree);
    cell.classList.toggle('is-sending', isOwn && sending === token);
    // All tokens are labelled, because an empty row would be invalid.
    cell.parentElement!.classList.toggle('is-out', view.out.includes(seat));
    setAttributes(cell, {
      'aria-label': tokenLabel(table, seat, token, isFree),
      'aria-disabled': isFree ? 'false' : 'true',
    });
  }
  if (movable.length === 0) table.mark.classList.remove('is-shown');
}

function tokenLabel({ host, view }: Table, seat: Seat, token: number, isFree: boolean): string {
  const { t } = host;
  const place = view.tokens[seat]?.[token] ?? 'yard';
  const label = t('ludo.token', {
    piece: pieceName(seat, t),
    token: token + 1,
    place: placeName(place, t),
  });
  const target =
    isFree && view.die !== null ? wayOf(view, seat, place, view.die)?.at(-1) : undefined;
  return target === undefined
    ? label
    : `${label}, ${t('ludo.canGo', { place: placeName(target, t) })}`;
}

/** The duration of each roll, each hop, and each captured token's return. */
function showingMs(view: unknown): number {
  const { last, die } = readView(view);
  const steps = last.map((step) => {
    const hops = step.token === null ? READ_MS : step.die * HOP_MS;
    return ROLL_MS + hops + (step.captured.length > 0 ? BACK_MS : 0);
  });
  return steps.reduce((sum, ms) => sum + ms, last.length === 0 && die !== null ? ROLL_MS : 0);
}

function pieceName(seat: Seat, t: Translate): string {
  const keys = ['ludo.piece0', 'ludo.piece1', 'ludo.piece2', 'ludo.piece3'] as const;
  return t(keys[seat] ?? 'ludo.piece0');
}

export const ludoBoard: BoardModule = {
  missedMoves,
  settings: ['autoRoll'],
  makeBoard,
  makePiece: makePicture,
  pieceName,
  describeMove,
  shortMove,
  showingMs,
  hint({ view }, t) {
    const { die } = readView(view);
    return die === null ? t('ludo.hintRoll') : t('ludo.hintChoose', { die });
  },
  note(view, seat, t) {
    const { scores, tokens } = readView(view);
    if (scores !== null) return t('player.score', { count: scores[seat] ?? 0 });
    const done = tokens[seat]?.filter((place) => place === 'done').length ?? 0;
    return t('ludo.home', { count: done });
  },
};
