/** The output of a command: text for people, one line of JSON for programs; and its exit code. */

import { paint } from './paint.ts';

/** 0: done. 1: it failed. 2: it was called in a wrong way. What may have changed: `exit-help.ts`. */
export const EXIT_CODES = { done: 0, failed: 1, usage: 2 } as const;
export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

export interface Refusal {
  readonly exit: 1 | 2;
  readonly error: string;
}

export interface Report {
  /** For programs; serialised as it is. */
  readonly json: unknown;
  /** For people, painted or not, without the last line feed. */
  readonly text: string;
  /** `failed` when the result is negative, e.g. a replay that is wrong. */
  readonly exit?: ExitCode;
}

export type Answer = Report | Refusal;

/** The command cannot be carried out as things are. */
export function failed(error: string): Refusal {
  return { exit: EXIT_CODES.failed, error };
}

/** The arguments are invalid. */
export function wrongUsage(error: string): Refusal {
  return { exit: EXIT_CODES.usage, error };
}

export function isRefusal<T extends object>(value: T | Refusal): value is Refusal {
  return 'error' in value && 'exit' in value;
}

/** The lines for standard output and standard error, and the exit code. */
export interface Printed {
  readonly stdout: string;
  readonly stderr: string;
  readonly exit: ExitCode;
}

export function printAnswer(answer: Answer, asJson: boolean): Printed {
  if (isRefusal(answer)) {
    const { error, exit } = answer;
    const line = asJson ? JSON.stringify({ error }) : `${paint('bad', 'error:')} ${error}`;
    return { stdout: '', stderr: `${line}\n`, exit };
  }
  const text = asJson ? JSON.stringify(answer.json) : answer.text;
  return { stdout: `${text}\n`, stderr: '', exit: answer.exit ?? EXIT_CODES.done };
}
