/** What a program sees over a stream: its bot's sessions, a few at a time when there are many. */

import { beforeEach, expect, test } from 'bun:test';
import type { World } from '../../testing/matches/match-world.ts';
import {
  connect,
  createSession,
  mark,
  openWorld,
  play,
  settle,
} from '../../testing/matches/match-world.ts';
import type { BotStream, BotStreams } from './bot-streams.ts';
import { makeBotStreams } from './bot-streams.ts';

const ROSA = { tenant: 'ten_a', mode: 'live', playerId: 'rosa' } as const;
/** States made in one batch. */
const AT_ONCE = 16;
const MANY = 40;

let world: World;
let streams: BotStreams;
let listed: string[];
/** States made since the clock last moved. */
let made = 0;

beforeEach(async () => {
  world = await openWorld();
  listed = [];
  made = 0;
  streams = makeBotStreams({
    host: {
      ...world.host,
      stateFor(...args) {
        made += 1;
        return world.host.stateFor(...args);
      },
    },
    clock: world.clock,
    store: { listOpenSessionsOf: async () => listed },
    onError(error) {
      throw error;
    },
  });
});

/** A match of ann, who is connected, and rosa, who is played by a program or at a level. */
async function seatRosa(id: string, level?: 'hard') {
  await createSession(world, id, { taken: [0] });
  const ann = await connect(world, id, 0);
  world.host.run(id, {
    command: () => ({ kind: 'join', bot: true, ...(level && { level }) }),
    roster: ({ roster }) => [roster[0]!, { id: ROSA.playerId, displayName: null }],
    done: () => undefined,
  });
  await settle();
  listed.push(id);
  return ann;
}

async function seatMany(): Promise<void> {
  for (let n = 0; n < MANY; n += 1) await seatRosa(`ses_${n}`);
}

/** Lets a number of turns pass; returns the most states made in one of them. */
async function mostInOneGo(isOver: () => boolean): Promise<number> {
  let most = 0;
  for (let turns = 0; turns < 100; turns += 1) {
    made = 0;
    world.clock.advance(1);
    await settle();
    const isEnough = isOver();
    most = Math.max(most, made);
    if (isEnough) break;
  }
  return most;
}

async function open(): Promise<BotStream> {
  let stream: BotStream | null = null;
  const opening = streams.open(ROSA).then((opened) => {
    stream = opened;
  });
  await settle();
  await mostInOneGo(() => stream !== null);
  await opening;
  return stream!;
}

const sessionOf = (text: string): string => JSON.parse(text).s;

test('[B3] a stream of a bot in many matches makes their states a few at a time', async () => {
  await seatMany();
  let stream: BotStream | null = null;
  void streams.open(ROSA).then((opened) => {
    stream = opened;
  });
  await settle();
  expect(made).toBe(AT_ONCE);
  expect(await mostInOneGo(() => stream !== null)).toBe(AT_ONCE);
  const { sessions, states } = stream! as BotStream;
  expect(sessions).toEqual(listed);
  expect(states.map(({ session }) => session)).toEqual(listed);
});

test('[B3] what happens while the states are made is in them, or follows them', async () => {
  await seatMany();
  const ann = await connect(world, 'ses_0', 0);
  const late = await connect(world, 'ses_39', 0);
  let stream: BotStream | null = null;
  void streams.open(ROSA).then((opened) => {
    stream = opened;
  });
  await settle();
  await play(world, 'ses_0', ann, mark(4));
  await play(world, 'ses_39', late, mark(4));
  await mostInOneGo(() => stream !== null);
  const { states, next } = stream! as BotStream;
  const last = JSON.parse(states.find(({ session }) => session === 'ses_39')!.text);
  expect(last).toMatchObject({ turn: 1 });
  expect(next()!.map((text) => JSON.parse(text))).toMatchObject([
    { t: 'update', s: 'ses_0', turn: 1 },
  ]);
});

test('[B3] a reader that has fallen behind gets whole states, a few at a time', async () => {
  await seatMany();
  const stream = await open();
  flood('ses_0');
  let wakes = 0;
  made = 0;
  const told = [...stream.next()!];
  expect(told.length).toBe(AT_ONCE);
  const stop = stream.wait(() => {
    wakes += 1;
  });
  // Other work gets its turn: neither another request nor more updates bring the rest at once.
  expect(stream.next()).toEqual([]);
  world.host.relay('ses_0', () => '{"t":"emote","s":"ses_0"}');
  expect([wakes, made]).toEqual([0, AT_ONCE]);
  world.clock.advance(1);
  await settle();
  expect(wakes).toBe(1);
  stop();
  const most = await mostInOneGo(() => {
    told.push(...stream.next()!);
    return told.length > MANY;
  });
  expect(most).toBeLessThanOrEqual(AT_ONCE);
  expect(told.filter((text) => text.startsWith('{"t":"state"')).map(sessionOf)).toEqual(listed);
  expect(stream.wait(() => expect.unreachable())).toBeFunction();
});

/** More texts of that session than are stored for a reader. */
function flood(session: string): void {
  for (let n = 0; n < 20; n += 1) world.host.relay(session, () => `"${'x'.repeat(30_000)}"`);
}

/** Everything that comes, until there is no more. */
async function readAll(stream: BotStream): Promise<Record<string, unknown>[]> {
  const texts: string[] = [];
  for (let turns = 0; turns < 10; turns += 1) {
    texts.push(...stream.next()!);
    world.clock.advance(1);
    await settle();
  }
  return texts.map((text) => JSON.parse(text));
}

const leave = { kind: 'resign', id: 'r1' } as const;

for (const when of ['before', 'after'] as const) {
  test(`[B3] a stream that overflows ${when} an end was sent to all reports that end in a whole state`, async () => {
    const ann = await seatRosa('ses_over');
    await seatRosa('ses_on');
    const stream = await open();
    await play(world, 'ses_over', ann, leave);
    world.host.detach('ses_over', ann);
    if (when === 'before') flood('ses_on');
    world.clock.advance(1);
    await settle();
    if (when === 'after') flood('ses_on');
    expect(await readAll(stream)).toMatchObject([
      { t: 'state', s: 'ses_over', status: 'ended', result: { winners: ['rosa'] } },
      { t: 'state', s: 'ses_on', status: 'active' },
    ]);
    // Once it has been sent it is stored for no reader.
    expect(world.host.size()).toBe(1);
    flood('ses_on');
    expect(await readAll(stream)).toMatchObject([{ t: 'state', s: 'ses_on' }]);
  });
}

test('[B3] an end in a dropped whole state is sent again', async () => {
  const ann = await seatRosa('ses_over');
  await seatRosa('ses_on');
  listed = ['ses_on'];
  const stream = await open();
  await play(world, 'ses_over', ann, leave);
  // It ended before this node showed it.
  listed = ['ses_over'];
  streams.catchUp();
  await settle();
  world.clock.advance(1);
  flood('ses_on');
  expect(await readAll(stream)).toMatchObject([
    { t: 'state', s: 'ses_on' },
    { t: 'state', s: 'ses_over', status: 'ended' },
  ]);
});

test('[B3] an ended match leaves the stream with its end', async () => {
  const ann = await seatRosa('ses_over');
  const stream = await open();
  await play(world, 'ses_over', ann, leave);
  world.host.detach('ses_over', ann);
  expect((await readAll(stream)).at(-1)).toMatchObject({ t: 'over', s: 'ses_over' });
  expect(world.host.size()).toBe(0);
});

test('[B3] the stream of a reader who reads no ends is closed before they fill the memory', async () => {
  const stream = await open();
  let ended = 0;
  while (ended < 300) {
    const id = `ses_${ended}`;
    const ann = await seatRosa(id);
    listed = [id];
    streams.catchUp();
    await settle();
    await play(world, id, ann, leave);
    world.host.detach(id, ann);
    ended += 1;
  }
  expect(stream.next()).toBeNull();
  stream.close();
  world.clock.advance(60_000);
  await world.host.maintain();
  await settle();
  expect(world.host.size()).toBe(0);
});

test('[B3] sessions without a notification are also shown a few at a time', async () => {
  const stream = await open();
  await seatMany();
  streams.catchUp();
  await settle();
  expect(made).toBe(AT_ONCE);
  const told = [...stream.next()!];
  const most = await mostInOneGo(() => {
    told.push(...stream.next()!);
    return told.length === MANY;
  });
  expect(most).toBe(AT_ONCE);
  expect(told.map(sessionOf)).toEqual(listed);
});

test('[B3][E4] a seat played by the service is shown to no program', async () => {
  await seatRosa('ses_theirs');
  await seatRosa('ses_ours', 'hard');
  const stream = await open();
  expect(stream.sessions).toEqual(['ses_theirs']);
  streams.catchUp();
  await settle();
  expect(stream.next()).toEqual([]);
});
