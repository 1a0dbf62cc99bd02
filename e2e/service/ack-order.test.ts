/** A move is played once, in whichever order its ack and its update arrive. */

import { expect } from 'bun:test';
import type { Page } from 'playwright-core';
import { openSocket } from '../../src/testing/sockets/socket-client.ts';
import { useBrowserWorld } from '../parts/browser-world.ts';
import { call, PLAYERS } from '../parts/matches.ts';

const TEST_MS_MAX = 60_000;

const world = useBrowserWorld('the board between ack and update');
const { inBrowser } = world;

/** Prefixes of frames: the delayed one, and a command. In `matchd.v2` an update is also the ack. */
const CASES = {
  'its update': { isV1: true, held: '{"t":"update"', act: '{"t":"act"' },
  'its ack': { isV1: true, held: '{"t":"ack"', act: '{"t":"act"' },
  'its update of matchd.v2': { isV1: false, held: '[0,4,', act: '[0,"' },
} as const;
type Case = (typeof CASES)[keyof typeof CASES];

/** Makes the page offer only the older subprotocol. */
function speakV1(page: Page): Promise<unknown> {
  return page.addInitScript(() => {
    const Own = globalThis.WebSocket;
    globalThis.WebSocket = class extends Own {
      constructor(url: string, protocols: string[]) {
        super(
          url,
          protocols.filter((each) => each !== 'matchd.v2'),
        );
      }
    } as typeof Own;
  });
}

/** Frames of one kind from the server, delayed until they are released. */
async function holdFrames(page: Page, kind: Case) {
  const held: (() => void)[] = [];
  const acts: string[] = [];
  let isHolding = false;
  await page.routeWebSocket(/\/v1\/socket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((text) => {
      if (String(text).startsWith(kind.act)) acts.push(String(text));
      server.send(text);
    });
    server.onMessage((text) => {
      const isHeld = isHolding && String(text).startsWith(kind.held);
      if (isHeld) held.push(() => socket.send(text));
      else socket.send(text);
    });
  });
  return {
    acts,
    held,
    hold: () => {
      isHolding = true;
    },
    release: () => {
      isHolding = false;
      for (const send of held.splice(0)) send();
    },
  };
}

for (const [what, kind] of Object.entries(CASES)) {
  inBrowser(
    `[WEB][P4] with ${what} delayed a move is played once, and the board accepts input afterwards`,
    async () => {
      const {
        sessionId: s,
        tokens,
        playUrls,
      } = (await call(world.server, 'POST', '/v1/sessions', {
        game: 'tictactoe',
        players: PLAYERS,
      })) as {
        sessionId: string;
        tokens: Record<string, string>;
        playUrls: Record<string, string>;
      };
      const context = await world.browser.newContext({ reducedMotion: 'reduce' });
      const page = await context.newPage();
      const line = await holdFrames(page, kind);
      if (kind.isV1) await speakV1(page);
      await page.goto(playUrls['ada']!);
      const bea = await openSocket(Number(new URL(world.server.url).port), {
        token: tokens['bea']!,
      });
      await page.locator('.status[data-tone=mine]').waitFor();
      line.hold();
      const cells = page.locator('[role=gridcell]');
      await cells.nth(0).click();
      await bea.next('update');
      await page.waitForTimeout(300);
      expect(line.held.length).toBe(1);
      // Neither a second press nor another message makes the board accept input.
      await page.getByRole('button', { name: 'React' }).click();
      await page.getByRole('button', { name: 'Hello' }).click();
      await cells.nth(1).dispatchEvent('click');
      await page.waitForTimeout(300);
      expect([line.acts.length, await page.locator('.is-free').count()]).toEqual([1, 0]);
      line.release();
      bea.send({ t: 'act', s, id: 'b', action: { position: 4 } });
      await bea.next('ack');
      await page.locator('.status[data-tone=mine]').waitFor();
      await page.locator('.is-free').first().waitFor();
      await cells.nth(1).click();
      await bea.next('update');
      expect(line.acts.length).toBe(2);
      await bea.close();
      await context.close();
    },
    TEST_MS_MAX,
  );
}
