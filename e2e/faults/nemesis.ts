/** The faults: each begins, lasts, and is repaired before it returns. */

import type { Chance } from './chance.ts';
import type { Fleet, FleetNode } from './fleet.ts';
import type { Pulse, Watch } from './pulse.ts';

export interface Fault {
  readonly name: string;
  /** Takes part of a cluster that one process does not have. */
  readonly needsCluster: boolean;
  run(scene: Scene): Promise<void>;
}

export interface Scene {
  readonly fleet: Fleet;
  readonly chance: Chance;
  readonly pulse: Pulse;
  /** Running sessions. */
  running(): readonly string[];
  readonly figures: FaultFigures;
  found(what: string): void;
}

export interface FaultFigures {
  readonly counts: Record<string, number>;
  /** From SIGKILL of a node to the next acknowledged move of a match that it owned, ms. */
  readonly killed: number[];
  /** From SIGTERM of a node to the next acknowledged move of a match that it owned, ms. */
  readonly drained: number[];
  /**
   * From the beginning of a fault to the next acknowledged move of each running match, ms, by
   * fault.
   */
  readonly resumed: Record<string, number[]>;
  /** Matches that were killed or drained and had no move until the next fault. */
  silent: number;
}

/** Longer than a lease lasts. */
const PAUSE_MS = 8_000;
const CUT_MS = { from: 2_000, to: 8_000 };
const DOWN_MS = { from: 500, to: 4_000 };
const SLOW_MS = { from: 20, to: 200 };
/** How long an affected match may pause before it counts as silent. */
const WATCH_MS_MAX = 20_000;
const LOOK_AGAIN_MS = 20;

export const FAULTS: readonly Fault[] = [
  { name: 'kill', needsCluster: false, run: kill },
  { name: 'drain', needsCluster: false, run: drain },
  { name: 'pause', needsCluster: false, run: pause },
  { name: 'store cut', needsCluster: true, run: onStoreLine((line) => line.cut()) },
  { name: 'store held', needsCluster: true, run: onStoreLine((line) => line.hold()) },
  { name: 'store slow', needsCluster: true, run: storeSlow },
  { name: 'store crash', needsCluster: true, run: storeCrash },
  { name: 'promotion', needsCluster: true, run: promotion },
  { name: 'bus cut', needsCluster: true, run: onBusLines((line) => line.cut()) },
  { name: 'bus held', needsCluster: true, run: onBusLines((line) => line.hold()) },
  { name: 'bus slow', needsCluster: true, run: busSlow },
  { name: 'broker kill', needsCluster: true, run: brokerKill },
  { name: 'brokers gone', needsCluster: true, run: brokersGone },
  { name: 'kill and bus cut', needsCluster: true, run: killAndBusCut },
  // The baseline for the others: on a busy machine a move takes long even without a fault.
  { name: 'nothing', needsCluster: false, run: (scene) => Bun.sleep(downMs(scene)) },
];

/** Runs a fault and records when the matches continued. */
export async function strike(fault: Fault, scene: Scene): Promise<void> {
  const { counts, resumed } = scene.figures;
  counts[fault.name] = (counts[fault.name] ?? 0) + 1;
  const watch = scene.pulse.watch(scene.running());
  await fault.run(scene);
  const { times } = await settle(watch);
  resumed[fault.name] = [...(resumed[fault.name] ?? []), ...times];
}

async function settle(watch: Watch): Promise<ReturnType<Watch['stop']>> {
  const until = performance.now() + WATCH_MS_MAX;
  while (watch.isWaiting() && performance.now() < until) await Bun.sleep(LOOK_AGAIN_MS);
  return watch.stop();
}

function downMs({ chance }: Scene): number {
  return chance.between(DOWN_MS.from, DOWN_MS.to);
}

function cutMs({ chance }: Scene): number {
  return chance.between(CUT_MS.from, CUT_MS.to);
}

/** Sessions of a node; of one process all that run. */
async function ownedBy(scene: Scene, node: FleetNode): Promise<readonly string[]> {
  return scene.fleet.store === null ? scene.running() : await node.owned();
}

/** Only those that clients wait for: others affect no player. */
async function watchOwned(scene: Scene, node: FleetNode): Promise<readonly string[]> {
  const running = new Set(scene.running());
  return (await ownedBy(scene, node)).filter((session) => running.has(session));
}

async function kill(scene: Scene): Promise<void> {
  const node = scene.chance.pick(scene.fleet.nodes);
  const owned = await watchOwned(scene, node);
  const watch = scene.pulse.watch(owned);
  await node.kill();
  await Bun.sleep(downMs(scene));
  await node.start();
  await note(scene, watch, scene.figures.killed);
}

async function drain(scene: Scene): Promise<void> {
  const node = scene.chance.pick(scene.fleet.nodes);
  const owned = await watchOwned(scene, node);
  const watch = scene.pulse.watch(owned);
  const code = await node.stop();
  if (code !== 0) scene.found(`SIGTERM of ${node.name} ended with ${code}\n${node.log()}`);
  await Bun.sleep(downMs(scene));
  await node.start();
  await note(scene, watch, scene.figures.drained);
}

async function note(scene: Scene, watch: Watch, into: number[]): Promise<void> {
  const { times, missing } = await settle(watch);
  into.push(...times);
  scene.figures.silent += missing.length;
}

async function pause(scene: Scene): Promise<void> {
  const node = scene.chance.pick(scene.fleet.nodes);
  node.pause();
  await Bun.sleep(PAUSE_MS);
  node.resume();
}

type Line = NonNullable<FleetNode['storeLine']>;

function onStoreLine(act: (line: Line) => void): Fault['run'] {
  return async (scene) => {
    const line = scene.chance.pick(scene.fleet.nodes).storeLine!;
    act(line);
    await Bun.sleep(cutMs(scene));
    line.mend();
  };
}

async function storeSlow(scene: Scene): Promise<void> {
  const delayMs = scene.chance.between(SLOW_MS.from, SLOW_MS.to);
  const lines = scene.fleet.nodes.map((node) => node.storeLine!);
  for (const line of lines) line.slow(delayMs);
  await Bun.sleep(cutMs(scene));
  for (const line of lines) line.mend();
}

async function storeCrash({ fleet }: Scene): Promise<void> {
  await fleet.store!.crash();
}

async function promotion({ fleet }: Scene): Promise<void> {
  await fleet.store!.promote((port) => {
    for (const { storeLine } of fleet.nodes) storeLine!.leadTo(port);
  });
  await fleet.store!.renew();
}

function onBusLines(act: (line: Line) => void): Fault['run'] {
  return async (scene) => {
    const { busLines } = scene.chance.pick(scene.fleet.nodes);
    for (const line of busLines) act(line);
    await Bun.sleep(cutMs(scene));
    for (const line of busLines) line.mend();
  };
}

async function busSlow(scene: Scene): Promise<void> {
  const delayMs = scene.chance.between(SLOW_MS.from, SLOW_MS.to);
  const lines = scene.fleet.nodes.flatMap(({ busLines }) => busLines);
  for (const line of lines) line.slow(delayMs);
  await Bun.sleep(cutMs(scene));
  for (const line of lines) line.mend();
}

async function brokerKill(scene: Scene): Promise<void> {
  const brokers = scene.fleet.brokers!;
  const index = scene.chance.below(brokers.ports.length);
  await brokers.kill(index);
  await Bun.sleep(downMs(scene));
  await brokers.start(index);
}

async function brokersGone(scene: Scene): Promise<void> {
  const brokers = scene.fleet.brokers!;
  await Promise.all(brokers.ports.map((_, index) => brokers.kill(index)));
  await Bun.sleep(cutMs(scene));
  for (const index of brokers.ports.keys()) await brokers.start(index);
}

/** A node dies while another cannot be notified. */
async function killAndBusCut(scene: Scene): Promise<void> {
  const [first, second] = shuffled(scene);
  for (const line of second!.busLines) line.cut();
  await first!.kill();
  await Bun.sleep(cutMs(scene));
  await first!.start();
  for (const line of second!.busLines) line.mend();
}

function shuffled({ fleet, chance }: Scene): FleetNode[] {
  const nodes = [...fleet.nodes];
  const first = chance.below(nodes.length);
  const [taken] = nodes.splice(first, 1);
  return [taken!, chance.pick(nodes)];
}
