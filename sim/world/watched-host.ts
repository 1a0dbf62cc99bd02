/** A node's host that reports every text it shows of its sessions, whichever node relays it. */

import { answerText } from '../../src/runtime/host/answers.ts';
import type { LocalHost } from '../../src/runtime/host/match-host.ts';
import type { Subscriber } from '../../src/runtime/host/work.ts';

/** `shown` is called at the moment a text is made, with its session. */
export function watchHost(
  host: LocalHost,
  shown: (session: string, text: string) => void,
): LocalHost {
  const watched = new WeakMap<Subscriber, Subscriber>();
  const tell = (session: string, texts: readonly string[]): readonly string[] => {
    for (const text of texts) shown(session, text);
    return texts;
  };
  const watch = (session: string, subscriber: Subscriber): Subscriber => {
    const known = watched.get(subscriber);
    if (known !== undefined) return known;
    const made: Subscriber = {
      viewer: subscriber.viewer,
      player: subscriber.player,
      lost: () => subscriber.lost(),
      ...(subscriber.wire && { wire: subscriber.wire }),
      send: (texts, answer) => {
        if (answer !== undefined) tell(session, [answerText(answer)]);
        subscriber.send(tell(session, texts), answer);
      },
    };
    watched.set(subscriber, made);
    return made;
  };
  return {
    ...host,
    attach: (session, subscriber, done) => host.attach(session, watch(session, subscriber), done),
    detach: (session, subscriber, isPutAway) =>
      host.detach(session, watch(session, subscriber), isPutAway),
    play: (session, seat, command, origin) =>
      host.play(session, seat, command, watch(session, origin)),
    stateFor: (session, viewer, seen, wire) =>
      tell(session, host.stateFor(session, viewer, seen, wire)),
  };
}
