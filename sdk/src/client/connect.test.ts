/** What the client's callers get: promises that settle, and refusals before anything is sent. */

import { expect, test } from 'bun:test';
import { makeHandPorts, START, STATE, WELCOME } from '../../../src/testing/sockets/client-world.ts';
import { connectWith } from './connect.ts';
import type { ConnectionPorts, Socket } from './link.ts';

/** Ports with one socket, whose sent texts are recorded. */
function makePorts() {
  const sent: string[] = [];
  const socket: Socket = {
    onmessage: null,
    onclose: null,
    send: (text) => void sent.push(text),
    close() {},
  };
  const ports: ConnectionPorts = {
    open: () => socket,
    now: () => START,
    after: () => () => {},
    random: () => 1,
  };
  const say = (frame: object): void => socket.onmessage?.({ data: JSON.stringify(frame) });
  const hangUp = (code: number): void => socket.onclose?.({ code } as never);
  return { ports, sent, say, hangUp };
}

const URL = 'http://127.0.0.1:1';

/** The code of a promise's refusal; none while it is pending. */
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  Promise.race([promise.catch((error) => error.code), Bun.sleep(100)]);

test('[P2] the first session of a client that has failed or was closed is refused at once', async () => {
  const failed = connectWith({ url: URL }, makePorts().ports);
  await Promise.resolve();
  expect(failed.status.kind).toBe('failed');
  expect(await codeOf(failed.firstSession())).toBe('no_credential');
  const closed = connectWith({ url: URL, token: 't' }, makePorts().ports);
  const early = closed.firstSession();
  closed.close();
  expect(await codeOf(early)).toBe('closed');
  expect(await codeOf(closed.firstSession())).toBe('closed');
});

test('[P2] the first session of a client that was replaced is refused, until it reconnects', async () => {
  const { ports, say, hangUp } = makePorts();
  const client = connectWith({ url: URL, token: 't' }, ports);
  await Promise.resolve();
  const early = client.firstSession();
  hangUp(4409);
  expect(client.status.kind).toBe('replaced');
  expect(await codeOf(early)).toBe('replaced');
  expect(await codeOf(client.firstSession())).toBe('replaced');
  client.reconnect();
  const late = client.firstSession();
  say(WELCOME);
  say(STATE);
  expect((await late).id).toBe('s1');
  client.close();
});

test('[P2] a first session that was shown stays available when its client is closed', async () => {
  const { ports, say } = makePorts();
  const client = connectWith({ url: URL, token: 't' }, ports);
  await Promise.resolve();
  say(WELCOME);
  say(STATE);
  client.close();
  expect((await client.firstSession()).view?.v).toBe(STATE.v);
});

test('[P3] an invalid session id is refused at once', () => {
  const client = connectWith({ url: URL, token: 't' }, makePorts().ports);
  for (const id of ['', 'x'.repeat(65)]) expect(() => client.session(id)).toThrow(RangeError);
  expect(() => client.session('x'.repeat(64))).not.toThrow();
  client.close();
});

test('[E4] an unknown emote is not sent', async () => {
  const { ports, say, sent } = makePorts();
  const client = connectWith({ url: URL, token: 't' }, ports);
  await Promise.resolve();
  say(WELCOME);
  say(STATE);
  const session = await client.firstSession();
  expect(session.emote('wave' as never)).toBe(false);
  expect(session.emote('clap')).toBe(true);
  const emotes = sent.map((text) => JSON.parse(text)).filter(({ t }) => t === 'emote');
  expect(emotes).toEqual([{ t: 'emote', s: 's1', emote: 'clap' }]);
});

test.each([
  [undefined, 25_000],
  [8_000, 8_000],
  [1, 5_000],
  [60_000, 25_000],
])('[P11] with pingMs %p the server is asked every %p ms', async (pingMs, wanted) => {
  const { ports, sockets, say, pass } = makeHandPorts();
  connectWith({ url: URL, token: 't', pingMs }, ports);
  await Promise.resolve();
  const pings = (): number => sockets[0]!.sent.filter(({ t }) => t === 'ping').length;
  say(WELCOME);
  say({ t: 'pong', n: 1, now: new Date(START).toISOString(), watchers: 2 });
  pass(wanted - 1);
  expect(pings()).toBe(1);
  pass(1);
  expect(pings()).toBe(2);
});
