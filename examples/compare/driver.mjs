// What the three `play.mjs` have in common: a server to start and kill, a line to cut, answers to check.
// Nothing of this is counted.

import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const READY_MS = 60_000;
const WAIT_MS = 30_000;
const LOG_CHARS_MAX = 4_000;

/** The first failure ends the program. */
export function check(what, isTrue) {
  console.log(`${isTrue ? 'ok  ' : 'FAIL'}  ${what}`);
  if (!isTrue) process.exit(1);
}

/** Something that is worth saying and is neither right nor wrong. */
export function note(what) {
  console.log(`note  ${what}`);
}

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until `holds` answers something true, and answers it. */
export async function until(what, holds, withinMs = WAIT_MS) {
  const end = Date.now() + withinMs;
  for (;;) {
    const answer = await holds();
    if (answer) return answer;
    if (Date.now() > end) check(`${what} (within ${withinMs} ms)`, false);
    await sleep(10);
  }
}

/** As `localStorage` of a browser. */
export function makeStorage() {
  const items = new Map();
  return {
    getItem: (name) => items.get(name) ?? null,
    setItem: (name, value) => void items.set(name, value),
  };
}

export function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'compare-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** All that were started. They end with this program, and the last one's words are printed where something failed. */
const servers = [];
process.on('exit', (code) => {
  for (const { kill } of servers) kill();
  if (code !== 0) console.log(`The server said:\n${servers.at(-1)?.log().slice(-LOG_CHARS_MAX)}`);
});

/** Starts a program and answers its first line that is `ready` or JSON; it ends with this one. */
export async function startServer([program, ...args], options) {
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise((resolve) => child.once('close', resolve));
  let [said, log] = ['', ''];
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  child.stdout.on('data', (chunk) => {
    said += chunk;
    log += chunk;
  });
  const isReady = (text) => text === 'ready' || text.startsWith('{');
  const findLine = () => said.split('\n').slice(0, -1).find(isReady);
  let { pid } = child;
  let isOver = false;
  ended.then(() => {
    isOver = true;
  });
  const server = {
    line: null,
    log: () => log,
    ended,
    isOver: () => isOver,
    kill() {
      if (!isOver) process.kill(pid, 'SIGKILL');
      isOver = true;
      return ended;
    },
  };
  servers.push(server);
  server.line = await until('the server is ready', findLine, READY_MS);
  // What was started may only be what starts the server.
  if (server.line !== 'ready') pid = JSON.parse(server.line).pid;
  return server;
}

/** A line to the server that can be cut, as a train in a tunnel cuts it. */
export async function makeLine(port) {
  const sockets = new Set();
  let isCut = false;
  const proxy = createServer((from) => {
    if (isCut) return from.destroy();
    const to = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  proxy.unref();
  return {
    port: proxy.address().port,
    async cut(ms) {
      isCut = true;
      for (const socket of sockets) socket.destroy();
      await sleep(ms);
      isCut = false;
    },
  };
}

export async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Plays rounds that kill the server the moment somebody has seen a move. Each returns its result: `kept`,
 * `lost`, or another word.
 */
export async function countKept(rounds, play) {
  const counts = {};
  for (let round = 0; round < rounds; round += 1) {
    const what = await play();
    counts[what] = (counts[what] ?? 0) + 1;
  }
  note(`kill: of ${rounds} moves that the opponent had seen: ${JSON.stringify(counts)}`);
}
