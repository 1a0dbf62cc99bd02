/** The in-process bus fulfils the contract, and breaks on demand. */

import { expect, test } from 'bun:test';
import { busContractSuite } from '../contract-suite.ts';
import { makeLocalNetwork, NO_FAULTS } from './local-bus.ts';

busContractSuite('local', async () => {
  const network = makeLocalNetwork({ after: (ms, run) => setTimeout(run, ms), chance: () => 0.5 });
  return { open: async (node) => network.open(node), close: async () => undefined };
});

/** Delays that are counted instead of waited for. */
function makeStage(chances: readonly number[]) {
  const waits: { readonly ms: number; readonly run: () => void }[] = [];
  let asked = 0;
  const network = makeLocalNetwork({
    after: (ms, run) => waits.push({ ms, run }),
    chance: () => chances[asked++ % chances.length]!,
  });
  const [a, b] = [network.open('a'), network.open('b')];
  const came: string[] = [];
  const nobody: string[] = [];
  b.onMessage((text) => void came.push(text));
  a.onNobody((node) => void nobody.push(node));
  const arrive = (): void => {
    for (const { run } of waits.splice(0).sort((x, y) => x.ms - y.ms)) run();
  };
  return { network, a, came, nobody, waits, arrive };
}

test('[BUS] local: texts are dropped, repeated and delayed at random', () => {
  const { network, a, came, waits, arrive } = makeStage([0.05, 0.5, 0.99]);
  network.setFaults({ drop: 0.1, repeat: 0.1, delayMinMs: 10, delayMaxMs: 19 });
  // Repeated; the first copy is delayed, the second is dropped.
  a.send('b', 'one');
  expect(waits.map(({ ms }) => ms)).toEqual([19]);
  arrive();
  expect(came).toEqual(['one']);
  network.setFaults({ ...NO_FAULTS, drop: 1 });
  a.send('b', 'two');
  expect(waits).toEqual([]);
});

test('[BUS] local: a cut-off node looks as if it were gone, and a cut link is silent', () => {
  const { network, a, came, nobody, arrive } = makeStage([0.5]);
  network.setUp('b', false);
  a.send('b', 'one');
  arrive();
  network.setUp('b', true);
  network.setCut('a', 'b', true);
  a.send('b', 'two');
  arrive();
  expect([came, nobody]).toEqual([[], ['b']]);
  network.setCut('a', 'b', false);
  network.setUp('a', false);
  expect(a.isUp()).toBe(false);
  a.send('b', 'three');
  network.setUp('a', true);
  a.send('b', 'four');
  arrive();
  expect([came, network.sent()]).toEqual([['four'], 3]);
});
