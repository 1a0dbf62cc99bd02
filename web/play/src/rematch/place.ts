/** The place of the rematch sheet, which is loaded when a player's match is over. */

import type { Translate } from '../i18n/translate.ts';
import type { Client, ConnectionEvent, Rematch, SessionView } from '../protocol.ts';
import { h } from '../ui/dom.ts';
import type { Sheet } from './sheet.ts';

export interface RematchHost {
  client(): Client | null;
  serverNow(): number;
  announce(text: string): void;
  /** Asks the embedding page to create it; null if others do. */
  make: ((session: string) => Promise<string | null>) | null;
  open(token: string): void;
}

export interface RematchPlace {
  readonly element: HTMLElement;
  handle(event: ConnectionEvent): void;
  /** Whether something is still to be sent or received, which needs a reconnection. */
  isOpen(): boolean;
}

export function makeRematchPlace(t: Translate, host: RematchHost): RematchPlace {
  const element = h('section', { class: 'rematch', hidden: true });
  let sheet: Sheet | null = null;
  let last: Rematch | null = null;
  let isLoading = false;
  const load = async (session: SessionView): Promise<void> => {
    const { seat, s } = session;
    if (seat === null || isLoading) return;
    isLoading = true;
    const send = (step?: 'offer' | 'withdraw' | 'decline'): void => {
      const own = host.client()?.session(s);
      // Its result arrives as an event; a late answer gets the final state.
      const sent = step === undefined ? own?.askRematch() : own?.rematch(step);
      sent?.catch(() => void own?.askRematch().catch(() => {}));
    };
    try {
      const { makeSheet } = await import('./sheet.ts');
      sheet = makeSheet(t, element, {
        session: { ...session, seat },
        now: host.serverNow,
        make: host.make,
        open: host.open,
        announce: host.announce,
        send,
      });
      if (last !== null) sheet.update(last);
    } catch {
      // The next state retries it; the result is shown without it.
      isLoading = false;
    }
  };
  return {
    element,
    handle(event) {
      if (event.kind === 'status') sheet?.setOnline(event.status.kind === 'open');
      else if (event.kind === 'rematch') {
        last = event.rematch;
        sheet?.update(last);
      } else if (event.kind === 'session') {
        const { session, cause } = event;
        if (session.status !== 'ended' || session.seat === null) return;
        void load(session);
        // A new connection: messages in between are missing.
        if (cause.t === 'state' || cause.t === 'over') {
          host
            .client()
            ?.session(session.s)
            .askRematch()
            .catch(() => {});
        }
      }
    },
    isOpen() {
      if (last === null || last.until === null || last.declined !== null) return false;
      return last.agreed || last.until > host.serverNow();
    },
  };
}
