/** What a page sends to the server for its player. */

import type { Page } from 'playwright-core';

/**
 * The actions of commands and, in real-time games, the masks of inputs, oldest first; the array grows. Call before
 * the page is opened.
 */
export function followSent(page: Page): readonly unknown[] {
  const contents: unknown[] = [];
  page.on('websocket', (socket) => {
    socket.on('framesent', ({ payload }) => {
      const frame = JSON.parse(String(payload));
      // Commands and inputs are arrays of session, id or tick, and content, where the subprotocol is the compact one.
      if (Array.isArray(frame)) contents.push(frame[2]);
      else if (frame.t === 'act') contents.push(frame.action);
      else if (frame.t === 'in') contents.push(frame.masks);
    });
  });
  return contents;
}
