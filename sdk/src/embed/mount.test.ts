/** The page's side of an embedding: which windows it answers, and where the token goes. */

import { afterEach, describe, expect, jest, test } from 'bun:test';
import { EMBED_MARK } from './messages.ts';
import type { MountOptions } from './mount.ts';
import { mount } from './mount.ts';

const ORIGIN = 'https://play.example.com';

interface Posted {
  readonly message: { readonly nonce: string; readonly token: string | null };
  readonly to: string;
  readonly port: MessagePort;
}

const globals = [
  'navigator',
  'document',
  'location',
  'addEventListener',
  'removeEventListener',
] as const;
const before = globals.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
afterEach(() => {
  for (const [index, name] of globals.entries()) {
    const old = before[index];
    if (old === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, old);
  }
});

/** The part of a page that a mount uses. */
function mountIn(options: Partial<MountOptions> = {}) {
  const posted: Posted[] = [];
  const listeners = new Set<(event: unknown) => void>();
  const match = {
    postMessage: (message: Posted['message'], to: string, [port]: [MessagePort]) =>
      posted.push({ message, to, port }),
  };
  const frame = { style: {}, setAttribute() {}, remove() {}, contentWindow: match, src: '' };
  const loads = new Set<() => void>();
  Object.assign(frame, {
    addEventListener: (_: string, take: () => void) => loads.add(take),
    removeEventListener: (_: string, take: () => void) => loads.delete(take),
  });
  const put = (name: string, value: unknown): void => {
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  };
  const shown = new Set<unknown>();
  const words = (): object => {
    const element = { style: {}, setAttribute() {}, remove: () => shown.delete(element) };
    return element;
  };
  put('document', { createElement: (tag: string) => (tag === 'iframe' ? frame : words()) });
  put('navigator', { languages: ['en'] });
  put('location', { origin: 'https://shop.example' });
  put('addEventListener', (_: string, take: (event: unknown) => void) => listeners.add(take));
  put('removeEventListener', (_: string, take: (event: unknown) => void) => listeners.delete(take));
  const events: unknown[] = [];
  const mounted = mount({ append: (each: unknown) => shown.add(each) } as unknown as Element, {
    url: `${ORIGIN}/play/#token=t.1`,
    tenant: 'acme',
    onEvent: (event) => events.push(event),
    ...options,
  });
  const hello = {
    source: match,
    origin: ORIGIN,
    data: { mark: EMBED_MARK, type: 'hello' },
  };
  return {
    mounted,
    events,
    posted,
    listeners,
    frame,
    /** The elements of the page that are not frames. */
    refusals: () => [...shown].filter((each) => each !== frame) as { textContent: string }[],
    load: () => {
      for (const take of [...loads]) take();
    },
    address: new URL(frame.src),
    say: (change: object = {}) => {
      for (const take of [...listeners]) take({ ...hello, ...change });
    },
  };
}

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

describe('a mount', () => {
  test('[WEB] keeps the token out of the frame’s address and sends it to the one origin', () => {
    const { address, say, posted, mounted } = mountIn({ theme: 'dark', locale: 'de' });
    expect(address.pathname).toBe('/play/acme/');
    const fragment = new URLSearchParams(address.hash.slice(1));
    expect(fragment.get('host')).toBe('https://shop.example');
    expect([fragment.get('theme'), fragment.get('lang')]).toEqual(['dark', 'de']);
    expect(address.href).not.toContain('t.1');
    say();
    expect(posted).toHaveLength(1);
    expect(posted[0]).toMatchObject({
      to: ORIGIN,
      message: { type: 'init', token: 't.1', nonce: fragment.get('embed')! },
    });
    mounted.unmount();
  });

  test('[WEB] answers no other window, origin or message', () => {
    const { say, posted, mounted } = mountIn();
    say({ source: {} });
    say({ source: null });
    say({ origin: 'https://play.example.com.evil.example' });
    say({ origin: 'null' });
    say({ data: null });
    say({ data: { mark: EMBED_MARK, type: 'ended' } });
    say({ data: { mark: 'matchd.embed.2', type: 'hello' } });
    expect(posted).toEqual([]);
    mounted.unmount();
  });

  test('[WEB] accepts events from the port only, and after a reload from the newest one', async () => {
    const { say, posted, events, mounted } = mountIn();
    say();
    say({ data: { mark: EMBED_MARK, type: 'ended', result: { winner: 'mallory' } } });
    for (const odd of [null, undefined, 7, [], { type: 7 }]) posted[0]!.port.postMessage(odd);
    posted[0]!.port.postMessage({ type: 'ready' });
    await turn();
    expect(events).toEqual([{ type: 'ready' }]);
    say();
    posted[0]!.port.postMessage({ type: 'ended', session: 's', result: null });
    posted[1]!.port.postMessage({ type: 'resize', height: 9 });
    await turn();
    expect(events.slice(1)).toEqual([{ type: 'resize', height: 9 }]);
    mounted.unmount();
  });

  test('[WEB] lets the page create a rematch: its address or token returns the token, anything else null', async () => {
    const answers = [`${ORIGIN}/play/acme/#theme=dark&token=t.9`, 't.8', null, 'fails'];
    const asked: string[] = [];
    const { say, posted, mounted } = mountIn({
      onRematch: async (session) => {
        asked.push(session);
        const answer = answers[asked.length - 1]!;
        if (answer === 'fails') throw new Error('No network');
        return answer;
      },
    });
    say();
    expect(posted[0]!.message).toMatchObject({ makesRematch: true });
    const got: unknown[] = [];
    posted[0]!.port.onmessage = ({ data }) => {
      if (data.type === 'rematch') got.push([data.ask, data.token]);
    };
    for (const ask of [1, 2, 3, 4]) {
      posted[0]!.port.postMessage({ type: 'rematchNeeded', ask, session: 'ses_1' });
    }
    await turn();
    expect(asked).toEqual(Array(4).fill('ses_1'));
    expect(got).toEqual([
      [1, 't.9'],
      [2, 't.8'],
      [3, null],
      [4, null],
    ]);
    mounted.unmount();
  });

  test('[WEB] sends a new token on request over the port, and reports when none is available', async () => {
    let count = 0;
    const { say, posted, mounted } = mountIn({
      getToken: () => {
        count += 1;
        if (count === 2) return Promise.reject(new Error('offline'));
        return Promise.resolve(count === 1 ? 'fresh' : null);
      },
    });
    say();
    const answers: unknown[] = [];
    const { port } = posted[0]!;
    port.onmessage = ({ data }) => {
      if (data.type === 'token') answers.push(data);
    };
    for (const ask of [1, 2, 3]) {
      port.postMessage({ type: 'tokenNeeded', ask });
      await turn();
    }
    expect(answers).toEqual([
      { type: 'token', ask: 1, token: 'fresh' },
      { type: 'token', ask: 2, token: null, failed: true },
      { type: 'token', ask: 3, token: null },
    ]);
    mounted.unmount();
  });

  test("[WEB] sends a reloaded match the page's current options", async () => {
    const { say, posted, mounted } = mountIn({ theme: 'dark', muted: true });
    mounted.setTheme('light');
    mounted.setPalette({ primary: '#2f6fed' });
    mounted.setLocale('de');
    say();
    say();
    const told: unknown[] = [];
    posted[1]!.port.onmessage = ({ data }) => told.push(data);
    await turn();
    expect(told).toEqual([
      { type: 'mute', muted: true },
      { type: 'theme', theme: 'light' },
      { type: 'palette', palette: { primary: '#2f6fed' } },
      { type: 'locale', locale: 'de' },
    ]);
    mounted.unmount();
  });

  test('[WEB] does not change the sound unless the page asks: the player has their own setting', async () => {
    const { say, posted, mounted } = mountIn();
    say();
    const told: { type: string; muted?: boolean }[] = [];
    posted[0]!.port.onmessage = ({ data }) => told.push(data);
    await turn();
    expect(told.map(({ type }) => type)).not.toContain('mute');
    mounted.setMuted(false);
    await turn();
    expect(told).toContainEqual({ type: 'mute', muted: false });
    mounted.unmount();
  });

  test('[WEB] reports the end of a session once, however often the match is loaded', async () => {
    const { say, posted, events, mounted } = mountIn();
    const ended = (session: string) => ({ type: 'ended', session, result: null });
    say();
    posted[0]!.port.postMessage(ended('s1'));
    await turn();
    say();
    posted[1]!.port.postMessage(ended('s1'));
    posted[1]!.port.postMessage(ended('s2'));
    await turn();
    expect(events).toEqual([ended('s1'), ended('s2')]);
    mounted.unmount();
  });

  test('[WEB] passes on the session’s palette from the play URL unless the page has its own', () => {
    const paletteIn = (options: Partial<MountOptions>): string | null => {
      const { address, mounted } = mountIn(options);
      mounted.unmount();
      return new URLSearchParams(address.hash.slice(1)).get('palette');
    };
    const url = `${ORIGIN}/play/acme/#token=t.1&palette=%7B%22text%22%3A%22%23123%22%7D`;
    expect(paletteIn({})).toBeNull();
    expect(paletteIn({ url })).toBe('{"text":"#123"}');
    expect(paletteIn({ url, palette: { radius: 4 } })).toBe('{"radius":4}');
  });

  test("[W1] lets pool show the balls' paths when the page or the play URL says so", () => {
    const pathsIn = (options: Partial<MountOptions>): string | null => {
      const { address, mounted } = mountIn(options);
      mounted.unmount();
      return new URLSearchParams(address.hash.slice(1)).get('paths');
    };
    const url = `${ORIGIN}/play/acme/#token=t.1&paths=on`;
    expect(pathsIn({})).toBeNull();
    expect(pathsIn({ ballPaths: true })).toBe('on');
    expect(pathsIn({ url })).toBe('on');
    expect(pathsIn({ url, ballPaths: false })).toBeNull();
  });

  test('[WEB] a page whose getToken throws at once has no token for now', async () => {
    const { say, posted, mounted } = mountIn({
      getToken: () => {
        throw new Error('no backend');
      },
    });
    say();
    const answers: unknown[] = [];
    const { port } = posted[0]!;
    port.onmessage = ({ data }) => answers.push(data);
    port.postMessage({ type: 'tokenNeeded', ask: 7 });
    await turn();
    expect(answers).toContainEqual({ type: 'token', ask: 7, token: null, failed: true });
    mounted.unmount();
  });

  test('[WEB] a frame that loads and sends no greeting is reported as refused, and shown if it greets later', () => {
    jest.useFakeTimers();
    try {
      const { load, say, events, refusals, frame, mounted } = mountIn({ locale: 'de-AT' });
      load();
      jest.advanceTimersByTime(900);
      expect([events, refusals()]).toEqual([[], []]);
      jest.advanceTimersByTime(200);
      expect(events).toEqual([{ type: 'error', code: 'not_loaded' }]);
      expect(refusals()[0]!.textContent).toContain('Steht https://shop.example');
      expect(frame.style).toMatchObject({ display: 'none' });
      say();
      expect(refusals()).toEqual([]);
      expect(frame.style).toMatchObject({ display: 'block' });
      mounted.unmount();
    } finally {
      jest.useRealTimers();
    }
  });

  test('[WEB] a match that greets before it has loaded is never taken for a refused one', () => {
    jest.useFakeTimers();
    try {
      const { load, say, events, refusals, mounted } = mountIn();
      say();
      load();
      jest.advanceTimersByTime(60_000);
      expect([events, refusals()]).toEqual([[], []]);
      mounted.unmount();
    } finally {
      jest.useRealTimers();
    }
  });

  test('[WEB] stops listening once it is removed', () => {
    const { mounted, listeners } = mountIn();
    mounted.unmount();
    expect(listeners.size).toBe(0);
  });
});
