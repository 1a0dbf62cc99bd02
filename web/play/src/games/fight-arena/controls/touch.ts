/** A stick and buttons for touch, with several fingers at once. */

import { DOWN, LEFT, RIGHT, UP } from '../../../../../../src/games/fight-arena/controls.ts';
import type { Translate } from '../../../i18n/translate.ts';
import { h, svg } from '../../../ui/dom.ts';
import type { Presses } from '../../presses.ts';
import type { Pad } from './pads.ts';
import { PADS, padIcon } from './pads.ts';

/** A stick counts from this deflection on, horizontally and vertically, in parts of its radius. */
const ASIDE = 0.32;
const UPRIGHT = 0.42;
/** A touch this far from a button still presses it. CSS pixels. */
const NEAR_PX = 18;

/** The input of a stick at (x, y), in parts of its radius, y down. */
export function maskOfStick(x: number, y: number): number {
  const side = x <= -ASIDE ? LEFT : x >= ASIDE ? RIGHT : 0;
  const height = y <= -UPRIGHT ? UP : y >= UPRIGHT ? DOWN : 0;
  return side | height;
}

export function makeTouch(presses: Presses, t: Translate): HTMLElement {
  const knob = h('span', { class: 'fa-knob' });
  const stick = h('div', { class: 'fa-stick', 'aria-hidden': 'true' }, arrows(), knob);
  const buttons = PADS.map((pad) => makeButton(pad, presses, t));
  const pads = h('div', { class: 'fa-pads' }, ...buttons);
  followStick(stick, knob, presses);
  followButtons(pads, buttons, presses);
  const element = h('div', { class: 'fa-touch' }, stick, pads);
  element.addEventListener('contextmenu', (event) => event.preventDefault());
  return element;
}

function arrows(): SVGSVGElement {
  const arrow = (angle: number): SVGPathElement =>
    svg('path', { d: 'M50 9l8 11h-16z', transform: `rotate(${angle} 50 50)` });
  return svg(
    'svg',
    { class: 'fa-arrows', viewBox: '0 0 100 100' },
    ...[0, 90, 180, 270].map(arrow),
  );
}

function makeButton(pad: Pad, presses: Presses, t: Translate) {
  const { name, control, label } = pad;
  const button = h(
    'button',
    { type: 'button', class: `fa-pad is-${name}`, tabindex: -1 },
    padIcon(pad),
    h('span', {}, t(label)),
  );
  button.dataset['control'] = String(control);
  // Fingers are tracked below; this is for assistive technology that sends clicks.
  button.addEventListener('click', (event) => {
    if (event.detail !== 0) return;
    presses.press(`click${control}`, control);
    presses.release(`click${control}`);
  });
  return button;
}

function followStick(stick: HTMLElement, knob: HTMLElement, presses: Presses): void {
  let finger: number | null = null;
  const follow = ({ clientX, clientY }: PointerEvent): void => {
    const { left, top, width, height } = stick.getBoundingClientRect();
    const radius = width / 2;
    const [dx, dy] = [(clientX - left - radius) / radius, (clientY - top - height / 2) / radius];
    presses.hold('stick', maskOfStick(dx, dy));
    const far = Math.max(1, Math.hypot(dx, dy) / 0.62);
    knob.style.transform = `translate(${((dx / far) * radius).toFixed(0)}px, ${((dy / far) * radius).toFixed(0)}px)`;
  };
  const release = ({ pointerId }: PointerEvent): void => {
    if (pointerId !== finger) return;
    finger = null;
    presses.release('stick');
    knob.style.transform = '';
  };
  stick.addEventListener('pointerdown', (event) => {
    if (finger !== null) return;
    finger = event.pointerId;
    stick.setPointerCapture(finger);
    follow(event);
  });
  stick.addEventListener('pointermove', (event) => {
    if (event.pointerId === finger) follow(event);
  });
  for (const kind of ['pointerup', 'pointercancel'] as const) stick.addEventListener(kind, release);
}

/** A finger presses the button under it, and may slide to the next. */
function followButtons(pads: HTMLElement, buttons: readonly HTMLElement[], presses: Presses): void {
  const fingers = new Map<number, HTMLElement | null>();
  const at = ({ clientX, clientY }: PointerEvent): HTMLElement | null => {
    let best: HTMLElement | null = null;
    let nearest = Number.POSITIVE_INFINITY;
    for (const button of buttons) {
      const { left, top, width, height } = button.getBoundingClientRect();
      const away = Math.hypot(clientX - left - width / 2, clientY - top - height / 2) - width / 2;
      if (away < nearest) [best, nearest] = [button, away];
    }
    return nearest <= NEAR_PX ? best : null;
  };
  const put = (finger: number, button: HTMLElement | null): void => {
    const before = fingers.get(finger) ?? null;
    if (before === button) return;
    fingers.set(finger, button);
    presses.hold(`finger${finger}`, button === null ? 0 : Number(button.dataset['control']));
    for (const each of buttons)
      each.classList.toggle('is-down', [...fingers.values()].includes(each));
  };
  pads.addEventListener('pointerdown', (event) => {
    pads.setPointerCapture(event.pointerId);
    put(event.pointerId, at(event));
  });
  pads.addEventListener('pointermove', (event) => {
    if (fingers.has(event.pointerId)) put(event.pointerId, at(event));
  });
  for (const kind of ['pointerup', 'pointercancel'] as const) {
    pads.addEventListener(kind, ({ pointerId }) => {
      put(pointerId, null);
      fingers.delete(pointerId);
    });
  }
}
