/** Below the board: the player's actions besides moves, the room code before the match, the result after it. */

import type { Translate } from '../i18n/translate.ts';
import type { Model } from '../model.ts';
import { isOut } from '../model.ts';
import type { Emote, SessionView } from '../protocol.ts';
import { endingOf, figuresOf, reasonOf, winnersOf } from '../result-words.ts';
import { button, h, keepKeyboard, setEnabled, setText } from './dom.ts';
import { makeEmoteMenu } from './emote-menu.ts';
import { makeIcon } from './icons.ts';
import type { Sound } from './sound.ts';
import { makeSoundButton } from './sound-button.ts';
import { makeStrip } from './strip.ts';

export interface FooterActions {
  leave(): void;
  resign(): void;
  offerDraw(): void;
  emote(emote: Emote): void;
}

export interface Footer {
  readonly element: HTMLElement;
  update(model: Model): void;
}

/** `rematch` is below a result, `afterwards` are the buttons below that. */
export function makeFooter(
  t: Translate,
  actions: FooterActions,
  sound: Sound,
  rematch: HTMLElement,
  afterwards: HTMLElement,
): Footer {
  const strip = makeStrip(t);
  const menu = makeEmoteMenu(t, actions.emote);
  const draw = button('button', t('action.draw'), makeIcon('even'), actions.offerDraw);
  const resign = button('button', t('action.resign'), makeIcon('flag'), actions.resign);
  const controls = h(
    'div',
    { class: 'controls' },
    menu.element,
    makeSoundButton(t, sound),
    draw,
    resign,
  );
  const leave = button('button', t('action.leave'), null, actions.leave);
  const card = h('section', { class: 'card' });
  const parts = [strip.element, card, controls, leave, rematch, afterwards];
  // A removed button leaves the focus here.
  const element = h('footer', { class: 'footer', tabindex: -1 }, ...parts);
  const renew = (model: Model): void => {
    const { session, connection } = model;
    const isPlayer = session !== null && session.seat !== null;
    const isOpen = connection.kind === 'open';
    const isActive = session?.status === 'active';
    const isOver = session?.status === 'ended';
    // A watcher has no controls except mute.
    controls.hidden = isPlayer ? session.status === 'pending' : session === null || isOver;
    leave.hidden = !isPlayer || session.status !== 'pending';
    setEnabled(leave, isOpen && model.sending?.t !== 'leave');
    menu.element.hidden = !isPlayer;
    element.classList.toggle('has-result', session?.status === 'ended' && session.result !== null);
    menu.setEnabled(isOpen);
    resign.hidden = isOver || !isPlayer || isOut(session, session.seat);
    setEnabled(resign, isActive && isOpen && model.sending?.t !== 'resign');
    draw.hidden = resign.hidden || model.board?.drawOffers !== true;
    const mayDraw = isActive && isOpen && session.drawOfferedBy === null;
    setEnabled(draw, mayDraw && model.sending?.t !== 'draw');
    // Four buttons fit into the row; a fifth gets its own row above.
    const home = !draw.hidden || controls.hidden ? strip.element : controls;
    if (strip.fair.parentElement !== home)
      home.insertBefore(strip.fair, home === controls ? resign : null);
    strip.update(model);
    renderCard(card, model, t);
    // A match that was never played has no replay.
    afterwards.hidden = !isOver || session.view === null;
  };
  return {
    element,
    update: (model) => keepKeyboard(element, element, () => renew(model)),
  };
}

function renderCard(card: HTMLElement, model: Model, t: Translate): void {
  const { session } = model;
  const isOver = session?.status === 'ended' && session.result !== null;
  const wanted = `${session?.v} ${model.board === null}`;
  card.hidden = !isOver;
  if (!isOver || card.dataset['shows'] === wanted) return;
  card.dataset['shows'] = wanted;
  showResult(card, model, session, t);
}

function showResult(card: HTMLElement, { board }: Model, session: SessionView, t: Translate): void {
  const result = session.result!;
  const figures = h('p', { class: 'card-figures' });
  setText(figures, figuresOf(result, board?.runsByClock === true, t).join(' · '));
  const pieces = winnersOf(result).flatMap((seat) => board?.makePiece(seat) ?? []);
  card.className = `card result is-${endingOf(session, result)}`;
  card.replaceChildren(
    h('div', { class: 'result-pieces', 'aria-hidden': 'true' }, ...pieces),
    h('p', { class: 'result-reason' }, reasonOf(session, result, t)),
    figures,
  );
}
