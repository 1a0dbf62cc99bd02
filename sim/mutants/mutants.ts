/** The deliberate faults: made by wrapping a part of a node, or by a patch of its source. */

import type { PlacedAnswer, Subscriber, WorkOutcome } from '../../src/runtime/host/work.ts';
import type { Store } from '../../src/store/whole-store.ts';
import type { Mutant } from './mutant.ts';
import { PATCHES } from './patches.ts';
import { SCRIPT_PATCHES } from './script-patches.ts';

/** A store with some of its calls replaced. */
function withCalls(store: Store, calls: Partial<Store>): Store {
  return { ...store, ...calls };
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'ack-before-commit',
    fault: 'a commit is called done before the store has said so',
    isOfClusters: false,
    hurts: ['I1', 'I6'],
    store: (store) =>
      withCalls(store, {
        commit(commit, done) {
          store.commit(commit, () => undefined);
          queueMicrotask(() => done('committed'));
        },
      }),
  },
  {
    name: 'no-dedupe',
    fault: 'the ids of commands are forgotten when a log is read again',
    isOfClusters: false,
    hurts: ['I4', 'I5'],
    store: (store) =>
      withCalls(store, {
        async loadSession(id) {
          const stored = await store.loadSession(id);
          const entries = stored?.entries.map((entry) =>
            'id' in entry.record && entry.record.id !== null
              ? { ...entry, record: { ...entry.record, id: `forgotten ${entry.v}` } }
              : entry,
          );
          return stored && { ...stored, entries: entries! };
        },
      }),
  },
  {
    name: 'unknown-is-failure',
    fault: 'a commit whose fate is not known is told to the player as a refusal',
    isOfClusters: false,
    hurts: ['I4'],
    host(host) {
      const wrapped = new WeakMap<Subscriber, Subscriber>();
      const wrap = (subscriber: Subscriber): Subscriber => {
        const known = wrapped.get(subscriber) ?? refuseUnknown(subscriber);
        wrapped.set(subscriber, known);
        return known;
      };
      return {
        ...host,
        attach: (session, subscriber, done) => host.attach(session, wrap(subscriber), done),
        detach: (session, subscriber) => host.detach(session, wrap(subscriber)),
        play: (session, seat, command, origin) => host.play(session, seat, command, wrap(origin)),
      };
    },
  },
  ...PATCHES,
  ...SCRIPT_PATCHES,
];

function refuseUnknown(subscriber: Subscriber): Subscriber {
  return {
    viewer: subscriber.viewer,
    player: subscriber.player,
    lost: () => subscriber.lost(),
    send: (texts, answer) => subscriber.send(texts, answer && { ...answer, told: refusal(answer) }),
  };
}

function refusal({ told }: PlacedAnswer): WorkOutcome {
  const isUnknown = told.kind === 'rejected' && told.code === 'unavailable';
  return isUnknown ? { ...told, code: 'illegal_move' } : told;
}

export function findMutant(name: string): Mutant {
  const found = MUTANTS.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new Error(`no mutant ${name}; there are ${MUTANTS.map((each) => each.name).join(', ')}`);
}
