/** Replaces the board when nothing can be played, and says why. */

import type { Key, Translate } from '../i18n/translate.ts';
import type { ConnectionStatus } from '../protocol.ts';
import { button, h } from './dom.ts';

export type NoticeKind =
  | 'noToken'
  | 'refused'
  | 'gone'
  | 'left'
  | 'replaced'
  | 'origin'
  | 'protocol'
  | 'unknownGame'
  | 'broken';

export interface Notice {
  readonly element: HTMLElement;
  show(kind: NoticeKind | null): void;
}

export interface NoticeActions {
  /** Called when the text has changed, for screen readers. */
  textChanged(text: string): void;
  playHere(): void;
  reload(): void;
}

/** The name of a permanent connection failure; null while the connection is retried. */
export function noticeOf(status: ConnectionStatus): NoticeKind | null {
  if (status.kind === 'replaced') return 'replaced';
  if (status.kind !== 'failed') return null;
  switch (status.reason) {
    case 'no_credential':
      return 'noToken';
    case 'token_refused':
      return status.wasOpen ? 'gone' : 'refused';
    case 'origin_refused':
      return 'origin';
    case 'protocol':
    case 'left':
      return status.reason;
  }
}

export function makeNotice(t: Translate, actions: NoticeActions): Notice {
  const title = h('h1', { class: 'notice-title' });
  const detail = h('p', { class: 'notice-detail' });
  const playHere = button('button is-primary', t('action.playHere'), null, actions.playHere);
  const reload = button('button is-primary', t('notice.reload'), null, actions.reload);
  const element = h('main', { class: 'notice', hidden: true }, title, detail, playHere, reload);
  let shown: NoticeKind | null = null;
  return {
    element,
    show(kind) {
      if (kind === shown) return;
      shown = kind;
      element.hidden = kind === null;
      if (kind === null) return;
      title.textContent = t(`notice.${kind}` satisfies Key);
      detail.textContent = t(`notice.${kind}Detail` satisfies Key);
      playHere.hidden = kind !== 'replaced';
      reload.hidden = kind !== 'protocol' && kind !== 'broken';
      actions.textChanged(`${title.textContent}. ${detail.textContent}`);
    },
  };
}
