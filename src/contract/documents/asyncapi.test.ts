/** asyncapi.json against what it describes: frames, examples, closes, events. */

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Numbers } from '../../../sdk/src/frames/compact.ts';
import { shorten, spellOut } from '../../../sdk/src/frames/compact.ts';
import { VERSION } from '../../build.ts';
import { findGame } from '../../games/registry.ts';
import { REJECT_CODES } from '../../match/decide.ts';
import { SOCKET_PATH } from '../../socket/socket-service.ts';
import { ERRORS, HANDSHAKE_ERRORS } from '../errors.ts';
import type { CompactName } from '../frames/compact-frames.ts';
import { COMPACT } from '../frames/compact-frames.ts';
import { serverFrame } from '../frames/server-frames.ts';
import { CLOSE, clientFrame, OWN_CLOSE } from '../messages.ts';
import { ROUTES } from '../routes/routes.ts';
import { EVENT_TYPES } from '../values.ts';
import { makeAsyncApi } from './asyncapi.ts';
import { CLIENT_EXAMPLES, COMPACT_EXAMPLES, SERVER_EXAMPLES } from './asyncapi-examples.ts';
import { SOCKET_ADDRESS, STREAM_ADDRESS } from './asyncapi-parts.ts';

interface Channel {
  readonly messages: Readonly<Record<string, { readonly $ref: string }>>;
  readonly 'x-handshake-errors': readonly HandshakeError[];
  readonly 'x-close-codes': readonly { readonly code: number; readonly means: string }[];
  readonly 'x-reject-codes': Readonly<Record<string, string>>;
}

interface HandshakeError {
  readonly code: string;
  readonly status: number;
  readonly message: string;
}

interface Written {
  readonly channels: Readonly<Record<'socket' | 'socketV2' | 'eventStream' | 'webhook', Channel>>;
  readonly operations: Readonly<Record<string, { readonly action: string }>>;
}

const written = JSON.parse(JSON.stringify(makeAsyncApi(VERSION))) as Written;

test('[H10] asyncapi.json is up to date with the contract', () => {
  const file = join(import.meta.dirname, '../../../asyncapi.json');
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(written);
});

test('[H10] every reference can be resolved', () => {
  const refs = JSON.stringify(written).match(/"#\/[^"]+"/g)!;
  expect(refs.length).toBeGreaterThan(100);
  for (const ref of new Set(refs)) {
    const steps = (JSON.parse(ref) as string).slice(2).split('/');
    const found = steps.reduce<unknown>((at, step) => Reflect.get(Object(at), step), written);
    expect([ref, typeof found]).toEqual([ref, 'object']);
  }
});

test('[P3] every frame is described, received or sent, with a valid example', () => {
  const { messages } = written.channels.socket;
  const client = clientFrame.options.map((schema) => schema.shape.t.value);
  const server = serverFrame.options.map((schema) => schema.shape.t.value);
  expect(Object.keys(messages)).toEqual([
    ...client.map((t) => `client.${t}`),
    ...server.map((t) => `server.${t}`),
  ]);
  for (const t of client) {
    expect(written.operations[`receive.${t}`]?.action).toBe('receive');
    expect(clientFrame.parse(CLIENT_EXAMPLES[t])).toEqual(CLIENT_EXAMPLES[t]);
  }
  for (const t of server) {
    expect(written.operations[`send.${t}`]?.action).toBe('send');
    expect(serverFrame.parse(SERVER_EXAMPLES[t])).toEqual(SERVER_EXAMPLES[t]);
  }
});

test('[P12] every compact frame is described, with an example equivalent to that of matchd.v1', () => {
  const names = Object.keys(written.channels.socketV2.messages);
  expect(names.filter((name) => name.startsWith('compact.'))).toEqual(
    Object.keys(COMPACT).map((name) => `compact.${name}`),
  );
  expect(names).not.toContain('server.state');
  for (const [name, schema] of Object.entries(COMPACT)) {
    const example = COMPACT_EXAMPLES[name as CompactName];
    expect<unknown>(schema.parse(example)).toEqual(example);
  }
  const { state, update, over, ticks, act, in: input } = COMPACT_EXAMPLES;
  const numbers: Numbers = new Map();
  const { v: _, ...shown } = SERVER_EXAMPLES.state;
  const before = { ...shown, v: 3, base: (state as { base: number }).base, n: 0 };
  const view = { board: Array(9).fill(null) };
  const legal = Array.from({ length: 9 }, (_, position) => ({ position }));
  spellOut(numbers, { ...before, view, legal });
  expect(spellOut(numbers, update)).toEqual([SERVER_EXAMPLES.ack, SERVER_EXAMPLES.update]);
  expect(spellOut(numbers, over)).toEqual([SERVER_EXAMPLES.over]);
  expect(shorten(numbers, CLIENT_EXAMPLES.act)).toEqual(act);
  const fight = SERVER_EXAMPLES.ticks.s;
  spellOut(numbers, { ...before, s: fight });
  expect(spellOut(numbers, ticks)).toEqual([SERVER_EXAMPLES.ticks]);
  expect(shorten(new Map([[0, numbers.get(0)!]]), CLIENT_EXAMPLES.in)).toEqual(input);
});

test('[P3] the examples show the board as the game does', () => {
  const game = findGame('tictactoe')!;
  const opening = game.initial({ variant: 'standard', seats: 2, options: {} } as never);
  const action = game.parseAction(CLIENT_EXAMPLES.act.action)!;
  const applied = game.apply(opening, 0, action, null as never);
  if (!('state' in applied)) throw new Error('The example is no move');
  expect(SERVER_EXAMPLES.update.view).toEqual(game.view(applied.state, 0));
  expect(SERVER_EXAMPLES.update.legal).toEqual([...game.legalActions(applied.state)!]);
});

test('[P5][P7] every close code and every reject reason is listed and explained', () => {
  const { socket } = written.channels;
  const closes = Object.values({ ...CLOSE, ...OWN_CLOSE }).map(({ code }) => code);
  expect(socket['x-close-codes'].map(({ code }) => code)).toEqual(closes);
  for (const { means } of socket['x-close-codes']) expect(means).toMatch(/\.$/);
  expect(Object.keys(socket['x-reject-codes']).sort()).toEqual([...REJECT_CODES].sort());
});

test('[P2][H2] every reason to refuse a handshake is listed as it is answered', () => {
  const listed = written.channels.socket['x-handshake-errors'];
  expect(listed.map(({ code }) => code)).toEqual([...HANDSHAKE_ERRORS]);
  for (const { code, ...rest } of listed) {
    expect<object>(rest).toEqual(ERRORS[code as keyof typeof ERRORS]);
  }
});

test('[E1] streams and webhooks list every type of event', () => {
  const names = EVENT_TYPES.map((type) => `event.${type}`);
  expect(Object.keys(written.channels.eventStream.messages)).toEqual(names);
  expect(Object.keys(written.channels.webhook.messages)).toEqual(names);
});

test('[H10] the addresses are those of the service', () => {
  expect(SOCKET_ADDRESS).toBe(SOCKET_PATH);
  const routes = ROUTES.map(({ operationId, path }) => [operationId, path]);
  expect(routes).toContainEqual(['streamEvents', STREAM_ADDRESS]);
});
