/** Tests of the film: the effects of time, buttons and speeds. */

import { expect, test } from 'bun:test';
import type { Arrival } from './film.ts';
import { makeFilm } from './film.ts';

/** Three steps, of 500 ms each. */
function openFilm(last = 3, stayMs = 500) {
  const shown: (readonly [number, Arrival | null])[] = [];
  const film = makeFilm({ last, stayMs: () => stayMs }, (arrival) =>
    shown.push([film.index, arrival]),
  );
  /** The time of animation frames. */
  const pass = (ms: number): void => {
    for (let left = ms; left > 0; left -= 50) film.advance(Math.min(50, left));
  };
  return { film, shown, pass };
}

test('[W5] is paused at first, then shows scene after scene and stops at the end', () => {
  const { film, shown, pass } = openFilm();
  pass(5_000);
  expect([film.index, film.pace]).toEqual([0, 0]);
  film.play();
  pass(500);
  expect([film.index, film.isPlaying]).toEqual([1, true]);
  pass(1_000);
  // Motion in the last scene continues although the film has stopped.
  expect([film.index, film.isPlaying, film.pace]).toEqual([3, false, 1]);
  expect(shown).toEqual([
    [0, null],
    [1, 'forward'],
    [2, 'forward'],
    [3, 'forward'],
  ]);
});

test('[W5] starts from the beginning when it is played at its end', () => {
  const { film, shown } = openFilm();
  film.seek(3);
  film.play();
  expect([film.index, film.isPlaying, shown.at(-1)]).toEqual([0, true, [0, 'jump']]);
});

test.each([
  [0.5, 1_000],
  [1, 500],
  [2, 250],
  [4, 125],
] as const)('[W5] at %sx a scene is shown for %s ms', (speed, ms) => {
  const { film, pass } = openFilm();
  film.setSpeed(speed);
  film.play();
  pass(ms - 25);
  expect(film.index).toBe(0);
  pass(25);
  expect(film.index).toBe(1);
});

test('[W5] a step pauses it, and steps stop at either end', () => {
  const { film, shown } = openFilm();
  film.play();
  film.step(1);
  expect([film.index, film.isPlaying, film.pace]).toEqual([1, false, 1]);
  film.step(-1);
  film.step(-1);
  expect(film.index).toBe(0);
  film.seek(99);
  film.step(1);
  expect(film.index).toBe(3);
  film.seek(-1);
  expect(film.index).toBe(0);
  expect(shown.slice(1)).toEqual([
    [1, 'forward'],
    [0, 'jump'],
    [0, null],
    [3, 'jump'],
    [3, null],
    [0, 'jump'],
  ]);
});

test('[W5] while paused, nothing moves in a scene either; playing continues from there', () => {
  const { film, pass } = openFilm();
  film.play();
  pass(300);
  film.pause();
  expect(film.pace).toBe(0);
  pass(1_000);
  film.play();
  pass(150);
  expect(film.index).toBe(0);
  pass(50);
  expect(film.index).toBe(1);
});

test('[W5] scenes shorter than a frame are skipped without losing time', () => {
  const { film, shown, pass } = openFilm(600, 1_000 / 60);
  film.play();
  pass(5_000);
  expect(Math.abs(film.index - 300)).toBeLessThanOrEqual(1);
  expect(shown.length).toBeLessThan(105);
});

test('[W5] continues from the same position after the page was hidden for a while', () => {
  const { film } = openFilm(600, 1_000 / 60);
  film.play();
  film.advance(60_000);
  expect(film.index).toBeLessThanOrEqual(16);
});

test('[W5] of a match without moves has nothing to play', () => {
  const { film } = openFilm(0);
  film.play();
  expect(film.isPlaying).toBe(false);
});
