/** The rules of axe-core, run in a page of a test. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

const SOURCE = join(import.meta.dirname, '../../node_modules/axe-core/axe.min.js');

/** WCAG 2.2 level AA, and axe's best practices. */
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

interface Axe {
  run(options: object): Promise<{
    violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
  }>;
}

/** The page's violations, each rule with its first element; tests expect none. */
export async function brokenRules(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) {
    await page.evaluate(readFileSync(SOURCE, 'utf8'));
  }
  return page.evaluate(async (tags) => {
    const { axe } = window as unknown as { axe: Axe };
    // Fading elements do not have their final colours yet; endless animations never finish.
    const ending = document
      .getAnimations()
      .filter(({ playState }) => playState === 'running')
      .filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(ending.map(({ finished }) => finished));
    const { violations } = await axe.run({ runOnly: tags });
    return violations.map(
      ({ id, nodes }) => `${id}: ${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
    );
  }, TAGS);
}
