/** The command `matchd`: reads its arguments, runs the command, and reports how it ended. */

import { CommanderError } from 'commander';
import { processEnvironment } from '../config.ts';
import type { Run } from './command-parts.ts';
import { makeProgram } from './program.ts';
import { EXIT_CODES, type ExitCode, failed, printAnswer } from './terminal/answer.ts';
import { forErrors, forOutput } from './terminal/paint.ts';

async function runCommandLine(args: readonly string[]): Promise<ExitCode> {
  const asJson = args.includes('--json');
  let exit: ExitCode = EXIT_CODES.done;
  const run: Run = async (work) => {
    const answer = await Promise.try(work).catch((error: unknown) => failed(messageOf(error)));
    if (answer === null) return;
    const printed = printAnswer(answer, asJson);
    process.stdout.write(forOutput(printed.stdout));
    process.stderr.write(forErrors(printed.stderr));
    exit = printed.exit;
  };
  const program = makeProgram(processEnvironment(), run, asJson);
  try {
    await program.parseAsync(args, { from: 'user' });
    return exit;
  } catch (error) {
    // Commander has reported the error; requested help and version end successfully.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_CODES.done;
    if (error instanceof CommanderError) return EXIT_CODES.usage;
    throw error;
  }
}

/** Faults of our own come with the place where they happened. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const isFault = error instanceof TypeError || error instanceof ReferenceError;
  return isFault ? (error.stack ?? error.message) : error.message;
}

/** The reader of our output has closed it, as `head` does. */
function endQuietly(error: unknown): ExitCode {
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return EXIT_CODES.done;
  throw error;
}

process.stdout.on('error', (error) => process.exit(endQuietly(error)));
process.exitCode = await runCommandLine(process.argv.slice(2)).catch(endQuietly);
