/** The tools next to the table: power, spin, the call, the choices of the rules, and the shoot button. */

import { RADIUS } from '../../../../../src/games/pool/physics/parameters.ts';
import {
  ELEVATION_MAX,
  OFFSET_MAX,
  SPEED_MAX,
} from '../../../../../src/games/pool/physics/strike.ts';
import type { Pocket } from '../../../../../src/games/pool/physics/table.ts';
import { POCKETS } from '../../../../../src/games/pool/physics/table.ts';
import type { Key, Translate } from '../../i18n/translate.ts';
import { keyOr } from '../../i18n/translate.ts';
import { button, h, setEnabled, setText, svg } from '../../ui/dom.ts';
import type { Settings as ChosenSettings } from '../../ui/settings.ts';
import { placeOf } from './places.ts';

/** The player's settings; `power` is 0 to 1. */
export interface Settings {
  power: number;
  /** Metres off the middle of the cue ball. */
  side: number;
  follow: number;
  /** Radians. */
  elevation: number;
  ball: number | null;
  pocket: Pocket | null;
  safety: boolean;
  pushOut: boolean;
}

export interface ToolsActions {
  /** The player called the ball or pocket. */
  called(what: 'ball' | 'pocket'): void;
  /** The player changed something. */
  changed(): void;
  shoot(): void;
  choose(choice: string): void;
}

/** The next input, as far as the tools show it. */
export interface Due {
  readonly canShoot: boolean;
  readonly choices: readonly string[];
  /** Balls that may be called; null when nothing is called. */
  readonly calls: readonly number[] | null;
  readonly maySafety: boolean;
  readonly mayPushOut: boolean;
}

export interface Tools {
  readonly element: HTMLElement;
  show(due: Due): void;
  /** Brings the controls into line with the settings. */
  renew(): void;
  /** On a horizontal or upright table, pockets are named by their position on the screen. */
  turn(upright: boolean): void;
}

/** The weakest shot of the slider, m/s; it grows faster towards the strong end. */
const SPEED_LOW = 0.15;

export function speedOf(power: number): number {
  return SPEED_LOW + (SPEED_MAX - SPEED_LOW) * power ** 1.8;
}

export function makeTools(
  settings: Settings,
  t: Translate,
  actions: ToolsActions,
  chosen?: ChosenSettings,
): Tools {
  const power = makeRange(t, 'pool.power', 0, (value) => {
    settings.power = value / 100;
    actions.changed();
  });
  const call = makeCall(settings, t, actions);
  const safety = makeCheck(t, 'pool.safety', (on) => {
    settings.safety = on;
    actions.changed();
  });
  const pushOut = makeCheck(t, 'pool.pushOut', (on) => {
    settings.pushOut = on;
    actions.changed();
  });
  const paths = makePaths(t, actions, chosen);
  const spin = makeSpin(settings, t, actions, paths);
  const choices = makeChoices(t, actions);
  const shoot = button('button is-primary po-shoot', t('pool.shoot'), null, actions.shoot);
  const shot = h(
    'div',
    { class: 'po-shot' },
    withLabel(t, 'pool.power', power),
    call.element,
    safety.label,
    pushOut.label,
    spin.element,
    shoot,
  );
  const renew = (): void => {
    power.value = String(Math.round(settings.power * 100));
    safety.input.checked = settings.safety;
    pushOut.input.checked = settings.pushOut;
    call.renew();
    spin.renew();
  };
  return {
    element: h('div', { class: 'po-tools' }, choices.element, shot),
    renew,
    turn: call.turn,
    show(due) {
      shot.hidden = due.choices.length > 0;
      choices.show(due);
      call.show(due);
      safety.label.hidden = !due.maySafety;
      pushOut.label.hidden = !due.mayPushOut;
      setEnabled(shoot, due.canShoot);
      renew();
    },
  };
}

/** The called ball and pocket. */
function makeCall(settings: Settings, t: Translate, { called }: ToolsActions) {
  const ball = makeSelect(t('pool.ball'), (value) => {
    settings.ball = Number(value);
    called('ball');
  });
  const pocket = makeSelect(t('pool.pocket'), (value) => {
    settings.pocket = POCKETS.find((each) => each === value) ?? null;
    called('pocket');
  });
  const options = POCKETS.map((each) => ({ each, element: h('option', { value: each }) }));
  pocket.append(...options.map(({ element }) => element));
  const element = h('div', { class: 'po-call' }, ball, pocket);
  return {
    element,
    turn(upright: boolean): void {
      for (const option of options) setText(option.element, t(placeOf(option.each, upright)));
    },
    renew(): void {
      ball.value = String(settings.ball ?? '');
      pocket.value = settings.pocket ?? '';
      element.classList.toggle('is-off', settings.safety || settings.pushOut);
    },
    show({ calls }: Due): void {
      element.hidden = calls === null;
      const wanted = (calls ?? []).join();
      if (ball.dataset['shows'] === wanted) return;
      ball.dataset['shows'] = wanted;
      ball.replaceChildren(...(calls ?? []).map((n) => h('option', { value: n }, String(n))));
    },
  };
}

/** Where the tip hits the cue ball, and the elevation: a face to point at, and three sliders. */
function makeSpin(
  settings: Settings,
  t: Translate,
  { changed }: ToolsActions,
  paths: HTMLElement | null,
) {
  const side = makeRange(t, 'pool.side', -100, (value) => {
    settings.side = (value / 100) * OFFSET_MAX;
    keepOnBall(settings, 'follow');
    changed();
  });
  const follow = makeRange(t, 'pool.follow', -100, (value) => {
    settings.follow = (value / 100) * OFFSET_MAX;
    keepOnBall(settings, 'side');
    changed();
  });
  const elevation = makeRange(t, 'pool.elevation', 0, (value) => {
    settings.elevation = (value / 100) * ELEVATION_MAX;
    changed();
  });
  const dot = svg('circle', { class: 'po-dot', r: 7 });
  const face = svg(
    'svg',
    { class: 'po-face', viewBox: '-50 -50 100 100', 'aria-hidden': 'true' },
    svg('circle', { class: 'po-face-ball', r: 48 }),
    svg('circle', { class: 'po-face-bound', r: 24 }),
    dot,
  );
  takeSpin(face, settings, changed);
  const ranges = [
    withLabel(t, 'pool.side', side),
    withLabel(t, 'pool.follow', follow),
    withLabel(t, 'pool.elevation', elevation),
  ];
  const element = h(
    'details',
    { class: 'po-spin' },
    h('summary', { class: 'button is-small' }, t('pool.spin')),
    h('div', { class: 'po-spin-box' }, face, ...ranges, paths),
  );
  closeByItself(element);
  return {
    element,
    renew(): void {
      side.value = String(Math.round((settings.side / OFFSET_MAX) * 100));
      follow.value = String(Math.round((settings.follow / OFFSET_MAX) * 100));
      elevation.value = String(Math.round((settings.elevation / ELEVATION_MAX) * 100));
      dot.setAttribute('cx', String((settings.side / RADIUS) * 48));
      dot.setAttribute('cy', String((-settings.follow / RADIUS) * 48));
    },
  };
}

/** For beginners: both balls' paths after the contact. The choice is remembered on this device. */
function makePaths(t: Translate, { changed }: ToolsActions, chosen?: ChosenSettings) {
  if (chosen === undefined) return null;
  const { input, label } = makeCheck(t, 'pool.paths', (on) => {
    chosen.set('ballPaths', on);
    changed();
  });
  input.checked = chosen.isOn('ballPaths');
  return label;
}

/** A press anywhere else closes it, including the shoot button, and so does Escape. */
function closeByItself(details: HTMLDetailsElement): void {
  document.addEventListener('pointerdown', ({ target }) => {
    if (target instanceof Node && !details.contains(target)) details.open = false;
  });
  details.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' || !details.open) return;
    event.stopPropagation();
    details.open = false;
    details.querySelector('summary')?.focus();
  });
}

/** The player's choices instead of a shot. */
function makeChoices(t: Translate, { choose }: ToolsActions) {
  const element = h('div', { class: 'po-choices' });
  return {
    element,
    show({ choices, canShoot }: Due): void {
      element.hidden = choices.length === 0;
      if (element.dataset['shows'] !== choices.join()) {
        element.dataset['shows'] = choices.join();
        const buttons = choices.map((choice) =>
          button('button', t(keyOr(`pool.${choice}`, 'pool.accept', t)), null, () =>
            choose(choice),
          ),
        );
        element.replaceChildren(...buttons);
      }
      for (const each of element.querySelectorAll('button')) setEnabled(each, canShoot);
    },
  };
}

/** A range up to 100. */
function makeRange(t: Translate, key: Key, min: number, set: (value: number) => void) {
  const input = h('input', { type: 'range', min, max: 100, step: 1, 'aria-label': t(key) });
  input.addEventListener('input', () => set(Number(input.value)));
  return input;
}

function withLabel(t: Translate, key: Key, input: HTMLElement): HTMLElement {
  return h('label', { class: 'po-range' }, t(key), input);
}

function makeCheck(t: Translate, key: Key, set: (on: boolean) => void) {
  const input = h('input', { type: 'checkbox' });
  input.addEventListener('change', () => set(input.checked));
  return { input, label: h('label', { class: 'po-check' }, input, t(key)) };
}

function makeSelect(label: string, set: (value: string) => void): HTMLSelectElement {
  const select = h('select', { class: 'po-select', 'aria-label': label });
  select.addEventListener('change', () => set(select.value));
  return select;
}

/** The tip stays within its limits: the other value is reduced. */
function keepOnBall(settings: Settings, other: 'side' | 'follow'): void {
  const otherOffset = settings[other === 'side' ? 'follow' : 'side'];
  const room = Math.sqrt(Math.max(0, OFFSET_MAX ** 2 - otherOffset ** 2)) * 0.999;
  settings[other] = Math.min(room, Math.max(-room, settings[other]));
}

/** Where the tip hits the cue ball, chosen by pressing there. */
function takeSpin(face: SVGSVGElement, settings: Settings, changed: () => void): void {
  const set = (event: PointerEvent): void => {
    const box = face.getBoundingClientRect();
    const x = ((event.clientX - box.left) / box.width - 0.5) * 2 * RADIUS;
    const y = (0.5 - (event.clientY - box.top) / box.height) * 2 * RADIUS;
    const far = Math.sqrt(x * x + y * y);
    const fit = far > OFFSET_MAX ? (OFFSET_MAX * 0.999) / far : 1;
    settings.side = x * fit;
    settings.follow = y * fit;
    changed();
  };
  face.addEventListener('pointerdown', (event) => {
    face.setPointerCapture(event.pointerId);
    set(event);
  });
  face.addEventListener('pointermove', (event) => {
    if (face.hasPointerCapture(event.pointerId)) set(event);
  });
}
