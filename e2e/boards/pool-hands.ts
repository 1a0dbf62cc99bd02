/** Plays eightball on a page: reads the table from the frames, computes a shot, and plays it with mouse and sliders. */

import type { Page } from 'playwright-core';
import type { Random } from '../../game/src/random.ts';
import type { Numbers } from '../../sdk/src/frames/compact.ts';
import { spellOut } from '../../sdk/src/frames/compact.ts';
import type { ShotAction } from '../../src/games/pool/action.ts';
import { OFFSET_MAX } from '../../src/games/pool/physics/strike.ts';
import { MOUTHS } from '../../src/games/pool/physics/table.ts';
import type { Place } from '../../src/games/pool/rack.ts';
import type { PoolState } from '../../src/games/pool/state.ts';
import { makeInitial } from '../../src/games/pool/state.ts';
import { breakShot, findShot } from '../../src/games/pool/think.ts';
import { placeNear } from '../../web/play/src/games/pool/aim.ts';
import type { Projection } from '../../web/play/src/games/pool/projection.ts';
import { makeProjection } from '../../web/play/src/games/pool/projection.ts';
import { speedOf } from '../../web/play/src/games/pool/tools.ts';
import type { Ball, PoolView } from '../../web/play/src/games/pool/view.ts';
import { readView } from '../../web/play/src/games/pool/view.ts';

/** The bot's search effort and assumed inaccuracy: presses are exact to a pixel only. */
const STYLE = { shotsMax: 300, finalists: 6, samples: 12, units: 0.4 };
const BREAK_SPEED = 11;
/** Closer to a pocket or to the cue ball a press does not aim but has another meaning. */
const CLEAR_PX = 34;
/** Distances along the line at which to look for a point to press, m. */
const REACHES = [0.9, 0.7, 0.5, 0.35, 0.25, 0.18, 0.13];
const HEAD_SPOT: Place = [-0.6, 0];

/** The shoot button, when a shot is possible now. */
export const READY = '.po-shot:not([hidden]) .po-shoot[aria-disabled=false]';

/** The table as it is drawn. */
export const pictureOf = (page: Page): Promise<string> =>
  page.locator('.po-canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());

/** Waits until the canvas changes. */
export async function awaitChange(page: Page, picture: string): Promise<void> {
  await page.waitForFunction(
    (before) => document.querySelector<HTMLCanvasElement>('.po-canvas')!.toDataURL() !== before,
    picture,
  );
}

/** The newest view that a page received. Call before the page is opened. */
export function followTable(page: Page): () => PoolView {
  let view = readView(null);
  page.on('websocket', (socket) => {
    const numbers: Numbers = new Map();
    socket.on('framereceived', ({ payload }) => {
      for (const frame of spellOut(numbers, JSON.parse(String(payload)))) {
        const shown = (frame as { readonly view?: unknown }).view;
        if (shown != null) view = readView(shown);
      }
    });
  });
  return () => view;
}

/** Shoots or chooses; false when it is not this page's turn. */
export async function playPool(
  page: Page,
  seat: number,
  view: () => PoolView,
  random: Random,
): Promise<boolean> {
  const choices = page.locator('.po-choices:not([hidden]) button[aria-disabled=false]');
  const count = await choices.count();
  if (count > 0) {
    await choices.nth(random.integer(count)).click();
    return true;
  }
  if (!(await page.locator(READY).count())) {
    return false;
  }
  await shoot(page, view(), think(view(), seat, random));
  return true;
}

/** The shot that the game's bot would play in this view. */
function think(view: PoolView, seat: number, random: Random): ShotAction {
  const state = stateOf(view, seat);
  return state.isBreak ? breakShot(state, BREAK_SPEED, random) : findShot(state, STYLE, random);
}

function stateOf(view: PoolView, seat: number): PoolState {
  const fresh = makeInitial({ variant: view.variant, options: {}, seats: 2 });
  const places = new Map(view.balls.map(({ n, x, y }): [number, Place] => [n, [x, y]]));
  const { isBreak, inHand, mayPushOut } = view;
  return {
    ...fresh,
    seat,
    isBreak,
    inHand,
    mayPushOut,
    table: fresh.table.map((_, n) => places.get(n) ?? null),
    groups: view.groups as PoolState['groups'],
  };
}

async function shoot(page: Page, view: PoolView, { shot, call, place, safety }: ShotAction) {
  const canvas = page.locator('.po-canvas');
  await canvas.scrollIntoViewIfNeeded();
  const box = (await canvas.boundingBox())!;
  const at = makeProjection(box.width, box.height);
  const drag = async (from: readonly [number, number], to: readonly [number, number]) => {
    await page.mouse.move(box.x + from[0], box.y + from[1]);
    await page.mouse.down();
    await page.mouse.move(box.x + to[0], box.y + to[1]);
    await page.mouse.up();
  };
  if (place !== undefined) await drag(at.toPixels(...cueIn(view)), at.toPixels(place.x, place.y));
  const cue: Place = place === undefined ? cueIn(view) : [place.x, place.y];
  const point = pointOnLine(at, box, cue, shot.aim);
  await drag(point, point);
  await page.getByRole('slider', { name: 'Power' }).fill(String(powerOf(shot.speed)));
  if (shot.follow !== 0) {
    await page.locator('.po-spin').evaluate((spin) => spin.setAttribute('open', ''));
    const percent = Math.round((shot.follow / OFFSET_MAX) * 100);
    await page.getByRole('slider', { name: 'Follow or draw' }).fill(String(percent));
  }
  if (safety === true) await page.getByRole('checkbox', { name: 'Safety' }).check();
  if (call !== undefined) {
    await page.getByRole('combobox', { name: 'Ball' }).selectOption(String(call.ball));
    await page.getByRole('combobox', { name: 'Pocket' }).selectOption(call.pocket);
  }
  await page.locator('.po-shoot').click();
}

/** Where the page shows the cue ball before the shot. */
function cueIn({ balls, inHand }: PoolView): Place {
  const cue = balls.find(({ n }: Ball) => n === 0);
  const start: Place = cue === undefined ? HEAD_SPOT : [cue.x, cue.y];
  return inHand === null ? start : (placeNear(balls, start, inHand) ?? start);
}

/** A point to press so that the cue aims along the line: as far from the cue ball as there is room. */
function pointOnLine(
  at: Projection,
  box: { readonly width: number; readonly height: number },
  cue: Place,
  aim: number,
): readonly [number, number] {
  const points = REACHES.map((reach) =>
    at.toPixels(cue[0] + reach * Math.cos(aim), cue[1] + reach * Math.sin(aim)),
  );
  const marks = [cue, ...MOUTHS.map(({ x, y }): Place => [x, y])].map((mark) =>
    at.toPixels(...mark),
  );
  const isFree = ([x, y]: readonly [number, number]): boolean =>
    x > 1 &&
    y > 1 &&
    x < box.width - 1 &&
    y < box.height - 1 &&
    marks.every(([mx, my]) => (x - mx) ** 2 + (y - my) ** 2 > CLEAR_PX ** 2);
  return points.find(isFree) ?? points.at(-1)!;
}

/** The position of the slider, in percent, for a speed in m/s. */
function powerOf(speed: number): number {
  const missed = Array.from({ length: 101 }, (_, n) => Math.abs(speedOf(n / 100) - speed));
  return missed.indexOf(Math.min(...missed));
}
