/** `matchd dev`: everything on one machine, with a demo tenant and matches to play at once. */

import type { DevServer } from './dev-server.ts';
import { startDevServer } from './dev-server.ts';
import type { DevOptions } from './options.ts';
import { runService } from './run-service.ts';
import { setupWords } from './setup-url.ts';

/** Runs until the process is told to stop and has drained; throws when it cannot start. */
export async function runDev({ config, json, sampleData }: DevOptions): Promise<void> {
  await runService({
    start: () => startDevServer(config, { sampleData }),
    ready(server) {
      const text = json ? makeLine(server, config.dataDir) : makeGreeting(server, config.port);
      process.stdout.write(text);
    },
    draining: (server) => server.stopWatching(),
    stopped() {},
  });
}

/** The output for a program that starts it. */
function makeLine({ url, keys, setupUrl }: DevServer, dataDir: string): string {
  const { liveKey, testKey } = keys;
  const { pid } = process;
  return `${JSON.stringify({ url, liveKey, testKey, dataDir, pid, ...(setupUrl && { setupUrl }) })}\n`;
}

function makeGreeting(server: DevServer, asked: number): string {
  const { url, keys, games, service, setupUrl, sampleUrl } = server;
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
    `  API reference: ${url}/docs`,
    `  The dashboard: ${url}/dashboard/`,
    ...(sampleUrl === null ? [] : [`  Sample data in it: ${sampleUrl}`]),
    '  Press Ctrl+C to stop.',
    '',
  ];
  return `${lines.join('\n')}${setupUrl === null ? '\n' : setupWords(setupUrl)}`;
}
