/** A server of the platform under test that records what happens on it. */

import type {
  Platform,
  PlatformServer,
  PlatformSocket,
  ServeLimits,
  ServeOptions,
  SocketHandlers,
} from '../platform.ts';

export interface Case {
  readonly name: string;
  run(platform: Platform): Promise<void>;
}

export interface Stage {
  readonly server: PlatformServer;
  readonly port: number;
  /** The calls of the handlers, in order: `opened /path`, `message /path text`. */
  readonly log: string[];
  /** In the order of their opening. */
  readonly sockets: PlatformSocket<string>[];
  readonly failures: unknown[];
}

/** How a case differs from the default service, which accepts every socket. */
export interface Script {
  readonly fetch?: ServeOptions<string>['fetch'];
  readonly refuse?: ServeOptions<string>['refuse'];
  readonly upgrade?: ServeOptions<string>['upgrade'];
  readonly handlers?: Partial<SocketHandlers<string>>;
  readonly limits?: Partial<ServeLimits>;
  readonly headers?: ServeOptions<string>['headers'];
  readonly hostname?: string;
  readonly port?: number;
}

const LIMITS: ServeLimits = { frameBytesMax: 1_000_000, bodyBytesMax: 65_536, idleTimeoutS: 60 };

/** Serves `script`, lets `play` run against it, and closes it whatever happens. */
export async function onStage(
  platform: Platform,
  script: Script,
  play: (stage: Stage) => Promise<void>,
): Promise<void> {
  const stage = await setStage(platform, script);
  try {
    await play(stage);
  } finally {
    await stage.server.close();
  }
}

export async function setStage(platform: Platform, script: Script): Promise<Stage> {
  const log: string[] = [];
  const sockets: PlatformSocket<string>[] = [];
  const failures: unknown[] = [];
  const server = await platform.serve<string>({
    hostname: script.hostname ?? '127.0.0.1',
    port: script.port ?? 0,
    fetch: script.fetch ?? (() => new Response('ok')),
    ...(script.refuse && { refuse: script.refuse }),
    ...(script.headers && { headers: script.headers }),
    upgrade:
      script.upgrade ??
      ((request) => ({ accept: true, protocol: null, data: new URL(request.url).pathname })),
    sockets: makeHandlers(log, sockets, script.handlers ?? {}),
    limits: { ...LIMITS, ...script.limits },
    failed: (error) => failures.push(error),
  });
  return { server, port: server.port, log, sockets, failures };
}

/** Records first, then runs the script. */
function makeHandlers(
  log: string[],
  sockets: PlatformSocket<string>[],
  script: Partial<SocketHandlers<string>>,
): SocketHandlers<string> {
  return {
    ...(script.path !== undefined && { path: script.path }),
    opened(socket) {
      sockets.push(socket);
      log.push(`opened ${socket.data}`);
      script.opened?.(socket);
    },
    message(socket, text) {
      log.push(`message ${socket.data} ${text}`);
      script.message?.(socket, text);
    },
    binary(socket) {
      log.push(`binary ${socket.data}`);
      script.binary?.(socket);
    },
    pinged(socket) {
      log.push(`pinged ${socket.data}`);
      script.pinged?.(socket);
    },
    ponged(socket) {
      log.push(`ponged ${socket.data}`);
      script.ponged?.(socket);
    },
    flooded(socket) {
      log.push(`flooded ${socket.data}`);
      script.flooded?.(socket);
    },
    drained(socket) {
      log.push(`drained ${socket.data}`);
      script.drained?.(socket);
    },
    closed(socket, code) {
      log.push(`closed ${socket.data} ${code}`);
      script.closed?.(socket, code);
    },
  };
}

export function urlOf(stage: Stage, path: string): string {
  return `http://127.0.0.1:${stage.port}${path}`;
}
