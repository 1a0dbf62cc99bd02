/** The bar below a replay: its position, and the buttons that change it. */

import type { Translate } from '../i18n/translate.ts';
import { button, h, setEnabled, setText } from '../ui/dom.ts';
import type { Icon } from '../ui/icons.ts';
import { makeIcon } from '../ui/icons.ts';
import type { Film, Speed } from './film.ts';
import { SPEEDS } from './film.ts';

export interface Transport {
  readonly element: HTMLElement;
  readonly playButton: HTMLButtonElement;
  /** `place` is the position in words. */
  show(film: Film, place: { readonly short: string; readonly long: string }): void;
}

export interface TransportActions {
  toggle(): void;
  step(by: 1 | -1): void;
  seek(index: number): void;
  setSpeed(speed: Speed): void;
}

/** `others` are additional buttons. */
export function makeTransport(
  t: Translate,
  last: number,
  others: readonly HTMLElement[],
  actions: TransportActions,
): Transport {
  const slider = h('input', {
    type: 'range',
    class: 'reel-slider',
    min: 0,
    max: last,
    step: 1,
    'aria-label': t('replay.position'),
  });
  slider.addEventListener('input', () => actions.seek(Number(slider.value)));
  const place = h('output', { class: 'reel-place', 'aria-hidden': 'true' });
  const key = (icon: Icon, label: string, press: () => void): HTMLButtonElement => {
    const element = button('button reel-key', label, makeIcon(icon), press);
    element.title = label;
    return element;
  };
  const start = key('start', t('replay.toStart'), () => actions.seek(0));
  const back = key('back', t('replay.back'), () => actions.step(-1));
  const play = key('play', t('replay.play'), actions.toggle);
  const forward = key('forward', t('replay.forward'), () => actions.step(1));
  const end = key('end', t('replay.toEnd'), () => actions.seek(last));
  play.classList.add('is-primary');
  const speeds = SPEEDS.map((speed) => {
    const label = t('replay.times', { speed });
    return { speed, element: button('reel-speed', label, null, () => actions.setSpeed(speed)) };
  });
  const group = h(
    'div',
    { class: 'reel-speeds', role: 'group', 'aria-label': t('replay.speed') },
    ...speeds.map(({ element }) => element),
  );
  const element = h(
    'footer',
    { class: 'footer reel' },
    h('div', { class: 'reel-line' }, slider, place),
    h('div', { class: 'reel-keys' }, start, back, play, forward, end),
    h('div', { class: 'reel-more' }, group, ...others),
  );
  return {
    element,
    playButton: play,
    show(film, { short, long }) {
      slider.max = String(film.last);
      slider.value = String(film.index);
      slider.setAttribute('aria-valuetext', long);
      setText(place, short);
      for (const each of [start, back]) setEnabled(each, film.index > 0);
      for (const each of [forward, end]) setEnabled(each, film.index < film.last);
      renewPlay(play, film.isPlaying, t);
      for (const { speed, element: each } of speeds) {
        each.setAttribute('aria-pressed', String(speed === film.speed));
      }
    },
  };
}

function renewPlay(play: HTMLButtonElement, isPlaying: boolean, t: Translate): void {
  const label = t(isPlaying ? 'replay.pause' : 'replay.play');
  if (play.title === label && play.dataset['playing'] === String(isPlaying)) return;
  play.dataset['playing'] = String(isPlaying);
  play.title = label;
  play.firstElementChild!.replaceWith(makeIcon(isPlaying ? 'pause' : 'play'));
  setText(play.lastElementChild!, label);
}
