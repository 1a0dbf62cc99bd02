/** The table by keyboard: aim, power, the cue ball in hand, the shot. */

import { endDrag } from './gestures.ts';
import { movePlace, refresh } from './show.ts';
import type { Table } from './table.ts';
import { mayShoot, nextBall, shoot, wrap } from './table.ts';

/** How far one press of an arrow key turns the cue, radians; and the same with Shift. */
const TURN = 0.035;
const TURN_FINE = 0.0035;
const POWER_STEP = 0.05;
/** How far one press moves the cue ball in hand, m. */
const PLACE_STEP = 0.02;

export function pressKey(table: Table, event: KeyboardEvent): void {
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
  const contact = table.prediction?.contact;
  if (event.key !== 'Enter') {
    host.say(
      contact == null ? host.t('pool.liesNone') : host.t('pool.lies', { ball: contact.ball.n }),
    );
  }
}
