/** Touch, mouse and wheel on the table: aim, place, call, pull the cue back and shoot. */

import { RADIUS } from '../../../../../src/games/pool/physics/parameters.ts';
import { MOUTHS } from '../../../../../src/games/pool/physics/table.ts';
import { placeOf } from './places.ts';
import { movePlace, refresh, showMessage } from './show.ts';
import type { Pixels } from './stroke.ts';
import { cueLine, isOnCue, near, powerOfPull, turnOfFinger, turnOfWheel } from './stroke.ts';
import type { Table } from './table.ts';
import { aimAt, cueBall, mayShoot, shoot, wrap } from './table.ts';
import type { Ball } from './view.ts';
import { ownBalls } from './view.ts';

/** A finger this near to the cue ball in hand picks it up. CSS pixels. */
const GRAB_PX = 26;
/** A finger that moves less has tapped; a tap this near to a ball selects it. */
const TAP_PX = 8;
const TAP_REACH_PX = 16;

export function listenToPointers(table: Table): void {
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
    if (drag.kind === 'aim') endAim(table, drag, pointIn(table, event));
    else if (drag.kind === 'place') endDrag(table);
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
  canvas.addEventListener(
    'wheel',
    (event) => {
      // With Ctrl the wheel zooms the page.
      if (event.ctrlKey || !mayShoot(table)) return;
      event.preventDefault();
      table.aim = wrap(table.aim + turnOfWheel(event));
      refresh(table);
    },
    { passive: false },
  );
}

function press(table: Table, event: PointerEvent): void {
  table.banner.hidden = true;
  // A press while balls roll shows their final positions at once.
  if (table.busy) {
    table.busy = false;
    return;
  }
  if (!mayShoot(table)) return;
  const { canvas, settings, place, at } = table;
  if (table.drag !== null) {
    // While one finger aims, a second one turns the aim finely.
    if (table.drag.kind === 'aim') table.finger = { id: event.pointerId, x: event.clientX };
    return;
  }
  const [px, py] = pointIn(table, event);
  const pocket = MOUTHS.find(({ x, y }) => near(at.toPixels(x, y), px, py, GRAB_PX));
  if (pocket !== undefined && settings.ball !== null) {
    settings.pocket = pocket.pocket;
    table.called.pocket = true;
    refresh(table);
    announceCall(table);
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
  } else table.drag = { kind: 'aim', id, from: [px, py] };
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
    // A cue pushed back to its place is released without a shot.
    drag.isPulled = power !== null;
    settings.power = power ?? drag.power;
    refresh(table);
  } else if (finger === null) {
    aimAt(table, ...at.toTable(...point));
    refresh(table);
  }
}

/** A tap on a ball that may be called calls it. Dragging on turns the aim, with a call that has no pocket yet. */
function endAim(table: Table, { from }: { readonly from: Pixels }, to: Pixels): void {
  const { called, settings, at } = table;
  endDrag(table);
  if (settings.ball === null) return;
  if (!near(from, ...to, TAP_PX)) {
    if (called.ball === 'tap' && !called.pocket) called.ball = null;
    refresh(table);
    return;
  }
  const reach = Math.max(TAP_REACH_PX, RADIUS * at.scale);
  const far = ({ x, y }: Ball): number => {
    const [px, py] = at.toPixels(x, y);
    return Math.hypot(px - to[0], py - to[1]);
  };
  const ball = ownBalls(table.view, table.state?.seat ?? 0)
    .filter((each) => far(each) <= reach)
    .sort((a, b) => far(a) - far(b))[0];
  if (ball === undefined) return;
  settings.ball = ball.n;
  called.ball = 'tap';
  refresh(table);
  announceCall(table);
}

function announceCall({ host, settings, at }: Table): void {
  const { ball, pocket } = settings;
  if (ball === null || pocket === null) return;
  host.say(`${host.t('pool.ball')} ${ball}, ${host.t(placeOf(pocket, at.upright))}`);
}

/** Ends all gestures; a pull that is not played leaves the power unchanged. */
export function endDrag(table: Table): void {
  const { drag, settings, host } = table;
  table.drag = null;
  table.finger = null;
  if (drag?.kind !== 'pull') return;
  settings.power = drag.power;
  if (drag.isPulled) {
    host.say(host.t('pool.strokeOff'));
    showMessage(table, host.t('pool.strokeOff'));
  }
  refresh(table);
}

function pointIn({ canvas }: Table, event: PointerEvent): [number, number] {
  const box = canvas.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}
