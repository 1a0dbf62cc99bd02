/** `matchd shot`: one shot of pool, simulated from a file as clients would send it. */

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { wrongStrike } from '../../games/pool/legality.ts';
import { makeMotion } from '../../games/pool/motion.ts';
import type { Placed, Shot, ShotEvent } from '../../games/pool/physics/simulate.ts';
import { simulate } from '../../games/pool/physics/simulate.ts';
import type { Strike } from '../../games/pool/physics/strike.ts';
import { wrongBalls } from '../../games/pool/rack.ts';
import { type Answer, failed } from '../terminal/answer.ts';
import { printTable } from '../terminal/text-table.ts';

/** No shot's description is larger. */
const FILE_BYTES_MAX = 64 * 1024;
const BALLS_MAX = 16;
const STANDARD_INPUT = 0;

const number = z.number();
const shape = z.object({
  balls: z
    .array(
      z.object({
        n: z
          .int()
          .min(0)
          .max(BALLS_MAX - 1),
        x: number,
        y: number,
      }),
    )
    .min(1)
    .max(BALLS_MAX),
  shot: z.object({
    aim: number,
    speed: number,
    side: number.default(0),
    follow: number.default(0),
    elevation: number.default(0),
  }),
});

interface Task {
  readonly balls: readonly Placed[];
  readonly shot: Strike;
}

/** Reads `{ balls: [{ n, x, y }], shot: { aim, speed, … } }`, of `-` from standard input. */
export function simulateShotFile(file: string): Answer {
  const source = readSource(file);
  if (typeof source !== 'string') return failed(`${file} cannot be read: ${source.message}`);
  const task = parseTask(source);
  if (typeof task === 'string') return failed(`${file} is not a shot: ${task}`);
  const shot = simulate(task.balls, task.shot);
  return {
    json: { ...shot, motion: makeMotion(shot) },
    text: describe(task, shot),
  };
}

function readSource(file: string): string | { readonly message: string } {
  try {
    const text = readFileSync(file === '-' ? STANDARD_INPUT : file, 'utf8');
    return text.length <= FILE_BYTES_MAX ? text : { message: 'it is too large' };
  } catch (error) {
    return { message: (error as Error).message };
  }
}

/** The task, or its fault. */
function parseTask(source: string): Task | string {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch (error) {
    return (error as Error).message;
  }
  const parsed = shape.safeParse(value);
  if (parsed.success) {
    return wrongTable(parsed.data) ?? wrongStrike(parsed.data.shot) ?? parsed.data;
  }
  const { path, message } = parsed.error.issues[0]!;
  return path.length === 0 ? message : `${path.join('.')}: ${message}`;
}

function wrongTable({ balls }: Task): string | null {
  if (balls.every(({ n }) => n !== 0)) return 'balls: the cue ball, 0, is missing';
  const wrong = wrongBalls(balls);
  return wrong === null ? null : `balls: ${wrong}`;
}

function describe({ balls }: Task, shot: Shot): string {
  const rows = balls.map(({ n, x, y }) => {
    const end = shot.after.find((ball) => ball.n === n);
    const to = end === undefined ? whereTo(shot.events, n) : place(end.x, end.y);
    return [String(n), place(x, y), to];
  });
  const table = printTable(['BALL', 'FROM', 'TO'], rows, '');
  const lines = shot.events.map((event) => `${event.t.toFixed(6)} s  ${tell(event)}`);
  const end = shot.end === 'rest' ? 'at rest' : 'stopped: too many events';
  const last = `${end} after ${shot.duration.toFixed(3)} s, ${shot.events.length} events`;
  return [...lines, '', table, '', last].join('\n');
}

function place(x: number, y: number): string {
  return `${x.toFixed(4)} ${y.toFixed(4)}`;
}

function whereTo(events: readonly ShotEvent[], n: number): string {
  const fall = events.find((event) => event.kind === 'pocket' && event.ball === n);
  return fall?.kind === 'pocket' ? fall.at : '';
}

function tell(event: ShotEvent): string {
  switch (event.kind) {
    case 'contact':
      return `${event.balls[0]} meets ${event.balls[1]}`;
    case 'cushion':
      return `${event.ball} meets the cushion, ${event.at}`;
    case 'pocket':
      return `${event.ball} falls, ${event.at}`;
    case 'motion':
      return `${event.ball} comes to ${event.to}`;
  }
}
