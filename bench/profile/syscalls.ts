/** Counts the system calls of a process with strace, where that is installed and allowed. */

import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** How often each call was made. */
export type SyscallCounts = Readonly<Record<string, number>>;

/** Runs `work` and counts meanwhile. Throws where strace is missing or may not look. */
export async function countSyscalls(
  pid: number,
  work: () => Promise<void>,
): Promise<SyscallCounts> {
  if (Bun.which('strace') === null) throw new Error('strace is not installed');
  const file = join(tmpdir(), `bench-syscalls-${process.pid}`);
  const child = Bun.spawn(['strace', '-f', '-c', '-o', file, '-p', String(pid)], {
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'pipe',
  });
  try {
    const words = await firstWords(child.stderr);
    if (!words.includes('attached')) throw new Error(`strace: ${words.trim()}`);
    await work();
    child.kill('SIGINT');
    await child.exited;
    return parseSyscallCounts(readFileSync(file, 'utf8'));
  } finally {
    child.kill('SIGINT');
    rmSync(file, { force: true });
  }
}

/** The table that `strace -c` writes: its fourth column is the calls, its last their name. */
export function parseSyscallCounts(text: string): SyscallCounts {
  const counts: Record<string, number> = {};
  for (const line of text.split('\n')) {
    const cells = line.trim().split(/\s+/);
    const name = cells.at(-1)!;
    if (!/^[\d.]+$/.test(cells[0]!) || !/^\d+$/.test(cells[3] ?? '') || name === 'total') continue;
    counts[name] = (counts[name] ?? 0) + Number(cells[3]);
  }
  return counts;
}

/** Strace says when it has attached, or why it could not. */
async function firstWords(stream: ReadableStream<Uint8Array>): Promise<string> {
  const reader = stream.getReader();
  const { value } = await reader.read();
  reader.releaseLock();
  return new TextDecoder().decode(value);
}
