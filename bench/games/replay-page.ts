/**
 * How long the players' page takes to check a whole match, with the processor slowed down four
 * times like a phone's, and for how long it blocks meanwhile: `bun bench/games/replay-page.ts`.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { anyShot } from '../../e2e/parts/any-shot.ts';
import { findChromium, launchChromium } from '../../e2e/parts/browser.ts';
import { freePort, startServer } from '../../e2e/parts/server-process.ts';
import type { AnyGame, Json } from '../../game/src/game.ts';
import { isRefusal } from '../../game/src/game.ts';
import { hashJson } from '../../game/src/json.ts';
import { makeRandom, sha256Hex } from '../../game/src/random.ts';
import { makeRuns } from '../../game/src/tick-game.ts';
import { findGame } from '../../src/games/registry.ts';
import type { Replay } from '../../src/match/replay/replay-form.ts';

const SLOWDOWN = 4;
const ROUNDS = 3;
const AT = '2026-11-21T12:00:00.000Z';
const SEED = 'bench';
const PLIES_MAX = 200;
const TICKS_MAX = 10_800;
const BATCH = 15;

/** A match without a result yet, but with its seed shown. */
function begun(game: AnyGame, part: Partial<Replay>, state: Json, variant: string): Replay {
  return {
    sessionId: 'bench',
    rulesVersion: game.rulesVersion,
    game: game.id,
    variant,
    seats: 2,
    options: optionsOf(game),
    players: [0, 1].map((seat) => ({ id: `p${seat}`, displayName: null, seat, isBot: false })),
    fairness: { commitment: sha256Hex(SEED), seed: SEED, entropy: '' },
    drawnSeats: null,
    inputs: [],
    controls: [],
    hash: hashJson(state),
    result: null,
    ...part,
  };
}

const optionsOf = ({ id, options }: AnyGame) => ({
  ...Object.fromEntries(Object.entries(options).map(([name, spec]) => [name, spec.default])),
  ...(id === 'pool' && { callPocket: 'none' }),
});

/** A match of random actions, aborted after that many; in pool nobody calls, so that shots count. */
function playActions(id: 'pool' | 'checkers' | 'ludo'): Replay {
  const game = findGame(id)!;
  const variant = game.variants[0];
  const chance = makeRandom('plies', () => '', 0);
  let state = game.initial({ variant, seats: 2, options: optionsOf(game) });
  let drawn = 0;
  const inputs: Replay['inputs'][number][] = [];
  for (let tries = 0; inputs.length < PLIES_MAX && tries < 20 * PLIES_MAX; tries += 1) {
    const seat = game.turn(state);
    if (seat === null) break;
    const legal = id === 'pool' ? null : game.legalActions(state)!;
    const asked =
      legal === null
        ? anyShot(game.view(state, null), chance)
        : legal[chance.integer(legal.length)];
    const action = game.parseAction(asked);
    if (action === null) continue;
    const random = makeRandom(SEED, () => '', drawn);
    const applied = game.apply(state, seat, action, random);
    if (isRefusal(applied)) continue;
    drawn = random.drawn();
    state = applied.state;
    inputs.push({ v: inputs.length + 3, at: AT, seat, action });
  }
  return begun(game, { inputs }, state, variant);
}

/** A fight in which both press anything for as long as it can last. */
function playTicks(): Replay {
  const game = findGame('fight-arena')!;
  const chance = makeRandom('masks', () => '', 0);
  const variant = game.variants[0];
  let state = game.initial({ variant, seats: 2, options: optionsOf(game) });
  const ticks: NonNullable<Replay['ticks']>[number][] = [];
  for (let from = 0; from < TICKS_MAX && game.outcome(state) === null; from += BATCH) {
    const held = [chance.integer(512), chance.integer(512)];
    const masks: (readonly number[])[] = [];
    for (let n = 0; n < BATCH && game.outcome(state) === null; n += 1) {
      masks.push(held);
      state = game.ticks!.step(state, held);
    }
    ticks.push({ v: ticks.length + 3, at: AT, from, runs: makeRuns(masks) });
  }
  return begun(game, { ticks }, state, variant);
}

const replays = [playActions('checkers'), playActions('ludo'), playActions('pool'), playTicks()];
const executable = findChromium();
if (executable === null) throw new Error('There is no chromium here: set CHROMIUM_PATH');
const dataDir = mkdtempSync(join(tmpdir(), 'matchd-replay-page-'));
const server = await startServer({ port: await freePort(), dataDir });
const browser = await launchChromium(executable);
try {
  for (const replay of replays) {
    const steps = replay.inputs.length + (replay.ticks?.length ?? 0);
    const text = JSON.stringify(replay);
    const found: { ms: number; longestMs: number }[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const page = await browser.newPage();
      const devtools = await page.context().newCDPSession(page);
      await page.goto(`${server.url}/play/#replay`);
      const file = { name: 'r.json', mimeType: 'application/json', buffer: Buffer.from(text) };
      await page.locator('input[type=file]').setInputFiles(file);
      await page.getByRole('slider').waitFor();
      await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWDOWN });
      found.push(await page.evaluate(timeCheck));
      await page.close();
    }
    const best = found.toSorted((a, b) => a.ms - b.ms)[Math.floor(ROUNDS / 2)]!;
    console.log(
      `${replay.game}: ${steps} records, ${text.length} B: ${Math.round(best.ms)} ms, stands still ${Math.round(best.longestMs)} ms at most`,
    );
  }
} finally {
  await browser.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

/** In the page: from the press to the verdict, and the longest stretch without a turn of the loop. */
async function timeCheck(): Promise<{ ms: number; longestMs: number }> {
  // The board behind the panel draws as it would without the check.
  document.querySelector('.table')?.remove();
  const begun = performance.now();
  let last = begun;
  let longestMs = 0;
  let isOver = false;
  const turn = (): void => {
    const now = performance.now();
    longestMs = Math.max(longestMs, now - last);
    last = now;
    if (!isOver) setTimeout(turn);
  };
  turn();
  document.querySelector<HTMLButtonElement>('.fair')!.click();
  while (document.querySelector('.fair-verdict[data-good]') === null) {
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  isOver = true;
  return { ms: performance.now() - begun, longestMs };
}
