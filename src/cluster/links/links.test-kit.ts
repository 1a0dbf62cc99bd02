/** Test nodes that only send each other numbered messages, and check what arrives. */

import { type LocalNetwork, makeLocalNetwork } from '../../bus/local/local-bus.ts';
import type { ClusterStore, MailStore } from '../../store/cluster.ts';
import { openMemoryDatabase } from '../../store/sqlite/memory-store.ts';
import { type ManualClock, makeManualClock } from '../../testing/manual-clock.ts';
import { type Links, makeLinks } from './links.ts';

/** A lease that outlives every test. */
const LONG_MS = 1e12;

/** `life` counts how often the sender was told that this link is lost. */
interface Numbered {
  readonly life: number;
  readonly at: number;
}

export interface Talker {
  readonly node: string;
  readonly links: Links;
  /** Messages that came from each node, over all lives. */
  readonly came: Map<string, number>;
  /** How often a link was lost, by node. */
  readonly losses: Map<string, number>;
  say(to: string, count: number): void;
  /** Drops the link to a node as soon as a message comes from it, in the very call. */
  dropAtNext(from: string): void;
  /** Messages that this node has sent to another since their link was last lost. */
  sentTo(to: string): number;
}

export interface LinksWorld {
  readonly clock: ManualClock;
  readonly network: LocalNetwork;
  readonly cluster: ClusterStore;
  /** Faults of the mail: its delay, and how often it fails. */
  readonly mail: { delayMs: number; failures: number };
  /** Violations. */
  readonly wrongs: string[];
  open(node: string): Promise<Talker>;
  /** Lets time pass, with everything that happens in it. */
  pass(ms: number): Promise<void>;
}

/** `chance` returns numbers from 0 to below 1. */
export function makeLinksWorld(chance: () => number): LinksWorld {
  const clock = makeManualClock();
  const cluster = openMemoryDatabase(clock.now).openNode('nod_test');
  const network = makeLocalNetwork({ after: clock.after, chance });
  const mail = { delayMs: 2, failures: 0 };
  const wrongs: string[] = [];
  const slowMail = makeSlowMail(cluster, clock, mail, chance);
  return {
    clock,
    network,
    cluster,
    mail,
    wrongs,
    async open(node) {
      await cluster.renewLease(node, LONG_MS, false);
      const bus = network.open(node);
      const links = makeLinks({
        node,
        bus,
        mail: slowMail,
        clock,
        soon: queueMicrotask,
        onNobody: () => undefined,
        onMailError: () => undefined,
      });
      return makeTalker(node, links, wrongs);
    },
    async pass(ms) {
      const end = clock.now() + ms;
      for (;;) {
        await settle();
        const next = clock.nextAt();
        if (next === null || next > end) break;
        clock.advance(Math.max(0, next - clock.now()));
      }
      clock.advance(end - clock.now());
      await settle();
    },
  };
}

/** Lets everything happen that needs no time. */
function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

function makeSlowMail(
  store: MailStore,
  clock: ManualClock,
  faults: LinksWorld['mail'],
  chance: () => number,
): MailStore {
  const wait = (): Promise<void> => new Promise((done) => void clock.after(faults.delayMs, done));
  return {
    async putMail(to, from, texts) {
      await wait();
      const isFailure = chance() < faults.failures;
      // A failed call may have been done.
      if (!isFailure || chance() < 0.5) await store.putMail(to, from, texts);
      if (isFailure) throw new Error('mail could not be left');
    },
    async takeMail(node, limit) {
      await wait();
      const taken = await store.takeMail(node, limit);
      if (chance() < faults.failures) throw new Error('mail could not be taken');
      return taken;
    },
  };
}

/** Violations are added to `wrongs`. */
export function makeTalker(node: string, links: Links, wrongs: string[]): Talker {
  const came = new Map<string, number>();
  const losses = new Map<string, number>();
  const sent = new Map<string, number>();
  const heard = new Map<string, Numbered & { isLost: boolean }>();
  const dropping = new Set<string>();
  links.onMessage((from, message) => {
    const { life, at } = message as Numbered;
    const last = heard.get(from);
    came.set(from, (came.get(from) ?? 0) + 1);
    const isNext = last !== undefined && !last.isLost && life === last.life && at === last.at + 1;
    const isNew = at === 0 && (last === undefined || (last.isLost && life > last.life));
    if (!isNext && !isNew) {
      wrongs.push(`${node} got ${from}'s ${life}/${at} after ${JSON.stringify(last)}`);
    }
    heard.set(from, { life, at, isLost: false });
    if (dropping.delete(from)) links.drop(from);
  });
  links.onLost((to) => {
    losses.set(to, (losses.get(to) ?? 0) + 1);
    sent.set(to, 0);
    const last = heard.get(to);
    if (last !== undefined) last.isLost = true;
  });
  return {
    node,
    links,
    came,
    losses,
    say(to, count) {
      for (let i = 0; i < count; i += 1) {
        const at = sent.get(to) ?? 0;
        sent.set(to, at + 1);
        links.send(to, { life: losses.get(to) ?? 0, at });
      }
    },
    dropAtNext: (from) => void dropping.add(from),
    sentTo: (to) => sent.get(to) ?? 0,
  };
}
