/** Failed plans, reduced: stored in a file, and run by a test from then on. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan } from './plan.ts';

export interface Regression {
  /** What it found. */
  readonly finding: string;
  readonly plan: Plan;
}

const FILE = join(import.meta.dirname, 'regressions.json');

export function readRegressions(): readonly Regression[] {
  return existsSync(FILE) ? (JSON.parse(readFileSync(FILE, 'utf8')) as Regression[]) : [];
}

export function keepRegression(plan: Plan, finding: string): void {
  const kept = readRegressions().filter(
    (each) => JSON.stringify(each.plan) !== JSON.stringify(plan),
  );
  writeFileSync(FILE, `${JSON.stringify([...kept, { finding, plan }], null, 2)}\n`);
}
