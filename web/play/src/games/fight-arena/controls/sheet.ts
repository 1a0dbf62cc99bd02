/**
 * The list of moves with their inputs and frame data, and the training options. Loaded on demand.
 */

import type { MoveName } from '../../../../../../src/games/fight-arena/moves.ts';
import type { Key, Translate } from '../../../i18n/translate.ts';
import { button, h } from '../../../ui/dom.ts';
import { makeIcon } from '../../../ui/icons.ts';
import { makeSettingButton } from '../../../ui/setting-button.ts';
import type { SettingName, Settings } from '../../../ui/settings.ts';
import { adoptSheet } from '../../adopt-sheet.ts';
import { figuresOf, notesOf } from './frame-data.ts';
import { PADS, padIcon } from './pads.ts';
import css from './sheet.css' with { type: 'text' };

export interface Sheet {
  readonly element: HTMLElement;
  /** `mayTrain`: whether the game's internals may be shown. Not in a match against people. */
  open(mayTrain: boolean): void;
  close(): void;
}

/** A word, or a button of the game by its name. */
type Input = { readonly word: Key } | { readonly pad: string };

const DOWN: Input = { word: 'fight.in.down' };
const AIR: Input = { word: 'fight.in.air' };
const AWAY: Input = { word: 'fight.in.away' };
const pad = (name: string): Input => ({ pad: name });

const ATTACKS: readonly (readonly [name: MoveName, inputs: readonly Input[]])[] = [
  ['light', [pad('light')]],
  ['heavy', [pad('heavy')]],
  ['lowLight', [DOWN, pad('light')]],
  ['sweep', [DOWN, pad('heavy')]],
  ['airLight', [AIR, pad('light')]],
  ['airHeavy', [AIR, pad('heavy')]],
  ['bolt', [pad('special')]],
  ['rise', [DOWN, pad('special')]],
  ['throw', [pad('throw')]],
];

const OTHERS: readonly (readonly [name: Key, inputs: readonly Input[], note: Key | null])[] = [
  ['fight.do.jump', [{ word: 'fight.in.up' }], null],
  ['fight.do.dash', [pad('dash')], null],
  ['fight.do.stepBack', [AWAY, pad('dash')], null],
  ['fight.do.block', [AWAY], 'fight.do.blockNote'],
  ['fight.do.blockLow', [DOWN, AWAY], 'fight.do.blockLowNote'],
  ['fight.do.cancel', [{ word: 'fight.in.hit' }, pad('special')], 'fight.do.cancelNote'],
];

const TRAINING: readonly SettingName[] = ['hitBoxes', 'frameData', 'inputs'];

export function makeSheet(t: Translate, settings: Settings, closed: () => void): Sheet {
  adoptSheet(css);
  const close = button('button fa-sheet-close', t('fair.close'), makeIcon('cross'), () =>
    closeSheet(),
  );
  const training = h(
    'div',
    { class: 'fa-switches' },
    ...TRAINING.map((name) => makeSettingButton(t, settings, name)),
  );
  const note = h('p', { class: 'fa-sheet-note' }, t('fight.trainingOnly'));
  const switches = h(
    'div',
    { class: 'fa-switches', role: 'group', 'aria-label': t('fight.view') },
    makeSettingButton(t, settings, 'netFigures'),
    training,
    note,
  );
  const title = h('h2', {}, t('fight.moves'));
  const element = h(
    'section',
    { class: 'fa-sheet', 'aria-label': t('fight.moves'), tabindex: -1, hidden: true },
    h('div', { class: 'fa-sheet-head' }, title, close),
    h(
      'div',
      { class: 'fa-sheet-scroll', tabindex: 0, role: 'group', 'aria-label': t('fight.moves') },
      switches,
      h(
        'ul',
        { class: 'fa-moves' },
        ...ATTACKS.map(([name, inputs]) =>
          makeRow(t(`fight.name.${name}`), inputs, [figuresOf(name, t), notesOf(name, t)], t),
        ),
        ...OTHERS.map(([name, inputs, more]) =>
          makeRow(t(name), inputs, more === null ? [] : [t(more)], t),
        ),
      ),
      h('p', { class: 'fa-sheet-note' }, t('fight.framesNote')),
    ),
  );
  const closeSheet = (): void => {
    if (element.hidden) return;
    element.hidden = true;
    closed();
  };
  element.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.stopPropagation();
    closeSheet();
  });
  return {
    element,
    open(mayTrain) {
      training.hidden = !mayTrain;
      note.hidden = mayTrain;
      element.hidden = false;
      close.focus();
    },
    close: closeSheet,
  };
}

function makeRow(
  name: string,
  inputs: readonly Input[],
  lines: readonly string[],
  t: Translate,
): HTMLElement {
  return h(
    'li',
    { class: 'fa-move' },
    h('b', { class: 'fa-move-name' }, name),
    h('span', { class: 'fa-move-input' }, ...inputs.map((each) => makeInput(each, t))),
    ...lines.map((line) => h('span', { class: 'fa-move-line' }, line)),
  );
}

function makeInput(input: Input, t: Translate): HTMLElement {
  if ('word' in input) return h('span', { class: 'fa-in' }, t(input.word));
  const found = PADS.find(({ name }) => name === input.pad)!;
  return h('span', { class: 'fa-in is-pad' }, padIcon(found), h('span', {}, t(found.label)));
}
