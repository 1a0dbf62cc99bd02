/** A bus within one process: nodes of a test or of the simulator, with faults that can be switched. */

import { BUS_TEXT_MAX, type Bus, isWithin } from '../bus.ts';

/** What goes wrong. Chances from 0 to 1. */
export interface BusFaults {
  readonly drop: number;
  readonly repeat: number;
  /** A text takes between these, in ms; texts overtake each other when they differ. */
  readonly delayMinMs: number;
  readonly delayMaxMs: number;
}

export const NO_FAULTS: BusFaults = { drop: 0, repeat: 0, delayMinMs: 0, delayMaxMs: 0 };

export interface LocalNetwork {
  /** Connects a node. */
  open(node: string): Bus;
  setFaults(faults: BusFaults): void;
  /** The longest text that is carried from now on, in UTF-8 bytes. */
  setTextMax(bytes: number): void;
  /** Cuts a node off, or lets it back. To others it looks as if its process were gone. */
  setUp(node: string, isUp: boolean): void;
  /** Loses all that goes from one node to another, silently; or lets it through again. */
  setCut(from: string, to: string, isCut: boolean): void;
  /** How many texts were sent, whatever became of them. */
  sent(): number;
}

export interface LocalNetworkDeps {
  /** Calls `run` once, after at least `ms` milliseconds. */
  after(ms: number, run: () => void): unknown;
  /** From 0 to below 1. */
  chance(): number;
}

interface Place {
  isUp: boolean;
  takes: (text: string) => void;
  nobody: (node: string) => void;
}

const nothing = (): void => undefined;

export function makeLocalNetwork({ after, chance }: LocalNetworkDeps): LocalNetwork {
  const places = new Map<string, Place>();
  const cuts = new Set<string>();
  let faults = NO_FAULTS;
  let textMax = BUS_TEXT_MAX;
  let sent = 0;
  const delay = (): number =>
    faults.delayMinMs + Math.floor(chance() * (faults.delayMaxMs - faults.delayMinMs + 1));

  /**
   * One copy of a text arrives, or is undeliverable; the sender is notified, if it still exists.
   */
  const arrive = (sender: Place, from: string, to: string, text: string): void => {
    if (cuts.has(`${from}>${to}`)) return;
    const place = places.get(to);
    if (place?.isUp === true) place.takes(text);
    else if (sender.isUp && places.get(from) === sender) sender.nobody(to);
  };
  const send = (sender: Place, from: string, to: string, text: string): void => {
    if (!sender.isUp || !isWithin(text, textMax)) return;
    sent += 1;
    const copies = chance() < faults.repeat ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      if (chance() >= faults.drop) after(delay(), () => arrive(sender, from, to, text));
    }
  };
  return {
    open(node) {
      const place: Place = { isUp: true, takes: nothing, nobody: nothing };
      places.set(node, place);
      return {
        send: (to, text) => send(place, node, to, text),
        onMessage(listener) {
          place.takes = listener;
        },
        onNobody(listener) {
          place.nobody = listener;
        },
        carries: (text) => isWithin(text, textMax),
        isUp: () => place.isUp,
        async close() {
          place.isUp = false;
          if (places.get(node) === place) places.delete(node);
        },
      };
    },
    setFaults(next) {
      faults = next;
    },
    setTextMax(bytes) {
      textMax = bytes;
    },
    setUp(node, isUp) {
      const place = places.get(node);
      if (place !== undefined) place.isUp = isUp;
    },
    sent: () => sent,
    setCut(from, to, isCut) {
      if (isCut) cuts.add(`${from}>${to}`);
      else cuts.delete(`${from}>${to}`);
    },
  };
}
