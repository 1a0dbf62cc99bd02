/** A player's connection under a test's control: its server, its clock and its random numbers. */

import { makeConnection } from '../../../sdk/src/client/connection.ts';
import type { ConnectionEvent, ConnectionPorts, Socket } from '../../../sdk/src/client/link.ts';

/** When its clock begins, ms since 1970. */
export const START = Date.parse('2026-11-20T12:00:00.000Z');

interface HandSocket extends Socket {
  readonly protocols: readonly string[];
  readonly sent: Record<string, unknown>[];
  closed: boolean;
}

/** Sockets, clock and random numbers under the test's control. */
export function makeHandPorts() {
  let now = START;
  let timers: { at: number; run: () => void }[] = [];
  const sockets: HandSocket[] = [];
  const ports: ConnectionPorts = {
    open(_, protocols) {
      const socket: HandSocket = {
        protocols,
        sent: [],
        closed: false,
        onmessage: null,
        onclose: null,
        send: (text) => void socket.sent.push(JSON.parse(text)),
        close() {
          socket.closed = true;
        },
      };
      sockets.push(socket);
      return socket;
    },
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((each) => each !== timer);
      };
    },
    random: () => 1,
  };
  return {
    ports,
    sockets,
    /** How many timers are set. */
    timed: () => timers.length,
    say: (frame: object) => sockets.at(-1)!.onmessage?.({ data: JSON.stringify(frame) }),
    pass(ms: number) {
      const end = now + ms;
      for (;;) {
        const due = timers.filter((each) => each.at <= end).sort((x, y) => x.at - y.at)[0];
        if (due === undefined) break;
        timers = timers.filter((each) => each !== due);
        now = due.at;
        due.run();
      }
      now = end;
    },
  };
}

/** A connection that uses them. */
export function makeClientWorld(
  credentials: readonly string[],
  getToken: (() => Promise<string | null>) | null = null,
) {
  const { ports, sockets, say, pass } = makeHandPorts();
  let ids = 0;
  let listener = (_: ConnectionEvent): void => {};
  const events: ConnectionEvent[] = [];
  const connection = makeConnection({
    url: 'ws://host/v1/socket',
    credentials,
    getToken,
    pingMsMax: Number.POSITIVE_INFINITY,
    onEvent(event) {
      events.push(event);
      listener(event);
    },
    ports,
  });
  connection.start();
  const nextId = (): string => {
    ids += 1;
    return `id-${ids}`;
  };
  const socket = (): HandSocket => sockets.at(-1)!;
  return {
    connection,
    events,
    /** Calls one listener, in the middle of the event. */
    hear(next: (event: ConnectionEvent) => void): void {
      listener = next;
    },
    sockets,
    socket,
    act(s: string, action: unknown): string {
      const id = nextId();
      connection.command({ t: 'act', s, id, action });
      return id;
    },
    resign: (s: string) => connection.command({ t: 'resign', s, id: nextId() }),
    say,
    hangUp: (code: number) => socket().onclose?.({ code }),
    pass,
    sentOf: (t: string) => socket().sent.filter((frame) => frame['t'] === t),
  };
}
export type ClientWorld = ReturnType<typeof makeClientWorld>;

export const at = (ms: number): string => new Date(START + ms).toISOString();
export const WELCOME = {
  t: 'welcome',
  player: 'ada',
  sessions: ['s1'],
  resumeToken: 'r.1',
  pingMs: 25_000,
};
export const STATE = {
  t: 'state',
  s: 's1',
  v: 3,
  prev: 3,
  game: 'tictactoe',
  variant: 'standard',
  status: 'active',
  seat: 0,
  players: [
    { id: 'ada', displayName: 'Ada', seat: 0, isBot: false, connected: true },
    { id: 'bea', displayName: null, seat: 1, isBot: false, connected: true },
  ],
  turn: 0,
  view: { board: [null] },
  legal: [],
  clock: null,
  deadline: at(60_000),
  drawOfferedBy: null,
  graces: [null, null],
  at: at(0),
  result: null,
};
export const UPDATE = {
  t: 'update',
  s: 's1',
  v: 4,
  prev: 3,
  seat: 0,
  action: { position: 0 },
  view: { board: ['X'] },
  turn: 1,
  legal: [],
  clock: null,
  deadline: at(61_000),
  at: at(1_000),
};

/** The server lets the player in and shows the session. */
export function enter(world: ClientWorld): void {
  world.say(WELCOME);
  world.say(STATE);
}
