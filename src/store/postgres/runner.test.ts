/** Which asks of scripts share a transaction. */

import { expect, test } from 'bun:test';
import { type Script, scriptOfOne } from '../scripts/script.ts';
import type { Database } from './database.ts';
import { makeRunner } from './runner.ts';
import type { Tx } from './sql.ts';

const TX: Tx = {
  all: async () => [],
  get: async () => undefined,
  run: async () => 0,
  emit() {},
  auditKeys: () => [],
};

/** Answers what each transaction was asked to run. */
function openRunner() {
  const ran: string[] = [];
  const transaction: Database['transaction'] = async (run) => {
    const asks: string[] = [];
    const result = await run({
      ...TX,
      run: async (text) => asks.push(text),
    });
    ran.push(asks.join(' '));
    return result;
  };
  return { ran, runner: makeRunner({ ...TX, transaction, close: async () => {} }) };
}

const ASKS = ['a', 'b', 'c', 'd', 'e'];

test('[STORE-N] asks of a script that does them one by one have a transaction each', async () => {
  const { ran, runner } = openRunner();
  const script = scriptOfOne('alone', async (tx, ask: string) => {
    await tx.run(ask);
    return `did ${ask}`;
  });
  const answers = await Promise.all(ASKS.map((ask) => runner.write(script, ask)));
  expect(answers).toEqual(ASKS.map((ask) => `did ${ask}`));
  expect(ran.toSorted()).toEqual(ASKS);
});

test('[STORE-N] asks of a script that does them together share transactions', async () => {
  const { ran, runner } = openRunner();
  const script: Script<string, string> = {
    name: 'together',
    async act(tx, asks) {
      for (const ask of asks) await tx.run(ask);
      return asks.map((ask) => `did ${ask}`);
    },
  };
  const answers = await Promise.all(ASKS.map((ask) => runner.write(script, ask)));
  expect(answers).toEqual(ASKS.map((ask) => `did ${ask}`));
  expect(ran.length).toBeLessThan(ASKS.length);
  expect(ran.join(' ').split(' ').toSorted()).toEqual(ASKS);
});
