/** One run: a world from a plan, its course, and the violations found. */

import type { Store } from '../src/store/whole-store.ts';
import { makeKeyText } from '../src/tenancy/key-text.ts';
import type { ApiKey, Tenant } from '../src/tenancy/tenant.ts';
import { beginMatch, type Organizer } from './actors/matches.ts';
import type { Scene } from './actors/scene.ts';
import { type Backend, makeBackend } from './actors/tenant.ts';
import { checkEvents } from './check/events.ts';
import { checkFairness } from './check/fairness.ts';
import { checkGifts } from './check/gifts.ts';
import { type History, makeHistory } from './check/history.ts';
import { checkIsolation } from './check/isolation.ts';
import { checkLiveness } from './check/liveness.ts';
import { checkLogs } from './check/logs.ts';
import type { Past } from './check/past.ts';
import { checkRatings } from './check/ratings.ts';
import { checkTables } from './check/tables.ts';
import { checkTurnBound } from './check/turn-bound.ts';
import { type Chance, makeChance } from './kernel/chance.ts';
import { CATCH_UP_PACE } from './kernel/life.ts';
import { makeTimeline, SIMULATION_START, type Timeline } from './kernel/timeline.ts';
import { makeTrace } from './kernel/trace.ts';
import type { Mutant } from './mutants/mutant.ts';
import { type Fault, isCalm, type Plan } from './plan.ts';
import { openSimDatabase, type SimDatabase } from './store/database.ts';
import { makeSimStore } from './store/node-store.ts';
import { readStored, type StoredData } from './store/stored.ts';
import type { Wire } from './store/wire.ts';
import { makeCrew } from './world/crew.ts';
import { startNemesis } from './world/nemesis.ts';
import { makeNetwork } from './world/network.ts';
import { makeReceiver, type Receiver } from './world/receiver.ts';

export interface RunResult {
  readonly plan: Plan;
  /** The violations, each beginning with its invariant; empty for a good run. */
  readonly findings: readonly string[];
  /** Over everything that happened: the same for every run of the plan. */
  readonly hash: string;
  readonly events: number;
  readonly acks: number;
  readonly frames: number;
  readonly lastLines: readonly string[];
  /** A session's log, one line per record with its writer. */
  logOf(session: string): readonly string[];
}

/** For the tenants' plan in runs with the feature `limits`: low enough to be reached. */
const REQUESTS_PER_MINUTE = 60;
const ENOUGH_PER_MINUTE = 1_000_000;

/**
 * A player without a socket counts as connected for as long as the lease of a dead node lasts;
 * longer if a node may report a disconnection late, and longest if sockets break unnoticed. Ms.
 */
const ABSENT_MS_MAX = { usual: 7_000, late: 25_000, unseen: 90_000 };
const LATE_FAULTS: readonly Fault[] = [
  'lost',
  'unanswered',
  'late',
  'slow',
  'cut',
  'away',
  'pause',
];

function absentMsMax({ faults, isCluster }: Plan): number {
  const isLate = faults.some((each) => LATE_FAULTS.includes(each));
  // Writes of the embedded store are not retried: what it cannot write it will not be able to write
  // for long.
  if (isLate && !isCluster) return Infinity;
  if (faults.includes('halfOpen')) return ABSENT_MS_MAX.unseen;
  return isLate ? ABSENT_MS_MAX.late : ABSENT_MS_MAX.usual;
}

/** After the last fault every node has heard of it within this, ms. */
const CALMED_MS = 20_000;

/** For the data from before the run, and for the checks: without faults. */
const DIRECT: Wire = {
  send: (act, done) => void act().then((value) => done({ kind: 'answered', value })),
  call: (act) => act(),
  callOnTime: (act) => act(),
};

const AUDIT = { tenant: '', actor: 'cli', act: 'simulated', object: '', at: 0 };

export function runPlan(
  plan: Plan,
  mutant: Mutant | null = null,
  database: SimDatabase = openSimDatabase(),
): RunResult {
  const chance = makeChance(plan.seed);
  const timeline = makeTimeline();
  const trace = makeTrace(timeline.now, SIMULATION_START);
  const { watch } = database;
  const history = makeHistory(watch.sessions, timeline.now, absentMsMax(plan));
  const endsAt = SIMULATION_START + plan.activeMs;
  const receiver = makeReceiver(timeline, chance.fork('receiver'));
  const network = makeNetwork({ timeline, chance: chance.fork('network'), sent: history.sent });
  const crew = makeCrew({
    plan,
    timeline,
    chance,
    trace,
    database,
    history,
    receiver,
    mutant,
    isCalm: () => isCalm(plan) || timeline.now() > endsAt + CALMED_MS,
  });
  const { now } = timeline;
  database.begin({ now, added: history.added, owned: crew.owners.owned });
  const { balance, isUp, has: holds } = crew;
  const scene = makeScene(
    { plan, timeline, network, history, trace, balance, isUp, holds },
    endsAt,
  );
  const isolation = checkIsolation(history);
  const { store } = makeSimStore({ database, wire: DIRECT, node: 'nobody', clock: null });
  const organizers = makeTenants(scene, chance, store, isolation.look);
  if (scene.has('webhooks')) addWebhooks(store, organizers);
  timeline.settle();
  crew.start();
  const deeds = startNemesis({
    timeline,
    chance: chance.fork('nemesis'),
    trace,
    endsAt,
    receiver,
    bus: crew.bus,
    faults: plan.faults,
    wires: crew.wires,
    nodeAt: crew.nodeAt,
  });
  beginMatches(scene, chance.fork('matches'), organizers);
  play(scene, history, endsAt, () => crew.heal());
  const backends = organizers.map(({ backend }) => backend);
  if (history.findings.length === 0) {
    const past = { ...crew.lives, ...deeds, endedAt: timeline.now() };
    const kept = nowOf(
      timeline,
      readStored({ database, store, present: crew.present(), found: history.found }),
    );
    finish({ kept, history, backends, receiver }, scene, organizers);
    if (history.findings.length === 0) checkClocks(past, kept, scene);
  }
  return {
    plan,
    findings: history.findings,
    hash: trace.hash(),
    events: timeline.events(),
    ...history.counts,
    lastLines: trace.lines(),
    logOf: (id) => (watch.sessions.get(id)?.log ?? []).map(({ by, text }) => `${by} ${text}`),
  };
}

function makeScene(parts: Omit<Scene, 'has' | 'isActive' | 'sleep'>, endsAt: number): Scene {
  const { plan, timeline } = parts;
  const chosen = new Set<string>([...plan.faults, ...plan.features]);
  return {
    ...parts,
    has: (name) => chosen.has(name),
    isActive: () => timeline.now() < endsAt,
    sleep: (ms) => new Promise((resolve) => timeline.after(ms, resolve)),
  };
}

/** Reported immediately. */
function nowOf<T>({ settle }: Timeline, told: Promise<T>): T {
  let value: T | undefined;
  let error: unknown = new Error('the database is not read at once');
  told.then(
    (is) => {
      value = is;
      error = null;
    },
    (is: unknown) => {
      error = is;
    },
  );
  settle();
  if (error !== null) throw error;
  return value as T;
}

/** Faults until `endsAt`, then rest; a finding ends it. */
function play({ plan, timeline }: Scene, history: History, endsAt: number, heal: () => void): void {
  const isOver = (): boolean => history.findings.length > 0;
  timeline.runUntil(endsAt, isOver);
  heal();
  timeline.runUntil(endsAt + plan.quietMs, isOver);
}

function finish(
  state: {
    readonly kept: StoredData;
    readonly history: History;
    readonly backends: readonly Backend[];
    readonly receiver: Receiver;
  },
  scene: Scene,
  organizers: readonly Organizer[],
): void {
  checkLogs(state.kept, state.history);
  // An error in a log is reported: the other checks could not even follow it.
  if (state.history.findings.length > 0) return;
  checkEvents(state.kept, state.history);
  checkRatings(state.kept, state.history);
  checkTables({ ...state, requestsPerMinute: requestsPerMinute(scene) });
  checkLiveness(state.kept, scene, organizers, state.receiver);
}

/** P6, by the three guarantees about clocks. */
function checkClocks(past: Past, kept: StoredData, { history, plan, has }: Scene): void {
  const areRight = !has('skew') && !has('jumps');
  // A single process has no heartbeats: it does not notice an outage during which no call waits.
  const noticed = plan.isCluster ? past : { ...past, outages: [], silences: [] };
  if (areRight) checkFairness(kept, noticed, history);
  const pace = has('jumps') ? CATCH_UP_PACE : 1;
  checkTurnBound({ ...kept, past, history, areClocksRight: areRight, pace });
  checkGifts(kept, past, areRight, history);
}

function requestsPerMinute(scene: Scene): number {
  return scene.has('limits') ? REQUESTS_PER_MINUTE : ENOUGH_PER_MINUTE;
}

function makeTenants(
  scene: Scene,
  chance: Chance,
  store: Store,
  look: (tenant: string, text: string) => void,
): Organizer[] {
  let names = 0;
  return Array.from({ length: scene.plan.tenants }, (_, index): Organizer => {
    const mine = chance.fork(`tenant ${index}`);
    const id = `ten_${index}`;
    const tenant: Tenant = {
      id,
      slug: id,
      name: id,
      plan: 'enterprise',
      active: true,
      createdAt: 0,
      limits: { requestsPerMinute: requestsPerMinute(scene) },
    };
    void store.createTenant(tenant, AUDIT);
    const made = makeKeyText('live', mine.bytes);
    const key: ApiKey = {
      id: `key_${index}`,
      tenant: id,
      mode: 'live',
      name: '',
      origins: [],
      hint: made.hint,
      scopes: null,
      requireOrigin: false,
      createdAt: 0,
      expiresAt: null,
      revokedAt: null,
      lastUsedAt: null,
    };
    void store.createKey(key, { id: made.id, hash: made.hash }, AUDIT);
    const apiKey = made.text;
    return {
      scene,
      chance: mine,
      players: [],
      lobbies: [],
      backend: makeBackend({ scene, chance: mine.fork('backend'), tenant: id, apiKey, look }),
      name() {
        names += 1;
        return `p${names}`;
      },
    };
  });
}

function addWebhooks(store: Store, organizers: readonly Organizer[]): void {
  for (const [index, { backend }] of organizers.entries()) {
    const webhook = {
      id: `whk_${index}`,
      tenant: backend.tenant,
      mode: 'live' as const,
      url: `https://t${index}.example.com/`,
      description: '',
      types: [],
      createdAt: 0,
      secrets: [{ text: `whsec_${'simulate'.repeat(4)}`, expiresAt: null }],
    };
    void store.createWebhook({ webhook, webhooksMax: 1, audit: AUDIT, idempotency: null });
  }
}

function beginMatches(scene: Scene, chance: Chance, organizers: readonly Organizer[]): void {
  for (let i = 0; i < scene.plan.matches; i++) {
    const organizer = chance.pick(organizers);
    scene.timeline.after(chance.fraction() * scene.plan.activeMs * 0.8, () => {
      void beginMatch(organizer);
    });
  }
}
