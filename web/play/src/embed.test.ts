/** The match's side of an embedding: which pages it answers, and which messages it accepts. */

import { describe, expect, test } from 'bun:test';
import type { EmbedEvent } from '../../../sdk/src/embed/messages.ts';
import { EMBED_MARK } from '../../../sdk/src/embed/messages.ts';
import type { EmbedWindow, HostPage } from './embed.ts';
import { connectToHost, forwardRematches, toEmbedEvent } from './embed.ts';
import type { Rematch } from './protocol.ts';

const HOST = 'https://shop.example';
const INVITATION = { nonce: 'n0nce', host: HOST };

type Listener = (event: unknown) => void;

/** A framed window whose parent and messages the test controls. */
function makeWorld() {
  const posted: { message: unknown; to: string }[] = [];
  const listeners = new Set<Listener>();
  const parent = { postMessage: (message: unknown, to: string) => posted.push({ message, to }) };
  const window = {
    parent,
    addEventListener: (_: string, listener: Listener) => void listeners.add(listener),
    removeEventListener: (_: string, listener: Listener) => void listeners.delete(listener),
  } as unknown as EmbedWindow;
  const channel = new MessageChannel();
  const init = { mark: EMBED_MARK, type: 'init', nonce: 'n0nce', token: 't.1', mayAskToken: true };
  const right = { source: parent, origin: HOST, data: init, ports: [channel.port2] };
  return {
    window,
    posted,
    listeners,
    right,
    init,
    /** The page's end of the channel. */
    port: channel.port1,
    post: (change: object = {}) => {
      for (const listener of [...listeners]) listener({ ...right, ...change });
    },
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('a match in a frame', () => {
  test('[WEB] greets the named origin only, and reveals nothing', () => {
    const { window, posted } = makeWorld();
    void connectToHost(INVITATION, window);
    expect(posted).toEqual([{ message: { mark: EMBED_MARK, type: 'hello' }, to: HOST }]);
  });

  test('[WEB] ignores an answer from another window, origin, mount or version, or without a port', async () => {
    const world = makeWorld();
    let host: HostPage | null = null;
    void connectToHost(INVITATION, world.window).then((connected) => {
      host = connected;
    });
    const wrong = [
      { source: {} },
      { source: null },
      { origin: 'https://shop.example.evil.example' },
      { origin: 'http://shop.example' },
      { origin: 'null' },
      { ports: [] },
      { data: null },
      { data: 'init' },
      { data: { ...world.init, nonce: 'other' } },
      { data: { ...world.init, nonce: undefined } },
      { data: { ...world.init, mark: 'matchd.embed.2' } },
      { data: { ...world.init, type: 'hello' } },
    ];
    for (const each of wrong) world.post(each);
    await turn();
    expect(host).toBeNull();
    world.post();
    await turn();
    expect(host).toMatchObject({ token: 't.1' });
    // Only the first answer counts: the listener is then removed.
    expect(world.listeners.size).toBe(0);
    world.port.close();
  });

  test('[WEB] accepts look and sound settings from the page, and no moves', async () => {
    const world = makeWorld();
    const connecting = connectToHost(INVITATION, world.window);
    world.post();
    const host = await connecting;
    const taken: unknown[] = [];
    const commands = [
      { type: 'theme', theme: 'dark' },
      { type: 'theme', theme: 'url(x)' },
      { type: 'mute', muted: true },
      { type: 'mute', muted: 'yes' },
      { type: 'palette', palette: { text: '#000' } },
      { type: 'palette', palette: null },
      { type: 'palette', palette: 'url(x)' },
      { type: 'palette' },
      { type: 'locale', locale: 'pt-BR' },
      { type: 'locale', locale: 7 },
      { type: 'locale', locale: 'x'.repeat(36) },
      { type: 'act', s: 's', id: '1', action: { position: 0 } },
      { type: 'resign', s: 's' },
      { t: 'resign', s: 's', id: '1' },
    ];
    for (const each of commands) world.port.postMessage(each);
    await turn();
    // Messages that arrive before a listener is set are delivered to it later.
    host.onCommand((command) => void taken.push(command));
    expect(taken).toEqual([0, 2, 4, 5, 8].map((n) => commands[n]));
    world.port.close();
  });

  test('[WEB] requests a new token from the page and accepts the answer to that request only', async () => {
    const world = makeWorld();
    const connecting = connectToHost(INVITATION, world.window);
    world.post();
    const host = await connecting;
    world.port.onmessage = ({ data }) => {
      world.port.postMessage({ type: 'token', ask: data.ask + 7, token: 'of another question' });
      world.port.postMessage({ type: 'token', ask: data.ask, token: `t.${data.ask + 1}` });
    };
    expect(await host.getToken!()).toBe('t.2');
    expect(await host.getToken!()).toBe('t.3');
    world.port.close();
  });

  test('[P2][W4] distinguishes a failed token request from no token, and accepts the older page’s message', async () => {
    const world = makeWorld();
    const connecting = connectToHost(INVITATION, world.window);
    world.post();
    const host = await connecting;
    const answers = [{ token: null, failed: true }, { token: null }, { token: 't.2' }];
    world.port.onmessage = ({ data }) =>
      world.port.postMessage({ type: 'token', ask: data.ask, ...answers[data.ask - 1] });
    await expect(host.getToken!()).rejects.toThrow('could not get a token');
    expect([await host.getToken!(), await host.getToken!()]).toEqual([null, 't.2']);
    world.port.close();
  });
});

describe('messages to the embedding page', () => {
  test('[W8] asks the page for a rematch if it makes them, and accepts only a text as token', async () => {
    const none = makeWorld();
    const connected = connectToHost(INVITATION, none.window);
    none.post();
    expect((await connected).makeRematch).toBeNull();
    const world = makeWorld();
    const connecting = connectToHost(INVITATION, world.window);
    world.post({ data: { ...world.init, makesRematch: true } });
    const host = await connecting;
    const requests: unknown[] = [];
    const answers = ['t.9', null, 7];
    world.port.onmessage = ({ data }) => {
      requests.push(data);
      world.port.postMessage({ type: 'rematch', ask: data.ask + 50, token: 't.other' });
      world.port.postMessage({
        type: 'rematch',
        ask: data.ask,
        token: answers[requests.length - 1],
      });
    };
    expect(await host.makeRematch!('ses_1')).toBe('t.9');
    expect(await host.makeRematch!('ses_1')).toBeNull();
    expect(await host.makeRematch!('ses_1')).toBeNull();
    expect(requests[0]).toMatchObject({ type: 'rematchNeeded', session: 'ses_1' });
    world.port.close();
  });

  test('[W8] the page is notified when all players want a rematch', () => {
    const notified: EmbedEvent[] = [];
    const forward = forwardRematches((event) => notified.push(event));
    const rematch = { asked: [0, 1], agreed: false } as unknown as Rematch;
    const sendRematch = (s: string, agreed: boolean) =>
      forward({ kind: 'rematch', s, id: null, rematch: { ...rematch, agreed } });
    sendRematch('ses_1', false);
    sendRematch('ses_1', true);
    sendRematch('ses_1', true);
    forward({ kind: 'status', status: { kind: 'open' } });
    expect(notified).toEqual([{ type: 'rematchAgreed', session: 'ses_1' }]);
    sendRematch('ses_2', true);
    expect(notified).toHaveLength(2);
  });

  test('[WEB] contain no token and no secret of the session', () => {
    expect(toEmbedEvent({ kind: 'credential', resumeToken: 'r.1' }, undefined)).toEqual([]);
    const failed = { kind: 'failed', reason: 'token_refused', wasOpen: false } as const;
    expect(toEmbedEvent({ kind: 'status', status: failed }, undefined)).toEqual([
      { type: 'connection', status: 'failed' },
      { type: 'error', code: 'token_refused' },
    ]);
  });
});
