/** The contract of `platform.ts` as tests that every implementation runs. */

import { closeCases, idleCases } from './contract/close-cases.ts';
import { floodCases } from './contract/flood-cases.ts';
import { frameCases } from './contract/frame-cases.ts';
import { headCases } from './contract/head-cases.ts';
import { httpCases, streamCases } from './contract/http-cases.ts';
import { refusedBodyCases } from './contract/refused-body-cases.ts';
import { serverCases } from './contract/server-cases.ts';
import { slowCases } from './contract/slow-cases.ts';
import type { Case } from './contract/stage.ts';
import { unreadCases } from './contract/unread-cases.ts';
import { upgradeCases } from './contract/upgrade-cases.ts';
import type { Platform } from './platform.ts';

/** The part of a test runner that the suite needs; `bun test`'s own `test` is one. */
export type RegisterTest = (name: string, run: () => Promise<void>) => void;

/** Every case takes under three seconds. */
export function describePlatform(platform: Platform, test: RegisterTest): void {
  register(platform, test, [
    ...headCases,
    ...httpCases,
    ...refusedBodyCases,
    ...streamCases,
    ...upgradeCases,
    ...frameCases,
    ...floodCases,
    ...unreadCases,
    ...closeCases,
    ...idleCases,
    ...serverCases,
  ]);
}

/** Cases that wait for real time limits, about a minute in all, less in parallel. */
export function describePlatformSlowly(platform: Platform, test: RegisterTest): void {
  register(platform, test, slowCases);
}

function register(platform: Platform, test: RegisterTest, cases: readonly Case[]): void {
  for (const { name, run } of cases) test(name, () => run(platform));
}
