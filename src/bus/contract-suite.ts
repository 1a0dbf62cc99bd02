/** The contract of `bus.ts` as tests that every implementation runs, without faults. */

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { BUS_TEXT_MAX, type Bus } from './bus.ts';

export interface BusNetwork {
  /** A node's bus, once it is up. */
  open(node: string): Promise<Bus>;
  close(): Promise<void>;
}

const WAIT_MS = 5_000;
const POLL_MS = 5;

async function until(isSo: () => boolean): Promise<void> {
  const end = performance.now() + WAIT_MS;
  while (!isSo()) {
    if (performance.now() > end) throw new Error(`not so after ${WAIT_MS} ms: ${isSo}`);
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

interface Heard {
  readonly bus: Bus;
  readonly texts: string[];
  readonly nobody: string[];
}

function listen(bus: Bus): Heard {
  const heard: Heard = { bus, texts: [], nobody: [] };
  bus.onMessage((text) => void heard.texts.push(text));
  bus.onNobody((node) => void heard.nobody.push(node));
  return heard;
}

type Run = (open: (node: string) => Promise<Heard>) => Promise<void>;

const CASES: Readonly<Record<string, Run>> = {
  async 'what is sent to a node comes to it and to nobody else'(open) {
    const [a, b, c] = [await open('nod_a'), await open('nod-b'), await open('nod_c')];
    a.bus.send('nod-b', 'to b');
    b.bus.send('nod_a', 'é\u{1F600}"\\\n');
    await until(() => a.texts.length > 0 && b.texts.length > 0);
    expect([a.texts, b.texts, c.texts]).toEqual([['é\u{1F600}"\\\n'], ['to b'], []]);
    expect([a.bus.isUp(), a.nobody]).toEqual([true, []]);
  },
  async 'a thousand texts come, and in order, when nothing is broken'(open) {
    const [a, b] = [await open('a'), await open('b')];
    const texts = Array.from({ length: 1_000 }, (_, at) => `${at}`);
    for (const text of texts) a.bus.send('b', text);
    await until(() => b.texts.length === 1_000);
    expect(b.texts).toEqual(texts);
  },
  async 'a text as long as can be is carried, a longer one is dropped'(open) {
    const [a, b] = [await open('a'), await open('b')];
    a.bus.send('b', 'x'.repeat(BUS_TEXT_MAX + 1));
    a.bus.send('b', 'é'.repeat(BUS_TEXT_MAX / 2 + 1));
    a.bus.send('b', 'é'.repeat(BUS_TEXT_MAX / 2));
    await until(() => b.texts.length > 0);
    expect(b.texts).toEqual(['é'.repeat(BUS_TEXT_MAX / 2)]);
    expect(a.bus.carries('é'.repeat(BUS_TEXT_MAX / 2))).toBe(true);
    expect(a.bus.carries('é'.repeat(BUS_TEXT_MAX / 2 + 1))).toBe(false);
  },
  async 'who sends to a node that is not there is told, and so when it has left'(open) {
    const [a, b] = [await open('a'), await open('b')];
    a.bus.send('z', 'text');
    await until(() => a.nobody.length > 0);
    await b.bus.close();
    await until(() => {
      a.bus.send('b', 'text');
      return a.nobody.length > 1;
    });
    expect(a.nobody.slice(0, 2)).toEqual(['z', 'b']);
  },
  async 'a bus that is closed is down, and takes texts without a word'(open) {
    const [a, b] = [await open('a'), await open('b')];
    await a.bus.close();
    await a.bus.close();
    expect(a.bus.isUp()).toBe(false);
    a.bus.send('b', 'text');
    // The network may notice a little later.
    await until(() => {
      b.bus.send('a', 'text');
      return b.nobody.length > 0;
    });
    expect([a.texts, b.texts]).toEqual([[], []]);
  },
};

/** Registers the suite. Every case has a network of its own. */
export function busContractSuite(name: string, connect: () => Promise<BusNetwork>): void {
  let network: BusNetwork;
  beforeEach(async () => {
    network = await connect();
  });
  afterEach(() => network.close());
  for (const [title, run] of Object.entries(CASES)) {
    test(`[BUS] ${name}: ${title}`, () => run(async (node) => listen(await network.open(node))));
  }
}
