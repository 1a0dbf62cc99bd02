/** The table of pool on a canvas: aim, place, call and shoot; and every shot as the server tells it. */

import { RADIUS } from '../../../../../src/games/pool/parameters.ts';
import type { Place } from '../../../../../src/games/pool/rack.ts';
import { MOUTHS } from '../../../../../src/games/pool/table.ts';
import { missedMoves } from '../../missed-moves.ts';
import type { Seat } from '../../protocol.ts';
import { h, keepKeyboard, svg } from '../../ui/dom.ts';
import { movesFreely } from '../../ui/motion.ts';
import type { BoardHost, BoardModule, BoardState, BoardView } from '../board-view.ts';
import type { Prediction } from './aim.ts';
import { placeNear, pocketAhead, predict } from './aim.ts';
import { paintPicture } from './paint-picture.ts';
import type { Facing } from './playback.ts';
import { ballsAt, fallsOf, roll, UPRIGHT } from './playback.ts';
import type { Projection } from './projection.ts';
import { makeProjection } from './projection.ts';
import type { Drag } from './stroke.ts';
import { cueLine, isOnCue, near, powerOfPull, turnOfFinger, turnOfWheel } from './stroke.ts';
import type { Settings, Tools } from './tools.ts';
import { makeTools, speedOf } from './tools.ts';
import type { Ball, PoolView } from './view.ts';
import { needsCall, ownBalls, readView } from './view.ts';
import { describeMove, hintOf, noteOf, shortMove } from './words.ts';

/** One press of an arrow key turns the cue by so much, radians; with Shift finely. */
const TURN = 0.035;
const TURN_FINE = 0.0035;
const POWER_STEP = 0.05;
/** So far one press moves the cue ball in hand, m. */
const PLACE_STEP = 0.02;
/** A finger this near to the cue ball in hand takes it up. CSS pixels. */
const GRAB_PX = 26;
const HEAD_SPOT: Place = [-0.6, 0];

/** All that the board's functions work on. */
interface Table {
  readonly host: BoardHost;
  readonly element: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly tools: Tools;
  readonly settings: Settings;
  readonly facings: Map<number, Facing>;
  at: Projection;
  state: BoardState | null;
  view: PoolView;
  /** Radians; 0 towards the foot. */
  aim: number;
  place: Place | null;
  prediction: Prediction | null;
  /** Were ball and pocket called by hand for this shot? */
  called: boolean;
  /** The balls as they are shown now, in a playback or at rest. */
  balls: readonly Ball[];
  /** Counts playbacks: an older one stops when there is a newer one. */
  playing: number;
  busy: boolean;
  drag: Drag | null;
  /** A second finger, which turns finely, and where it was last. */
  finger: { readonly id: number; readonly x: number } | null;
}

function makeBoard(host: BoardHost): BoardView {
  const canvas = h('canvas', { class: 'po-canvas', tabindex: 0, role: 'application' });
  canvas.setAttribute('aria-label', host.t('pool.board'));
  const settings = makeSettings();
  const tools = makeTools(settings, host.t, {
    changed: () => {
      table.called = true;
      refresh(table);
    },
    shoot: () => shoot(table),
    choose: (choice) => {
      if (mayAct(table)) host.play({ choose: choice });
    },
  });
  const table: Table = {
    host,
    element: h(
      'div',
      { class: 'board po' },
      h('div', { class: 'po-cloth' }, canvas),
      tools.element,
    ),
    canvas,
    tools,
    settings,
    facings: new Map(),
    at: makeProjection(2, 1),
    state: null,
    view: readView(null),
    aim: 0,
    place: null,
    prediction: null,
    called: false,
    balls: [],
    playing: 0,
    busy: false,
    drag: null,
    finger: null,
  };
  new ResizeObserver(() => fit(table)).observe(canvas);
  listen(table);
  return {
    element: table.element,
    render: (next) => render(table, next),
  };
}

function makeSettings(): Settings {
  return {
    power: 0.45,
    side: 0,
    follow: 0,
    elevation: 0,
    ball: null,
    pocket: null,
    safety: false,
    pushOut: false,
  };
}

const mayAct = ({ state, busy }: Table): boolean => state?.canMove === true && !busy;
const mayShoot = (table: Table): boolean => mayAct(table) && table.view.choices.length === 0;

function render(table: Table, next: BoardState): void {
  const { state: before } = table;
  const isOther = before === null || JSON.stringify(before.view) !== JSON.stringify(next.view);
  table.state = next;
  if (table.drag !== null && !mayShoot(table)) endDrag(table);
  if (!isOther) {
    // A cue ball that was placed for a shot that never came about goes back where all others see it.
    if (next.result !== null && before.result === null && !table.busy) rest(table);
    else refresh(table);
    return;
  }
  const shotsBefore = table.view.shots;
  table.view = readView(next.view);
  table.playing += 1;
  const isShot = before !== null && table.view.shots === shotsBefore + 1;
  const isSeen = movesFreely() && document.visibilityState === 'visible';
  if (isShot && isSeen && table.view.last !== null) playShot(table, table.playing);
  else rest(table);
}

/** Shows the position as it is, and gets ready for the next shot. */
function rest(table: Table): void {
  const { view, settings, state } = table;
  table.busy = false;
  table.called = false;
  table.balls = view.balls;
  Object.assign(settings, { ...makeSettings(), power: view.isBreak ? 0.86 : 0.45 });
  const cue = view.balls.find(({ n }) => n === 0);
  const wish: Place = cue === undefined ? HEAD_SPOT : [cue.x, cue.y];
  table.place = view.inHand === null ? null : placeNear(view.balls, wish, view.inHand);
  const target = ownBalls(view, state?.turn ?? 0)[0];
  if (target !== undefined) aimAt(table, target.x, target.y);
  refresh(table);
}

/** Draws a shot in its own time: each ball where the server's motion has it. */
function playShot(table: Table, playing: number): void {
  const { view, host, facings } = table;
  const last = view.last!;
  table.busy = true;
  refresh(table);
  host.sound('strike');
  const heard = [
    ...last.sounds,
    ...fallsOf(last).map((at) => ({ at, cue: 'pocket' as const })),
  ].sort((a, b) => a.at - b.at);
  let next = 0;
  let time = 0;
  let shownAt = performance.now();
  const frame = (): void => {
    if (table.playing !== playing) return;
    const now = performance.now();
    time += ((now - shownAt) / 1_000) * host.pace();
    shownAt = now;
    const shown = table.busy && time < last.duration ? ballsAt(view, last, time) : view.balls;
    const places = new Map(table.balls.map((ball) => [ball.n, ball]));
    for (const { n, x, y } of shown) {
      const old = places.get(n);
      if (old !== undefined) facings.set(n, roll(facings.get(n) ?? UPRIGHT, x - old.x, y - old.y));
    }
    for (; next < heard.length && heard[next]!.at <= time; next += 1) {
      host.sound(heard[next]!.cue, next < 12 ? 0.6 : 0.3);
    }
    table.balls = shown;
    if (!table.busy || time >= last.duration) {
      rest(table);
      return;
    }
    paint(table);
    requestAnimationFrame(frame);
  };
  table.balls = ballsAt(view, last, 0);
  requestAnimationFrame(frame);
}

/** The balls with the cue ball where it would be struck. */
function ballsToShoot({ view, place }: Table): readonly Ball[] {
  if (place === null) return view.balls;
  const others = view.balls.filter(({ n }) => n !== 0);
  return [{ n: 0, x: place[0], y: place[1] }, ...others];
}

function cueBall(table: Table): Ball | null {
  return ballsToShoot(table).find(({ n }) => n === 0) ?? null;
}

function strikeOf({ aim, settings }: Table) {
  const { power, side, follow, elevation } = settings;
  return { aim, speed: speedOf(power), side, follow, elevation };
}

/** Works out what follows from what was set, and shows it. */
function refresh(table: Table): void {
  const { view, state, tools, host, canvas } = table;
  const seat: Seat = state?.seat ?? state?.turn ?? 0;
  const canShoot = mayShoot(table);
  const cue = cueBall(table);
  table.prediction =
    canShoot && cue !== null ? predict(ballsToShoot(table), strikeOf(table)) : null;
  const calls = needsCall(view, seat) ? ownBalls(view, seat).map(({ n }) => n) : null;
  suggestCall(table, calls);
  keepKeyboard(tools.element, canvas, () => {
    tools.show({
      canShoot: mayAct(table),
      choices: state?.turn === state?.seat && !table.busy ? view.choices : [],
      calls,
      maySafety: view.variant === 'eightball' && !view.isBreak,
      mayPushOut: view.mayPushOut,
    });
    // Watchers have nothing to play with, nor has anybody after the end.
    tools.element.hidden = state === null || state.seat === null || state.result !== null;
  });
  const met = table.prediction?.met;
  if (canShoot) {
    const lies = met == null ? host.t('pool.liesNone') : host.t('pool.lies', { ball: met.ball.n });
    canvas.setAttribute('aria-label', `${lies}. ${host.t('pool.board')}`);
  }
  table.element.classList.toggle('is-sending', state?.sending !== null);
  paint(table);
}

/** The ball that would be met and the pocket behind it, unless the player has called otherwise. */
function suggestCall(
  { settings, prediction, called }: Table,
  calls: readonly number[] | null,
): void {
  if (calls === null) {
    Object.assign(settings, { ball: null, pocket: null });
    return;
  }
  const met = prediction?.met ?? null;
  if (!called && met !== null && calls.includes(met.ball.n)) {
    settings.ball = met.ball.n;
    settings.pocket = pocketAhead(met.ball, met.dx, met.dy);
  }
  if (settings.ball === null || !calls.includes(settings.ball)) settings.ball = calls[0] ?? null;
  settings.pocket ??= 'foot-left';
}

function shoot(table: Table): void {
  const { settings, place, view, host, state } = table;
  if (!mayShoot(table)) return;
  const { ball, pocket, safety, pushOut } = settings;
  const seat = state!.seat!;
  const isSafety = safety && view.variant === 'eightball' && !view.isBreak;
  const isCalled = needsCall(view, seat) && !isSafety && ball !== null && pocket !== null;
  host.play({
    shot: strikeOf(table),
    ...(place !== null && { place: { x: place[0], y: place[1] } }),
    ...(isCalled && { call: { ball, pocket } }),
    ...(isSafety && { safety: true }),
    ...(pushOut && view.mayPushOut && { pushOut: true }),
  });
}

function aimAt(table: Table, x: number, y: number): void {
  const cue = cueBall(table);
  if (cue !== null) table.aim = Math.atan2(y - cue.y, x - cue.x);
}

function movePlace(table: Table, x: number, y: number): void {
  const { view } = table;
  if (view.inHand === null) return;
  table.place = placeNear(view.balls, [x, y], view.inHand) ?? table.place;
  refresh(table);
}

function listen(table: Table): void {
  const { canvas, settings } = table;
  canvas.addEventListener('pointerdown', (event) => press(table, event));
  canvas.addEventListener('pointermove', (event) => {
    if (table.drag !== null && !mayShoot(table)) endDrag(table);
    if (event.pointerId === table.drag?.id) follow(table, event);
    else if (table.finger?.id === event.pointerId) {
      table.aim = wrap(table.aim + turnOfFinger(event.clientX - table.finger.x));
      table.finger = { id: event.pointerId, x: event.clientX };
      refresh(table);
    }
  });
  canvas.addEventListener('pointerup', (event) => {
    const { drag } = table;
    if (table.finger?.id === event.pointerId) table.finger = null;
    if (event.pointerId !== drag?.id) return;
    if (drag.kind !== 'pull') endDrag(table);
    else if (drag.isPulled && settings.power > 0 && mayShoot(table)) {
      table.drag = null;
      shoot(table);
    } else {
      endDrag(table);
      aimAt(table, ...table.at.toTable(...pointIn(table, event)));
      refresh(table);
    }
  });
  canvas.addEventListener('pointercancel', () => endDrag(table));
  canvas.addEventListener('keydown', (event) => pressKey(table, event));
  canvas.addEventListener(
    'wheel',
    (event) => {
      // With Ctrl the page is zoomed.
      if (event.ctrlKey || !mayShoot(table)) return;
      event.preventDefault();
      table.aim = wrap(table.aim + turnOfWheel(event));
      refresh(table);
    },
    { passive: false },
  );
}

function pointIn({ canvas }: Table, event: PointerEvent): [number, number] {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function press(table: Table, event: PointerEvent): void {
  // A press while balls roll shows at once where they come to lie.
  if (table.busy) {
    table.busy = false;
    return;
  }
  if (!mayShoot(table)) return;
  const { canvas, settings, place, at } = table;
  if (table.drag !== null) {
    // While one finger aims, another one turns finely.
    if (table.drag.kind === 'aim') table.finger = { id: event.pointerId, x: event.clientX };
    return;
  }
  const [px, py] = pointIn(table, event);
  const pocket = MOUTHS.find(({ x, y }) => near(at.toPixels(x, y), px, py, GRAB_PX));
  if (pocket !== undefined && settings.ball !== null) {
    settings.pocket = pocket.pocket;
    table.called = true;
    refresh(table);
    return;
  }
  const cue = cueBall(table);
  const id = event.pointerId;
  canvas.setPointerCapture(id);
  if (place !== null && near(at.toPixels(...place), px, py, GRAB_PX)) {
    table.drag = { kind: 'place', id };
  } else if (cue !== null && isOnCue([px, py], ...cueLine(table, cue), RADIUS * at.scale)) {
    table.drag = { kind: 'pull', id, from: [px, py], power: settings.power, isPulled: false };
    return;
  } else table.drag = { kind: 'aim', id };
  follow(table, event);
}

function follow(table: Table, event: PointerEvent): void {
  const { drag, at, settings, finger } = table;
  const point = pointIn(table, event);
  if (drag?.kind === 'place') movePlace(table, ...at.toTable(...point));
  else if (drag?.kind === 'pull') {
    const cue = cueBall(table);
    if (cue === null) return;
    const power = powerOfPull(drag.from, point, ...cueLine(table, cue));
    // Pushed back to where it was, the cue is let go without a shot.
    drag.isPulled = power !== null;
    settings.power = power ?? drag.power;
    refresh(table);
  } else if (finger === null) {
    aimAt(table, ...at.toTable(...point));
    refresh(table);
  }
}

/** Lets go of everything; a pull that is not played leaves the power as it was. */
function endDrag(table: Table): void {
  const { drag, settings, host } = table;
  table.drag = null;
  table.finger = null;
  if (drag?.kind !== 'pull') return;
  settings.power = drag.power;
  if (drag.isPulled) host.say(host.t('pool.strokeOff'));
  refresh(table);
}

function pressKey(table: Table, event: KeyboardEvent): void {
  if (event.altKey || event.ctrlKey || event.metaKey || !mayShoot(table)) return;
  const { settings, host, place } = table;
  const turn = event.shiftKey ? TURN_FINE : TURN;
  const power = (by: number): void => {
    settings.power = Math.min(1, Math.max(0, settings.power + by));
  };
  const move = (dx: number, dy: number): void => {
    if (place !== null) movePlace(table, place[0] + dx * PLACE_STEP, place[1] + dy * PLACE_STEP);
  };
  const keys: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => {
      table.aim = wrap(table.aim + turn);
    },
    ArrowRight: () => {
      table.aim = wrap(table.aim - turn);
    },
    ArrowUp: () => power(POWER_STEP),
    ArrowDown: () => power(-POWER_STEP),
    w: () => move(1, 0),
    s: () => move(-1, 0),
    a: () => move(0, 1),
    d: () => move(0, -1),
    b: () => nextBall(table),
    Escape: () => endDrag(table),
    Enter: () => {
      if (!event.repeat) shoot(table);
    },
  };
  const run = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (run === undefined) return;
  event.preventDefault();
  run();
  refresh(table);
  const met = table.prediction?.met;
  if (event.key !== 'Enter') {
    host.say(met == null ? host.t('pool.liesNone') : host.t('pool.lies', { ball: met.ball.n }));
  }
}

/** Between -π and π, well within what the game takes. */
function wrap(angle: number): number {
  return Math.atan2(Math.sin(angle), Math.cos(angle));
}

/** Aims at the next of the own balls. */
function nextBall(table: Table): void {
  const { view, state, prediction } = table;
  const own = ownBalls(view, state?.seat ?? 0);
  const index = own.findIndex(({ n }) => n === prediction?.met?.ball.n);
  const next = own[(index + 1) % own.length];
  if (next !== undefined) aimAt(table, next.x, next.y);
}

/** Gives the canvas as many pixels as the screen has for it. */
function fit(table: Table): void {
  const { canvas } = table;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (width === 0 || height === 0) return;
  // A pull was measured on the table as it lay before.
  endDrag(table);
  const ratio = Math.min(3, window.devicePixelRatio || 1);
  canvas.width = Math.round(width * ratio);
  canvas.height = Math.round(height * ratio);
  canvas.getContext('2d')?.setTransform(ratio, 0, 0, ratio, 0, 0);
  table.at = makeProjection(width, height);
  paint(table);
}

function paint(table: Table): void {
  const isAiming = mayShoot(table);
  paintPicture(table, {
    isAiming,
    balls: table.busy ? table.balls : ballsToShoot(table),
    cue: isAiming ? cueBall(table) : null,
  });
}

export const poolBoard: BoardModule = {
  missedMoves,
  makeBoard,
  makePiece: (seat) =>
    svg(
      'svg',
      { class: 'piece po', viewBox: '-20 -20 40 40', 'aria-hidden': 'true' },
      svg('circle', { class: `po-token piece-${seat}`, r: 18 }),
      svg('circle', { class: 'po-token-spot', r: seat === 0 ? 8 : 11 }),
      svg('circle', { class: `po-token piece-${seat}`, r: seat === 0 ? 0 : 6 }),
    ),
  pieceName: () => '',
  describeMove,
  shortMove,
  showingMs: (view) => (readView(view).last?.duration ?? 0) * 1_000,
  hint: ({ view }, t) => hintOf(view, t),
  note: noteOf,
};
