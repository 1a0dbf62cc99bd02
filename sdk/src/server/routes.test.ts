/** Every route of the API is reachable by a method of the SDK. */

import { expect, test } from 'bun:test';
import openApi from '../../../openapi.json' with { type: 'json' };
import { makeMatchd } from './matchd.ts';
import { systemPorts } from './ports.ts';

/** One event for readers of events; the end for a reader of frames. */
const LINES = 'id: evt_1\ndata: {}\n\n';

/** Sends nothing: notes the request, and returns a response that every reader can end with. */
function makeRecorder() {
  const asked: string[] = [];
  const matchd = makeMatchd(
    { url: 'http://x', key: 'k' },
    {
      ...systemPorts,
      fetch: (url, { method }) => {
        asked.push(`${method} ${new URL(url).pathname}`);
        const body = { data: [], groups: [], nextCursor: null };
        const isStream = url.includes('/stream');
        return Promise.resolve(new Response(isStream ? LINES : JSON.stringify(body)));
      },
    },
  );
  return { matchd, asked };
}

/** Calls every method once with texts for its ids, and reads the first page or line of lists. */
async function callAll(group: Readonly<Record<string, unknown>>): Promise<void> {
  for (const each of Object.values(group)) {
    if (typeof each !== 'function') {
      await callAll(each as Readonly<Record<string, unknown>>);
      continue;
    }
    const made: unknown = each('id', 'id', 'id');
    if (made instanceof Promise) await made;
    else if ('page' in (made as object)) await (made as { page(): Promise<unknown> }).page();
    else
      await (made as AsyncIterable<unknown>)
        [Symbol.asyncIterator]()
        .next()
        .catch(() => {});
  }
}

test('[H10] every route of openapi.json is reachable by a method', async () => {
  const { matchd, asked } = makeRecorder();
  await callAll(matchd);
  const missing = Object.entries(openApi.paths).flatMap(([path, methods]) =>
    Object.keys(methods)
      .map((method) => `${method.toUpperCase()} ${path}`)
      .filter((route) => {
        const pattern = new RegExp(`^${route.replace(/\{\w+\}/g, 'id')}$`);
        return !asked.some((each) => pattern.test(each));
      }),
  );
  expect(missing).toEqual([]);
});

test('[M1] a ticket requested in the older form is refused with the current form, and nothing is sent', () => {
  const { matchd, asked } = makeRecorder();
  const createTicket = matchd.hosted.createTicket as (query: unknown) => unknown;
  expect(() => createTicket({ game: 'ludo', capacity: 2 })).toThrow(
    "createTicket takes the game first: createTicket('ludo', { capacity })",
  );
  expect(asked).toEqual([]);
});
