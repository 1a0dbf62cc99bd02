/** The place of the lobby over the board while a match waits for its players. The lobby is loaded when one has to be shown. */

import type { Translate } from '../i18n/translate.ts';
import type { SessionView } from '../protocol.ts';
import { h, keepKeyboard } from '../ui/dom.ts';
import type { Lobby, LobbyHost } from './lobby.ts';

export interface LobbyDoor {
  readonly element: HTMLElement;
  update(session: SessionView | null): void;
}

export function makeLobbyDoor(t: Translate, host: LobbyHost): LobbyDoor {
  const element = h('div', { class: 'lobby-place', hidden: true });
  let shown: SessionView | null = null;
  let lobby: Lobby | null = null;
  let isLoading = false;
  const load = async (): Promise<void> => {
    try {
      const { makeLobby } = await import('./lobby.ts');
      lobby = makeLobby(t, host);
      element.append(lobby.element);
      show();
    } catch {
      // The plates show who is present, too.
    }
  };
  const show = (): void => {
    if (shown !== null) lobby?.update(shown);
    keepKeyboard(element, host.rest(), () => {
      element.hidden = shown === null || lobby === null;
    });
  };
  return {
    element,
    update(session) {
      shown = session?.status === 'pending' ? session : null;
      if (shown !== null && !isLoading) {
        isLoading = true;
        void load();
      }
      show();
    },
  };
}
