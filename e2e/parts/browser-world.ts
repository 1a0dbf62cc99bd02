/** The environment of a browser test file: the real server, a proxy that can fail, a browser. */

import { afterAll, beforeAll, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { makeTempFolder, removeFolder } from '../../src/testing/temp-folder.ts';
import { findChromium, launchChromium } from './browser.ts';
import type { ServerProcess } from './server-process.ts';
import { freePort, startServer } from './server-process.ts';
import type { UnreliableProxy } from './unreliable-proxy.ts';
import { makeUnreliableProxy } from './unreliable-proxy.ts';

/** The first start of a browser on a busy machine takes long. */
const START_MS_MAX = 150_000;

/** Its members are available only while tests run. */
export interface BrowserWorld {
  readonly server: ServerProcess;
  readonly browser: Browser;
  /** The connection to the server that fails on demand. */
  readonly proxy: UnreliableProxy;
  /** `test`, which is skipped without chromium. */
  readonly inBrowser: typeof test;
  /** The same page through the proxy. */
  proxied(url: string): string;
  /** Kills the server and restarts it at the same address. */
  restart(whileDown?: () => Promise<void>): Promise<void>;
}

/**
 * Sets up the environment for the file that calls this at its top; without a browser it reports the skipped tests.
 * `env` and `flags` are the server's.
 */
export function useBrowserWorld(
  untested: string,
  env: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
): BrowserWorld {
  const executable = findChromium();
  if (executable === null) {
    console.warn(
      `\n*** SKIPPED: no chromium on this machine. Install it or set CHROMIUM_PATH; ${untested} went untested. ***\n`,
    );
  }
  const dataDir = makeTempFolder();
  let server: ServerProcess;
  let proxy: UnreliableProxy;
  let browser: Browser;
  const start = async (port: number): Promise<void> => {
    server = await startServer({ port, dataDir, env, flags });
  };
  beforeAll(async () => {
    if (executable === null) return;
    const port = await freePort();
    await start(port);
    proxy = await makeUnreliableProxy(await freePort(), port);
    browser = await launchChromium(executable);
  }, START_MS_MAX);
  afterAll(async () => {
    await browser?.close();
    await proxy?.close();
    await server?.stop();
    removeFolder(dataDir);
  }, START_MS_MAX);
  return {
    get server() {
      return server;
    },
    get browser() {
      return browser;
    },
    get proxy() {
      return proxy;
    },
    inBrowser: executable === null ? (test.skip as typeof test) : test,
    proxied(url) {
      const address = new URL(url);
      address.port = String(proxy.port);
      return address.href;
    },
    async restart(whileDown) {
      const port = Number(new URL(server.url).port);
      await server.kill();
      await whileDown?.();
      await start(port);
    },
  };
}
