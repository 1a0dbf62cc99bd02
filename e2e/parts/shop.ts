/** Pages of customers and of strangers that embed matches, served under every host name of the machine. */

import { afterAll, beforeAll } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Frame, Page } from 'playwright-core';
import { chromium } from 'playwright-core';
import { findChromium } from './browser.ts';

const ROOT = join(import.meta.dirname, '../..');
const START_MS_MAX = 60_000;
/** Host names under which the test browser reaches this machine; each is a different origin. */
const NAMES = '*.example';

export interface Shop {
  /** A page under a host name: `127.0.0.1`, which may frame matches in development, or `….example`. */
  url(host?: string, path?: string): string;
}

/** What the test pages record. */
export interface Recorded {
  readonly events: { readonly type: string; readonly [name: string]: unknown }[];
  mounted: {
    setTheme(theme: string): void;
    setLocale(locale: string): void;
    setMuted(muted: boolean): void;
    unmount(): void;
  };
  tokenRequests: number;
}

export interface MountOptions {
  readonly url: string;
  readonly tenant?: string;
  readonly token?: string;
  readonly theme?: 'dark' | 'light';
}

/** Serves the pages while the tests of this file run. */
export function useShop(): Shop {
  let server: ReturnType<typeof Bun.serve> | null = null;
  beforeAll(async () => {
    const built = await Bun.build({
      entrypoints: [join(ROOT, 'sdk/src/embed/index.ts')],
      target: 'browser',
    });
    const scripts: Readonly<Record<string, string>> = {
      '/embed.js': await built.outputs[0]!.text(),
      '/sample.js': readSample(0),
      '/match.js': readSample(1),
    };
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: ({ url }) => serveShop(new URL(url).pathname, scripts),
    });
  }, START_MS_MAX);
  afterAll(() => server?.stop(true));
  return { url: (host = '127.0.0.1', path = '/') => `http://${host}:${server?.port}${path}` };
}

/** One of the guide's samples for browsers, unchanged. */
function readSample(index: number): string {
  const guide = readFileSync(join(ROOT, 'docs/guides/embedding.md'), 'utf8');
  const code = Array.from(guide.matchAll(/```js\n([\s\S]*?)```/g))[index]![1]!;
  return code.replace("'@matchd/sdk/embed'", "'/embed.js'");
}

function serveShop(path: string, scripts: Readonly<Record<string, string>>): Response {
  const script = scripts[path];
  if (script !== undefined) {
    return new Response(script, { headers: { 'content-type': 'text/javascript' } });
  }
  const isolated: Record<string, string> =
    path === '/isolated'
      ? {
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-embedder-policy': 'require-corp',
        }
      : {};
  const page = '<!doctype html><title>shop</title><div id="here" style="height:600px"></div>';
  return new Response(page, {
    headers: { 'content-type': 'text/html; charset=utf-8', ...isolated },
  });
}

/** A browser that resolves all these host names to this machine. */
export function launchNamed(): Promise<Browser> {
  return chromium.launch({
    executablePath: findChromium()!,
    headless: true,
    args: ['--no-sandbox', `--host-resolver-rules=MAP ${NAMES} 127.0.0.1`],
  });
}

/** Mounts a match in the page or frame, as a customer's script does. */
export async function mountIn(
  page: Page | Frame,
  mountOptions: MountOptions,
  freshToken: string | null = null,
): Promise<void> {
  await page.evaluate(
    async ([options, fresh]) => {
      // The path is a variable, so that only the browser loads it.
      const file = '/embed.js';
      const { mount } = await import(file);
      const recorded: Recorded = { events: [], mounted: null as never, tokenRequests: 0 };
      Object.assign(window, { recorded });
      recorded.mounted = mount(document.getElementById('here'), {
        ...options,
        ...(fresh !== null && {
          getToken: async () => {
            recorded.tokenRequests += 1;
            return fresh;
          },
        }),
        onEvent: (event: Recorded['events'][number]) => recorded.events.push(event),
      });
    },
    [mountOptions, freshToken] as const,
  );
}

export const eventsOf = (page: Page | Frame): Promise<Recorded['events']> =>
  page.evaluate(() => (window as unknown as { recorded: Recorded }).recorded.events);

export async function awaitEvent(page: Page, type: string): Promise<Recorded['events'][number]> {
  await page.waitForFunction(
    (wanted) =>
      (window as unknown as { recorded: Recorded }).recorded.events.some(
        (event) => event.type === wanted,
      ),
    type,
  );
  return (await eventsOf(page)).find((event) => event.type === type)!;
}

/** The first frame of a page. */
export const matchFrame = (page: Page): Frame =>
  page.frames().find((each) => each !== page.mainFrame())!;

/** Adds a frame to a page and waits until it has content. */
export async function addFrame(page: Page | Frame, src: string): Promise<Frame> {
  const frame = await page.evaluateHandle(async (address) => {
    const element = document.createElement('iframe');
    element.src = address;
    const loaded = new Promise((resolve) => element.addEventListener('load', resolve));
    document.body.append(element);
    await loaded;
    return element;
  }, src);
  return (await frame.asElement()!.contentFrame())!;
}
