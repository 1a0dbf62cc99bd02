/** The profile as tables: each figure of matchd's next to the ceiling's. */

import type { ProfileFigures, ProfileLoad } from '../jobs.ts';
import type { Share } from '../profile/functions.ts';
import type { Column } from '../report.ts';
import { makeNumber, makeTable } from '../report.ts';
import type { LoadProfile, SubjectProfile } from './profile.ts';

const UNIT: Readonly<Record<ProfileLoad, string>> = {
  moves: 'a move',
  connects: 'a connect',
  creates: 'a create',
};
const FUNCTIONS_MAX = 25;
const FILES_MAX = 12;
const SYSCALLS_MAX = 14;
const CEILING_ROWS_MAX = 8;
const PERCENT = 100;

export function makeProfileTables(profile: LoadProfile): string[] {
  const { load, matchd, ceiling } = profile;
  const unit = UNIT[load];
  return [
    `### ${load}: CPU by thread, µs ${unit}\n\n${makeThreadTable(profile)}`,
    `### ${load}: what ${unit} takes\n\n${makeUnitTable(profile)}`,
    ...makeSyscallTables(profile),
    ...makeFunctionTables(load, 'matchd', matchd, FUNCTIONS_MAX),
    ...makeFunctionTables(load, 'the ceiling', ceiling, CEILING_ROWS_MAX),
  ];
}

function right(title: string): Column {
  return { title, align: 'right' };
}

function makeThreadTable({ matchd, ceiling }: LoadProfile): string {
  const kinds = [...matchd.plain.threads, ...ceiling.plain.threads].map(({ kind }) => kind);
  const cells = ({ plain }: SubjectProfile, kind: string | null): string[] => {
    const own = plain.threads.filter((thread) => kind === null || thread.kind === kind);
    if (own.length === 0) return ['–', '–'];
    const sum = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0);
    return [sum(own.map(({ cpuUs }) => cpuUs)), sum(own.map(({ kernelUs }) => kernelUs))].map(
      (us) => makeNumber(us / plain.units),
    );
  };
  const row = (label: string, kind: string | null): string[] => [
    label,
    ...cells(matchd, kind),
    ...cells(ceiling, kind),
  ];
  const columns: Column[] = [
    { title: 'threads', align: 'left' },
    right('matchd'),
    right('of it kernel'),
    right('ceiling'),
    right('of it kernel'),
  ];
  const rows = [...new Set(kinds)].map((kind) => row(kind, kind));
  return makeTable(columns, [...rows, row('**all**', null)]);
}

function makeUnitTable({ matchd, ceiling }: LoadProfile): string {
  const row = (label: string, pick: (subject: SubjectProfile) => number): string[] => [
    label,
    makeNumber(pick(matchd)),
    makeNumber(pick(ceiling)),
  ];
  const ofThreads = (pick: (thread: ProfileFigures['threads'][number]) => number) => {
    return ({ plain }: SubjectProfile): number =>
      plain.threads.reduce((sum, thread) => sum + pick(thread), 0) / plain.units;
  };
  const allocated = (at: number) => {
    return ({ allocations: { units, heaps } }: SubjectProfile): number =>
      (heaps[at]?.bytes ?? Number.NaN) / units;
  };
  const rows = [
    row('bytes allocated, main thread', allocated(0)),
    row('bytes allocated, writer', allocated(1)),
    row('system calls', totalSyscalls),
    row('reads and writes that are not of sockets', ({ plain }) => plain.fileCalls / plain.units),
    row(
      'times a thread waited',
      ofThreads(({ waits }) => waits),
    ),
    row(
      'times a thread was interrupted',
      ofThreads(({ interruptions }) => interruptions),
    ),
    row('WebSocket frames to players', ({ plain }) => plain.frames / plain.units),
    row('bytes to players by WebSocket', ({ plain }) => plain.bytes / plain.units),
    row('cores the server used', ({ plain }) => plain.cpuUs / (plain.wallMs * 1_000)),
  ];
  return makeTable([{ title: '', align: 'left' }, right('matchd'), right('ceiling')], rows);
}

function totalSyscalls({ syscalls }: SubjectProfile): number {
  if (syscalls === null) return Number.NaN;
  return Object.values(syscalls.counts).reduce((sum, calls) => sum + calls, 0) / syscalls.units;
}

function makeSyscallTables({ load, matchd, ceiling }: LoadProfile): string[] {
  if (matchd.syscalls === null) return [];
  const cell = ({ syscalls }: SubjectProfile, name: string): string =>
    makeNumber(syscalls === null ? Number.NaN : (syscalls.counts[name] ?? 0) / syscalls.units);
  const rows = Object.entries(matchd.syscalls.counts)
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, SYSCALLS_MAX)
    .map(([name]) => [name, cell(matchd, name), cell(ceiling, name)]);
  const columns: Column[] = [{ title: 'call', align: 'left' }, right('matchd'), right('ceiling')];
  return [`### ${load}: system calls ${UNIT[load]}\n\n${makeTable(columns, rows)}`];
}

/** For each thread a table of functions and one of files. */
function makeFunctionTables(
  load: ProfileLoad,
  subject: string,
  { functions }: SubjectProfile,
  rowsMax: number,
): string[] {
  return Object.entries(functions).flatMap(([thread, profile]) => {
    const head = `### ${load}: ${subject}, thread ${thread}`;
    const samples = `${makeNumber(profile.samples)} samples`;
    return [
      `${head}, by function\n\n${makeShareTable('function', samples, profile.functions, rowsMax)}`,
      `${head}, by file\n\n${makeShareTable('file', samples, profile.files, Math.min(FILES_MAX, rowsMax))}`,
    ];
  });
}

function makeShareTable(
  what: string,
  samples: string,
  shares: readonly Share[],
  rowsMax: number,
): string {
  const columns: Column[] = [
    { title: `${what} itself (${samples})`, align: 'left' },
    right('% of samples'),
  ];
  const rows = shares
    .slice(0, rowsMax)
    .map(({ name, share }) => [name, (share * PERCENT).toFixed(1)]);
  return makeTable(columns, rows);
}
