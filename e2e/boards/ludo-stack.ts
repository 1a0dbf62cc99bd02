/** Shows a page of ludo four tokens on one square, whatever the server sends; its moves are recorded and not sent. */

import type { Page } from 'playwright-core';

/** The square of the four, and where a 3 takes them. */
export const STACK = { square: 8, die: 3, target: 11 } as const;

/** The tokens that the page tried to move. */
export interface StackedPage {
  readonly played: unknown[];
}

/**
 * Call before the page is opened. Seat 0 of two must choose. Two tokens of seat 1 share a square too, either another
 * one or
 * that of seat 0.
 */
export async function showStack(page: Page, isShared = false): Promise<StackedPage> {
  const played: unknown[] = [];
  await page.routeWebSocket(/\/v1\/socket/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const sent = JSON.parse(String(message));
      const action = Array.isArray(sent) ? sent[2] : sent.action;
      if (action === undefined) server.send(message);
      else played.push(action);
    });
    server.onMessage((message) => {
      const frame = JSON.parse(String(message));
      if (frame.t !== 'state' || frame.status !== 'active') socket.send(message);
      else socket.send(JSON.stringify({ ...frame, ...stackedPart(frame.view, isShared) }));
    });
  });
  return { played };
}

function stackedPart(view: object, isShared: boolean) {
  const { square, die } = STACK;
  const own = Array.from({ length: 4 }, () => `track ${square}`);
  const place = `track ${isShared ? square : 30}`;
  const other = [place, place, 'yard', 'yard'];
  return {
    view: { ...view, tokens: [own, other], die },
    legal: own.map((_, token) => ({ token })),
    turn: 0,
    acting: [0],
  };
}
