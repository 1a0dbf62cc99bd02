/** `matchd dev`: everything on one machine, with a demo tenant and matches to play at once. */

import type { DevServer } from './dev-server.ts';
import { startDevServer } from './dev-server.ts';
import type { DevOptions } from './options.ts';
import { setupWords } from './setup-url.ts';
import { endSoon, untilStopped } from './stop-signal.ts';

/** Runs until the process is told to stop and has drained; throws when it cannot start. */
export async function runDev({ config, json }: DevOptions): Promise<void> {
  const stopped = untilStopped();
  const server = await startDevServer(config);
  if (json) {
    const { url, keys, setupUrl } = server;
    const { liveKey, testKey } = keys;
    const { dataDir } = config;
    const line = {
      url,
      liveKey,
      testKey,
      dataDir,
      pid: process.pid,
      ...(setupUrl && { setupUrl }),
    };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  } else {
    process.stdout.write(makeGreeting(server, config.port));
  }
  await stopped;
  server.announced.withdraw();
  await server.service.stop();
  endSoon();
}

function makeGreeting(server: DevServer, asked: number): string {
  const { url, keys, games, service, setupUrl } = server;
  const isMoved = asked !== 0 && service.port !== asked;
  const lines = [
    '',
    ...(isMoved ? [`  Port ${asked} is in use: this is ${service.port}.`, ''] : []),
    `  matchd is ready at ${url}`,
    '',
    `  Play at once: ${url}/demo`,
    '    every game, against a bot or a friend, in an app that embeds it',
    '',
    '  All seats of a match on one page (each visit is a new match):',
    ...games.map((game) => `    ${url}/demo/${game}`),
    '',
    '  Keys of the demo tenant:',
    `    test  ${keys.testKey}`,
    `    live  ${keys.liveKey}`,
    '',
    '  Create a session:',
    `    curl -s ${url}/v1/sessions \\`,
    `      -H 'Authorization: Bearer ${keys.testKey}' \\`,
    "      -H 'Content-Type: application/json' \\",
    `      -d '{"game":"tictactoe","players":[{"id":"ann"},{"id":"ben"}]}'`,
    '',
    `  Everything it answers: ${url}/docs`,
    `  The dashboard: ${url}/dashboard/`,
    '  Ctrl-C ends.',
    '',
  ];
  return `${lines.join('\n')}${setupUrl === null ? '\n' : setupWords(setupUrl)}`;
}
