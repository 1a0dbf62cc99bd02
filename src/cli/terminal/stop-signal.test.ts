/**
 * A stop signal drains the process, even if one Ctrl-C reaches it several times; a second signal
 * ends it.
 */

import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { makeTempFolder, removeFolder } from '../../testing/temp-folder.ts';
import { holdBar } from '../../testing/time-bar.ts';

const MODULE = join(import.meta.dirname, 'stop-signal.ts');
const DRAIN_MS = 1_500;
/** Reports the signal, stops after `DRAIN_MS`, and would wait forever otherwise. */
const PROGRAM = `
  const { untilStopped } = await import(${JSON.stringify(MODULE)});
  setInterval(() => {}, 1_000);
  void untilStopped().then(() => {
    console.log('draining');
    setTimeout(() => process.exit(0), ${DRAIN_MS});
  });
  console.log('ready');
`;

async function start() {
  const child = Bun.spawn([process.execPath, '-e', PROGRAM], { stdout: 'pipe' });
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  const said = async (word: string): Promise<void> => {
    while (!text.includes(word)) text += (await reader.read()).value ?? '';
  };
  await said('ready');
  return { child, said };
}

test('[CLI] a signal that arrives twice at once, as Ctrl-C under npm does, counts once: it drains', async () => {
  const { child, said } = await start();
  child.kill('SIGINT');
  await said('draining');
  child.kill('SIGINT');
  child.kill('SIGTERM');
  expect(await child.exited).toBe(0);
});

test.each([
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)('[CLI] a second %s, a second later, ends it at once', async (signal, code) => {
  const { child, said } = await start();
  child.kill('SIGTERM');
  await said('draining');
  await Bun.sleep(800);
  const asked = performance.now();
  child.kill(signal);
  expect(await child.exited).toBe(code);
  holdBar('the second signal, ms', performance.now() - asked, 500);
});

/** A whole service, in a process that something else keeps alive. */
const makeService = (dataDir: string) => `
  const { runServe } = await import(${JSON.stringify(join(import.meta.dirname, '../start/serve.ts'))});
  const { readConfig } = await import(${JSON.stringify(join(import.meta.dirname, '../../config.ts'))});
  setInterval(() => {}, 1_000);
  const publicUrl = 'http://127.0.0.1';
  const { config } = readConfig({}, { dataDir: ${JSON.stringify(dataDir)}, port: '0', publicUrl });
  await runServe({ config: { ...config, publicUrl }, adopt: false, json: true });
`;

test('[CLI] a stopped service ends its process, whatever timers are left, with a complete log', async () => {
  const folder = makeTempFolder();
  const child = Bun.spawn([process.execPath, '-e', makeService(folder)], {
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const log = new Response(child.stderr).text();
  await child.stdout.getReader().read();
  const asked = performance.now();
  child.kill('SIGTERM');
  expect([await child.exited, child.signalCode]).toEqual([0, null]);
  holdBar('the end of a service, ms', performance.now() - asked, 2_000);
  const said = (await log)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg);
  expect(said.slice(-2)).toEqual(['draining', 'stopped']);
  removeFolder(folder);
}, 20_000);
