/** Injects faults: one after another, those of the plan, each for a while. */

import type { Chance } from '../kernel/chance.ts';
import type { Timeline } from '../kernel/timeline.ts';
import type { Trace } from '../kernel/trace.ts';
import { CLIENT_FAULTS, type Fault } from '../plan.ts';
import { makeWireFaults, type WireFaults } from '../store/wire.ts';
import type { SimNode } from './node.ts';
import type { Receiver } from './receiver.ts';

/** Milliseconds since 1970. */
export interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** The same while it may still last: then `to` is Infinity. */
interface OpenStretch {
  readonly from: number;
  to: number;
}

export interface NemesisDeps {
  readonly timeline: Timeline;
  readonly chance: Chance;
  readonly trace: Trace;
  readonly faults: readonly Fault[];
  /** Until when, ms since 1970. */
  readonly endsAt: number;
  /** By place of the node. */
  readonly wires: readonly WireFaults[];
  readonly receiver: Receiver;
  /** Switches of the bus between nodes, by place; null without one. */
  readonly bus: BusSwitches | null;
  nodeAt(place: number): SimNode | null;
}

export interface BusSwitches {
  setBad(isBad: boolean): void;
  setUp(place: number, isUp: boolean): void;
  setCut(from: number, to: number, isCut: boolean): void;
}

/** Time between two faults, ms. */
const GAP_MS_MAX = 6_000;
/** How long a fault lasts, ms; some outlast a lease. */
const LASTS_MS_MAX = 9_000;
/** The maximum change of a clock, ms: by NTP, by hand, by another time zone. */
const JUMPS_MS = [500, 5_000, 60_000, 3_600_000];

/** Its history, which it extends. */
export interface Deeds {
  /** When the store was unavailable for all. */
  readonly outages: Stretch[];
  /** When processes were paused, by their ids. */
  readonly pauses: (Stretch & { readonly node: string })[];
  /** When no call of the node in a place was answered. */
  readonly silences: (OpenStretch & { readonly place: number })[];
  /**
   * All that may interrupt the service, and the place of the affected node; null if it affects all.
   */
  readonly troubles: Trouble[];
}

export interface Trouble extends Stretch {
  readonly fault: Fault;
  readonly place: number | null;
}

export function startNemesis(deps: NemesisDeps): Deeds {
  const { timeline, chance, faults, endsAt } = deps;
  const deeds: Deeds = { outages: [], pauses: [], silences: [], troubles: [] };
  if (faults.length === 0) return deeds;
  const act = (): void => {
    const left = endsAt - timeline.now();
    if (left <= 0) return;
    const fault = chance.pick(faults);
    const ms = Math.min(left, chance.fraction() * LASTS_MS_MAX);
    if (fault === 'away') takeAway(deps, deeds, ms);
    else if (fault === 'pause') pause(deps, deeds, ms);
    else strike(deps, deeds, fault, ms);
    timeline.after(chance.fraction() * GAP_MS_MAX, act);
  };
  timeline.after(chance.fraction() * GAP_MS_MAX, act);
  return deeds;
}

/** One outage after another: none begins while another lasts. */
function takeAway(
  { timeline, chance, trace, wires }: NemesisDeps,
  { outages, troubles }: Deeds,
  ms: number,
): void {
  const from = timeline.now();
  if ((outages.at(-1)?.to ?? 0) > from) return;
  const away = chance.pick(['refuses', 'hangs'] as const);
  trace.note('fault', 'away', away, ms.toFixed(0));
  outages.push({ from, to: from + ms });
  troubles.push({ fault: 'away', place: null, from, to: from + ms });
  for (const faults of wires) faults.away = away;
  timeline.after(ms, () => {
    for (const faults of wires) faults.away = 'no';
  });
}

function pause(
  { timeline, chance, trace, wires, nodeAt }: NemesisDeps,
  { pauses, troubles }: Deeds,
  ms: number,
): void {
  const place = chance.below(wires.length);
  trace.note('fault', 'pause', place, ms.toFixed(0));
  const node = nodeAt(place);
  node?.life.pause(ms);
  const from = timeline.now();
  if (node !== null) pauses.push({ node: node.id, from, to: from + ms });
  troubles.push({ fault: 'pause', place, from, to: from + ms });
}

/**
 * Faults of the bus affect all nodes: the node that is not reached is not the one that takes its
 * sessions.
 */
const OF_BUS: ReadonlySet<Fault> = new Set<Fault>(['busLoss', 'busDown', 'busCut']);
const AT_ONCE: ReadonlySet<Fault> = new Set<Fault>(['crash', 'drain', 'jumps']);
const HARMLESS: ReadonlySet<Fault> = new Set<Fault>(['receiver', 'skew', ...CLIENT_FAULTS]);

function noteTrouble(
  { timeline, bus }: NemesisDeps,
  { troubles }: Deeds,
  fault: Fault,
  place: number,
  ms: number,
): void {
  const isOfBus = OF_BUS.has(fault);
  if (HARMLESS.has(fault) || (isOfBus && bus === null)) return;
  const from = timeline.now();
  const to = AT_ONCE.has(fault) ? from : from + ms;
  troubles.push({ fault, place: isOfBus ? null : place, from, to });
}

/** Begins or ends the silence of a place, as its wire is now. */
function noteSilence(
  { timeline }: NemesisDeps,
  { silences }: Deeds,
  place: number,
  wire: WireFaults,
): void {
  const { isCut, lost, unanswered, late } = wire;
  const isSilent = isCut || lost === 1 || unanswered === 1 || late === 1;
  const open = silences.find((each) => each.place === place && each.to === Infinity);
  if (isSilent && open === undefined) silences.push({ place, from: timeline.now(), to: Infinity });
  if (!isSilent && open !== undefined) open.to = timeline.now();
}

/** The connection of a place is worse for a while. */
function degrade(
  deps: NemesisDeps,
  deeds: Deeds,
  place: number,
  change: Partial<WireFaults>,
  ms: number,
): void {
  const wire = deps.wires[place]!;
  Object.assign(wire, change);
  noteSilence(deps, deeds, place, wire);
  const usual = makeWireFaults();
  const names = Object.keys(change) as (keyof WireFaults)[];
  const back = Object.fromEntries(names.map((name) => [name, usual[name]]));
  deps.timeline.after(ms, () => {
    Object.assign(wire, back);
    noteSilence(deps, deeds, place, wire);
  });
}

function strike(
  deps: NemesisDeps,
  deeds: Deeds,
  fault: Exclude<Fault, 'away' | 'pause'>,
  ms: number,
): void {
  const { timeline, chance, trace, wires, receiver, bus } = deps;
  const place = chance.below(wires.length);
  const forAWhile = (change: Partial<WireFaults>): void => degrade(deps, deeds, place, change, ms);
  noteTrouble(deps, deeds, fault, place, ms);
  trace.note('fault', fault, place, ms.toFixed(0));
  switch (fault) {
    case 'lost':
    case 'unanswered':
    case 'late':
      forAWhile({ [fault]: chance.pick([0.05, 0.3, 1]) });
      return;
    case 'slow':
      forAWhile({ slowMs: chance.pick([50, 500, 3_000]) });
      return;
    case 'cut':
      forAWhile({ isCut: true });
      return;
    case 'crash':
      deps.nodeAt(place)?.crash();
      return;
    case 'drain': {
      const node = deps.nodeAt(place);
      // A paused one is notified afterwards.
      node?.life.enter(() => void node.drain().catch(() => deps.nodeAt(place)?.crash()));
      return;
    }
    case 'jumps':
      deps.nodeAt(place)?.life.jump(chance.between(-1, 1) * chance.pick(JUMPS_MS));
      return;
    case 'receiver':
      receiver.setBad(true);
      timeline.after(ms, () => receiver.setBad(false));
      return;
    case 'busLoss':
      bus?.setBad(true);
      timeline.after(ms, () => bus?.setBad(false));
      return;
    case 'busDown':
      bus?.setUp(place, false);
      timeline.after(ms, () => bus?.setUp(place, true));
      return;
    case 'busCut': {
      const to = chance.below(wires.length);
      bus?.setCut(place, to, true);
      timeline.after(ms, () => bus?.setCut(place, to, false));
      return;
    }
    case 'skew':
    case 'drops':
    case 'halfOpen':
    case 'twice':
      return; // Clients and clocks have these all the time.
  }
}
