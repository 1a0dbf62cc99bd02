/** Checks a page in both themes at four widths: nothing is wider than the screen, and axe finds nothing at either end. */

import { expect } from 'bun:test';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { brokenRules } from '../parts/axe.ts';

/** The last width is the one with which pages are opened. */
const WIDTHS = [360, 820, 1920, 1280] as const;

/** Writes screenshots to the directory that SHOTS_FOLDER names, if any. Ends at 1280 pixels in the light theme. */
export async function lookAt(page: Page, name: string): Promise<void> {
  const folder = process.env['SHOTS_FOLDER'];
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const measure = (): Promise<number> =>
        page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        );
      // A chart is drawn for the new width a moment later.
      for (let turn = 0; turn < 20 && (await measure()) > 0; turn += 1) await Bun.sleep(100);
      const overflow = await measure();
      expect([name, colorScheme, width, overflow]).toEqual([name, colorScheme, width, 0]);
      if (folder !== undefined) {
        const path = join(folder, `${name}-${colorScheme}-${width}.png`);
        await page.screenshot({ path, fullPage: true });
      }
      if (width === 820) continue;
      expect([name, colorScheme, width, await brokenRules(page)]).toEqual([
        name,
        colorScheme,
        width,
        [],
      ]);
    }
  }
}
