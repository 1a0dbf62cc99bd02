/** A node's work for its players in sessions of other nodes, in any order of messages. */

import { expect, test } from 'bun:test';
import { makeManualClock } from '../testing/manual-clock.ts';
import { makeProbe, mark } from '../testing/matches/match-world.ts';
import { makeEdge } from './edge.ts';
import type { ForEdge, Item } from './messages.ts';
import { makeOutbox } from './outbox.ts';

const OWNER = 'nod_owner';
const ID = 'ses_there';

function openEdge() {
  const clock = makeManualClock();
  const items: Item[] = [];
  const redone: string[] = [];
  const outbox = makeOutbox((_, some) => void items.push(...some));
  const edge = makeEdge({
    outbox,
    clock,
    resend: (_, commands) => void redone.push(...commands.map(({ id }) => id)),
  });
  return { edge, clock, items, redone, probe: makeProbe(0) };
}

const LOST: ForEdge = { t: 'lost', p: [1] };
const refused: ForEdge = { t: 'attached', p: 1, answer: { kind: 'not_mine' } };
const letIn: ForEdge = { t: 'attached', p: 1, answer: { kind: 'done', v: 0 } };

/** What arrives at once, before any caller that waits for an answer gets its turn. */
const AT_ONCE: Record<string, (edge: ReturnType<typeof makeEdge>) => void> = {
  'the death of the node, heard of twice': (edge) => {
    edge.linkLost(OWNER);
    edge.linkLost(OWNER);
  },
  'a refusal, and that there is no slot': (edge) => {
    edge.receive(OWNER, refused);
    edge.receive(OWNER, LOST);
  },
  'that there is no slot, and a late answer': (edge) => {
    edge.receive(OWNER, LOST);
    edge.receive(OWNER, letIn);
  },
};

for (const [what, happen] of Object.entries(AT_ONCE)) {
  test(`[N1] a subscriber that waits for its attach gets one answer: ${what}`, async () => {
    const { edge, probe, redone, items } = openEdge();
    const reply = edge.attach(OWNER, ID, probe);
    edge.play(edge.slotOf(probe)!, mark(4));
    happen(edge);
    // Otherwise they would attach twice, and be shown everything twice.
    expect(probe.losses).toBe(0);
    expect(edge.slotOf(probe)).toBeUndefined();
    expect((await reply).kind).not.toBe('done');
    expect(redone).toEqual(['m4']);
    expect(items.map(({ t }) => t)).not.toContain('play');
  });
}

test('[N1] a command sent before its player is attached is forwarded afterwards, and its answer is shown', async () => {
  const { edge, probe, items, redone } = openEdge();
  const reply = edge.attach(OWNER, ID, probe);
  const slot = edge.slotOf(probe)!;
  edge.play(slot, mark(4));
  edge.play(slot, mark(5));
  await Promise.resolve();
  expect(items.map(({ t }) => t)).toEqual(['attach']);
  edge.receive(OWNER, letIn);
  expect((await reply).kind).toBe('done');
  const sent = items.map((item) => (item.t === 'play' ? item.command.id : item.t));
  expect(sent).toEqual(['attach', 'm4', 'm5']);
  const answered = { p: 1, s: ID, id: 'm4', told: { kind: 'done', v: 4 }, update: -1 } as const;
  edge.receive(OWNER, { t: 'frames', p: [1], texts: [], answered });
  expect(probe.take()).toMatchObject([{ t: 'ack', id: 'm4' }]);
  edge.linkLost(OWNER);
  expect(redone).toEqual(['m5']);
});

test('[N1] a connected player who loses the seat is notified, and pending requests are sent again', async () => {
  const { edge, probe, redone } = openEdge();
  const reply = edge.attach(OWNER, ID, probe);
  edge.receive(OWNER, letIn);
  expect((await reply).kind).toBe('done');
  edge.play(edge.slotOf(probe)!, mark(4));
  edge.linkLost(OWNER);
  edge.linkLost(OWNER);
  expect([probe.losses, redone]).toEqual([1, ['m4']]);
});

test('[P3][N1] a subscriber requests no state until it is attached: that state would not show its own connection', async () => {
  const { edge, probe, items } = openEdge();
  const statesAsked = () => items.filter(({ t }) => t === 'state').length;
  const reply = edge.attach(OWNER, ID, probe);
  edge.askState(edge.slotOf(probe)!, 5);
  await Promise.resolve();
  expect(statesAsked()).toBe(0);
  edge.receive(OWNER, letIn);
  await reply;
  edge.askState(edge.slotOf(probe)!, undefined);
  await Promise.resolve();
  expect(statesAsked()).toBe(1);
});

test('[N1] an owner that does not answer counts as lost, and a late answer is ignored', async () => {
  const { edge, clock, probe, items } = openEdge();
  const reply = edge.attach(OWNER, ID, probe);
  clock.advance(1_000);
  expect(await reply).toEqual({ kind: 'lost' });
  edge.receive(OWNER, letIn);
  expect([probe.losses, edge.slotOf(probe)]).toEqual([0, undefined]);
  await Promise.resolve();
  expect(items.map(({ t }) => t)).toEqual(['attach', 'detach']);
});
