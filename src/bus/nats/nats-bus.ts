/**
 * The bus over NATS: core only, no streams. Each node has one subject; nothing is stored anywhere.
 */

import {
  type ConnectionOptions,
  connect,
  type Msg,
  type NatsConnection,
} from '@nats-io/transport-node';
import { BUS_TEXT_MAX, type Bus, isWithin } from '../bus.ts';
import { parseServers } from './servers.ts';

export interface NatsBusOptions {
  /** This process's life: letters, digits, `_` and `-`. */
  readonly node: string;
  /**
   * `nats://…` or `tls://…`, separated by commas; with `user:password@` or `token@` if required.
   */
  readonly servers: string;
  /** Connected, or not; why not, where that is known. Called for changes alone. */
  onChange(isUp: boolean, reason?: string): void;
}

/** Connecting takes no longer, and is retried so much later: forever. Ms. */
const CONNECT_MS = 2_000;
const RECONNECT_MS = 100;
const REOPEN_MS = 1_000;
/** A connection with this many unanswered pings is closed. */
const PING_MS = 2_000;
const PINGS_MAX = 2;
/** The status of a message that reports a subject without subscribers. */
const NO_RESPONDERS = 503;
const NODE_NAME = /^[\w-]+$/;

interface State {
  readonly options: NatsBusOptions;
  connection: NatsConnection | null;
  isUp: boolean;
  /** The last report about it; null for none. */
  told: boolean | null;
  isClosed: boolean;
  takes: (text: string) => void;
  nobody: (node: string) => void;
}

const nothing = (): void => undefined;
const subjectOf = (node: string): string => `matchd.node.${node}`;
/** The inbox for reports of missing subscribers; the last part is the addressed node. */
const repliesOf = (node: string): string => `matchd.nobody.${node}`;

/**
 * Begins to connect, and continues until it is closed: a node starts and serves without its bus,
 * too. Throws for invalid server addresses.
 */
export function openNatsBus(options: NatsBusOptions): Bus {
  if (!NODE_NAME.test(options.node)) throw new Error(`No name for a subject: ${options.node}`);
  const { servers, ...access } = parseServers(options.servers);
  const state: State = {
    options,
    connection: null,
    isUp: false,
    told: null,
    isClosed: false,
    takes: nothing,
    nobody: nothing,
  };
  void stayConnected(state, { ...access, servers: [...servers] });
  return {
    send: (node, text) => send(state, node, text),
    onMessage(listener) {
      state.takes = listener;
    },
    onNobody(listener) {
      state.nobody = listener;
    },
    carries: (text) => carries(state, text),
    isUp: () => state.isUp,
    async close() {
      state.isClosed = true;
      state.isUp = false;
      await state.connection?.close();
    },
  };
}

function send(state: State, node: string, text: string): void {
  const { connection, options } = state;
  if (connection === null || !state.isUp || !NODE_NAME.test(node)) return;
  if (!carries(state, text)) return;
  try {
    connection.publish(subjectOf(node), text, { reply: `${repliesOf(options.node)}.${node}` });
  } catch (error) {
    // One text is lost; where more would be, the connection has ended.
    if (connection.isClosed()) setUp(state, false, String(error));
  }
}

/** A server states its limits; the server may change with every reconnect. */
function carries({ connection }: State, text: string): boolean {
  const taken = connection?.info?.max_payload ?? BUS_TEXT_MAX;
  return isWithin(text, Math.min(BUS_TEXT_MAX, taken));
}

/** The client reconnects by itself; should it ever give up, it is begun again. */
async function stayConnected(state: State, access: ConnectionOptions): Promise<void> {
  const { node } = state.options;
  while (!state.isClosed) {
    try {
      const connection = await connect({
        ...access,
        name: `matchd ${node}`,
        noEcho: true,
        timeout: CONNECT_MS,
        reconnectTimeWait: RECONNECT_MS,
        reconnectJitter: RECONNECT_MS,
        maxReconnectAttempts: -1,
        ignoreAuthErrorAbort: true,
        noAsyncTraces: true,
        pingInterval: PING_MS,
        maxPingOut: PINGS_MAX,
      });
      if (state.isClosed) await connection.close();
      else await follow(state, connection);
    } catch (error) {
      setUp(state, false, String(error));
    }
    if (!state.isClosed) await new Promise((resolve) => setTimeout(resolve, REOPEN_MS));
  }
}

/** Serves a connection for as long as it lives. */
async function follow(state: State, connection: NatsConnection): Promise<void> {
  state.connection = connection;
  const { node } = state.options;
  connection.subscribe(subjectOf(node), {
    callback: (error, message) => {
      if (error === null) state.takes(message.string());
    },
  });
  connection.subscribe(`${repliesOf(node)}.*`, {
    callback: (error, message) => {
      if (error === null && isNobody(message)) state.nobody(message.subject.split('.').at(-1)!);
    },
  });
  // Other nodes cannot reach this one until the server knows of both.
  await connection.flush();
  setUp(state, true);
  for await (const status of connection.status()) {
    if (status.type === 'reconnect') setUp(state, true);
    if (status.type === 'disconnect' || status.type === 'staleConnection') {
      setUp(state, false, `the connection to ${connection.getServer()} broke`);
    }
  }
  const reason = await connection.closed();
  state.connection = null;
  setUp(state, false, reason === undefined ? 'the connection was closed' : String(reason));
}

function isNobody(message: Msg): boolean {
  return message.headers?.code === NO_RESPONDERS;
}

function setUp(state: State, isUp: boolean, reason?: string): void {
  if (state.told === isUp || state.isClosed) return;
  state.isUp = isUp;
  state.told = isUp;
  state.options.onChange(isUp, reason);
}
