/** What both platforms promise about slow HTTP clients; takes as long as the limits are. */

import assert from 'node:assert/strict';
import { HEAD_TIMEOUT_S } from '../platform.ts';
import { RawClient } from './raw-client.ts';
import { type Case, onStage, urlOf } from './stage.ts';
import { pass } from './until.ts';

/** Both runtimes look at their clocks every few seconds. */
const GRANULARITY_S = 5;

export const slowCases: readonly Case[] = [
  {
    name: '[PLAT] a head that drips in is cut off, an answer that takes longer is not',
    run: (platform) =>
      onStage(
        platform,
        {
          async fetch() {
            await pass((HEAD_TIMEOUT_S + GRANULARITY_S) * 1000);
            return new Response('late');
          },
        },
        async (stage) => {
          const slow = fetch(urlOf(stage, '/'));
          const dripping = new RawClient(stage.port);
          dripping.write('GET / HTTP/1.1\r\nHost: x\r\nX-Long: ');
          const drip = setInterval(() => dripping.write('a'), 500);
          await pass((HEAD_TIMEOUT_S + GRANULARITY_S) * 1000 - 500);
          clearInterval(drip);
          assert.notEqual(dripping.end, 'open');
          assert.equal(await (await slow).text(), 'late');
        },
      ),
  },
];
