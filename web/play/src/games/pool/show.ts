/** Shows the table: at rest, during the playback of a shot, and while a player aims. */

import type { Place } from '../../../../../src/games/pool/rack.ts';
import type { Seat } from '../../protocol.ts';
import { keepKeyboard } from '../../ui/dom.ts';
import { placeNear, pocketAhead, predict } from './aim.ts';
import { paintPicture } from './paint-picture.ts';
import { ballsAt, fallsOf, roll, UPRIGHT } from './playback.ts';
import type { Table } from './table.ts';
import { aimAt, ballsToShoot, cueBall, makeSettings, mayAct, mayShoot, strikeOf } from './table.ts';
import { needsCall, ownBalls } from './view.ts';
import { describeMove } from './words.ts';

const HEAD_SPOT: Place = [-0.6, 0];

/** Shows the position without animation, and prepares the next shot. */
export function rest(table: Table): void {
  const { view, settings, state } = table;
  table.busy = false;
  table.called = { ball: null, pocket: false };
  table.balls = view.balls;
  Object.assign(settings, { ...makeSettings(), power: view.isBreak ? 0.86 : 0.45 });
  const cue = view.balls.find(({ n }) => n === 0);
  const wanted: Place = cue === undefined ? HEAD_SPOT : [cue.x, cue.y];
  table.place = view.inHand === null ? null : placeNear(view.balls, wanted, view.inHand);
  const target = ownBalls(view, state?.turn ?? 0)[0];
  if (target !== undefined) aimAt(table, target.x, target.y);
  announceFoul(table);
  refresh(table);
}

/** How long a message stays on the cloth without a press. Milliseconds. */
const BANNER_MS = 7_000;

/** Shows players and watchers on the table why a shot was a foul, and what follows. */
function announceFoul(table: Table): void {
  const { view, host, state } = table;
  const { last } = view;
  if (last?.foul == null || state === null || state.result !== null) return;
  if (table.announcedShot === view.shots) return;
  table.announcedShot = view.shots;
  const nameOf = (seat: Seat): string =>
    seat === state.seat ? host.t('player.you') : host.nameOf(seat);
  const shown = { view: state.view, before: null, variant: state.variant, nameOf };
  showMessage(table, describeMove(null, last.seat, nameOf(last.seat), host.t, shown));
}

/** A message on the cloth; screen readers get it elsewhere. */
export function showMessage({ banner }: Table, text: string): void {
  banner.textContent = text;
  banner.hidden = false;
  setTimeout(() => {
    if (banner.textContent === text) banner.hidden = true;
  }, BANNER_MS);
}

/** Plays back a shot in real time, with the server's motion of each ball. */
export function playShot(table: Table, playing: number): void {
  const { view, host, facings } = table;
  const last = view.last!;
  table.busy = true;
  refresh(table);
  host.sound('strike');
  const cues = [
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
    for (; next < cues.length && cues[next]!.at <= time; next += 1) {
      host.sound(cues[next]!.cue, next < 12 ? 0.6 : 0.3);
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

/** Computes what follows from the settings, and shows it. */
export function refresh(table: Table): void {
  const { view, state, tools, host, canvas } = table;
  const seat: Seat = state?.seat ?? state?.turn ?? 0;
  const canShoot = mayShoot(table);
  const cue = cueBall(table);
  table.prediction =
    canShoot && cue !== null
      ? predict(ballsToShoot(table), strikeOf(table), host.settings?.isOn('ballPaths'))
      : null;
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
    // Watchers cannot play, nor can anybody after the end.
    tools.element.hidden = state === null || state.seat === null || state.result !== null;
  });
  table.tray.show(table.busy ? { ...view, balls: table.balls } : view, state?.turn ?? null);
  const contact = table.prediction?.contact;
  if (canShoot) {
    const label =
      contact == null ? host.t('pool.liesNone') : host.t('pool.lies', { ball: contact.ball.n });
    canvas.setAttribute('aria-label', `${label}. ${host.t('pool.board')}`);
  }
  table.element.classList.toggle('is-sending', state?.sending !== null);
  paint(table);
}

/** The object ball and the pocket behind it, unless the player has called otherwise. */
function suggestCall(
  { settings, prediction, called }: Table,
  calls: readonly number[] | null,
): void {
  if (calls === null) {
    Object.assign(settings, { ball: null, pocket: null });
    return;
  }
  const contact = prediction?.contact ?? null;
  if (called.ball === null && contact !== null && calls.includes(contact.ball.n))
    settings.ball = contact.ball.n;
  if (!called.pocket && contact !== null && settings.ball === contact.ball.n) {
    settings.pocket = pocketAhead(contact.ball, contact.dx, contact.dy);
  }
  if (settings.ball === null || !calls.includes(settings.ball)) settings.ball = calls[0] ?? null;
  settings.pocket ??= 'foot-left';
}

export function movePlace(table: Table, x: number, y: number): void {
  const { view } = table;
  if (view.inHand === null) return;
  table.place = placeNear(view.balls, [x, y], view.inHand) ?? table.place;
  refresh(table);
}

export function paint(table: Table): void {
  const isAiming = mayShoot(table);
  paintPicture(table, {
    isAiming,
    balls: table.busy ? table.balls : ballsToShoot(table),
    cue: isAiming ? cueBall(table) : null,
    isResting: !table.busy,
  });
}
