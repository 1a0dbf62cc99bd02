/** The command line of the benchmark. */

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Contender, ProfileLoad } from './jobs.ts';
import { CONTENDERS, PROFILE_LOADS } from './jobs.ts';

const PARTS = ['moves', 'creation', 'connects', 'idle', 'sleeping', 'hosted'] as const;
export type Part = (typeof PARTS)[number] | 'against' | 'profile' | 'check';

export interface Arguments {
  readonly help: boolean;
  readonly parts: readonly Part[];
  readonly contenders: readonly Contender[];
  /** Another checkout, whose server is measured in turn with this one's; null for none. */
  readonly against: string | null;
  /** The loads that are profiled. */
  readonly loads: readonly ProfileLoad[];
  /** How often all servers are measured in turn. */
  readonly rounds: number;
  /** Smaller loads and, by default, one round. */
  readonly quick: boolean;
  /** Whether a check's ratios are stored in the repository. */
  readonly write: boolean;
  /** Where to write the figures as JSON; null for nowhere. */
  readonly jsonFile: string | null;
}

/** In place of another checkout: this one, played on by the older subprotocol. */
export const AGAINST_V1 = 'v1';
const ROUNDS_DEFAULT = 3;
const ROUNDS_MAX = 20;
const CHECK_ROUNDS = 5;
const PARTS_DEFAULT: readonly Part[] = ['moves', 'creation', 'connects'];

export const USAGE = `Usage: npm run bench -- [options]

Measures matchd beside the ceiling, Colyseus and boardgame.io, on loopback. See bench/README.md.

  --rounds N     rounds, medians are taken over them (default 3, with --quick 1; at most ${ROUNDS_MAX})
  --quick        smaller loads, for a first look
  --only a,b     only these parts (${PARTS.join(', ')})
                 and only these servers (${CONTENDERS.join(', ')});
                 without a part: moves, or moves, creation and connects if no server is named either
  --against DIR  this checkout and that one in short turns, and nothing else
  --against v1   the same of this checkout alone, by matchd.v2 and by matchd.v1
  --profile      where CPU, allocations and system calls of matchd and of the ceiling go, and nothing else
  --loads a,b    only these loads of the profile (${PROFILE_LOADS.join(', ')})
  --check        compares with the ratios to the ceiling in bench/ratios.json, says what got worse by
                 more than 10 %, and nothing else; ${CHECK_ROUNDS} rounds
  --write        with --check: keeps the ratios measured now
  --json FILE    writes all figures, of every round, as JSON
  --help         shows this`;

/** Throws an error that describes the fault of the arguments. */
export function parseArguments(argv: readonly string[]): Arguments {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      rounds: { type: 'string' },
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      against: { type: 'string' },
      profile: { type: 'boolean', default: false },
      loads: { type: 'string' },
      check: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
      json: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  return {
    help: values.help,
    ...parseOnly(values.only?.split(',') ?? []),
    ...(values.against === undefined ? { against: null } : parseAgainst(values.against)),
    ...(values.profile ? { parts: ['profile'] } : {}),
    ...(values.check ? { parts: ['check'] } : {}),
    write: values.write && writesBaseline(values),
    loads: parseLoads(values.loads?.split(',')),
    rounds: parseRounds(values.rounds, defaultRounds(values)),
    quick: values.quick,
    jsonFile: values.json ?? null,
  };
}

/** A folder in which this command was never installed cannot be started. */
function parseAgainst(folder: string): Pick<Arguments, 'parts' | 'against'> {
  if (folder === AGAINST_V1) return { parts: ['against'], against: folder };
  const against = resolve(folder);
  if (existsSync(join(against, 'node_modules'))) return { parts: ['against'], against };
  throw new Error(`Invalid --against: ${folder} is no checkout whose packages are installed`);
}

interface Flags {
  readonly quick: boolean;
  readonly check: boolean;
}

function defaultRounds({ quick, check }: Flags): number {
  if (quick) return 1;
  return check ? CHECK_ROUNDS : ROUNDS_DEFAULT;
}

/** Small loads give other ratios, so these are not stored. */
function writesBaseline({ quick, check }: Flags): boolean {
  if (check && !quick) return true;
  throw new Error('--write goes with --check, and not with --quick');
}

function parseLoads(names: readonly string[] | undefined): readonly ProfileLoad[] {
  const loads = PROFILE_LOADS.filter((load) => names?.includes(load) ?? true);
  if (names === undefined || loads.length === names.length) return loads;
  throw new Error(`Invalid --loads. Valid: ${PROFILE_LOADS.join(', ')}`);
}

function parseRounds(text: string | undefined, otherwise: number): number {
  if (text === undefined) return otherwise;
  const rounds = Number(text);
  if (Number.isInteger(rounds) && rounds >= 1 && rounds <= ROUNDS_MAX) return rounds;
  throw new Error(`Invalid --rounds. Valid: 1 to ${ROUNDS_MAX}`);
}

function parseOnly(names: readonly string[]): Pick<Arguments, 'parts' | 'contenders'> {
  const known: readonly string[] = [...PARTS, ...CONTENDERS];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new Error(`Unknown name in --only: ${unknown}. Valid: ${known.join(', ')}`);
  }
  const parts = PARTS.filter((part) => names.includes(part));
  const contenders = CONTENDERS.filter((contender) => names.includes(contender));
  return {
    parts: parts.length > 0 ? parts : contenders.length > 0 ? ['moves'] : PARTS_DEFAULT,
    contenders: contenders.length > 0 ? contenders : CONTENDERS,
  };
}
