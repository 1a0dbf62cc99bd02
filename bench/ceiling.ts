/**
 * The ceiling: matchd's frames relayed between two players by the same runtime, without rules,
 * store and accounts. Its cost is the cost of the sockets; matchd is compared with it. Argument:
 * the port.
 */

import { announce, portArgument } from './announce.ts';
import { makeRelayFrames } from './ceiling-frames.ts';

/** A match: which players are connected, and its progress. Nothing is checked. */
interface Relay {
  readonly id: string;
  /** Moves after which the match is over. */
  readonly plies: number;
  readonly sockets: (Socket | null)[];
  ply: number;
}

interface Seat {
  readonly relay: Relay;
  readonly seat: number;
}

/** The parts of an `act` frame that are read. */
interface Act {
  readonly id: string;
  readonly action: { readonly position: number };
}

type Socket = Bun.ServerWebSocket<Seat>;

const ID_DIGITS = 26;
const PROTOCOL = { 'Sec-WebSocket-Protocol': 'matchd.v1' };
const frames = makeRelayFrames();

function serveRelay(port: number): Bun.Server<Seat> {
  const relays = new Map<string, Relay>();
  return Bun.serve<Seat>({
    hostname: '127.0.0.1',
    port,
    /** POST /matches/<plies> creates a match, GET /socket/<match>/<seat> takes a seat in it. */
    fetch(request, server) {
      const [, , , kind, name, seat] = request.url.split('/');
      if (kind === 'matches') return Response.json({ sessionId: makeRelay(relays, Number(name)) });
      const relay = relays.get(name ?? '');
      if (relay === undefined) return new Response(null, { status: 404 });
      const data = { relay, seat: Number(seat) };
      if (server.upgrade(request, { data, headers: PROTOCOL })) return undefined;
      return new Response(null, { status: 400 });
    },
    websocket: {
      open(socket) {
        const { relay, seat } = socket.data;
        relay.sockets[seat] = socket;
        socket.send(frames.welcome(relay.id));
        socket.send(frames.state(relay.id, seat, 'pending'));
        if (relay.sockets.every((each) => each !== null)) start(relay);
      },
      message(socket, text) {
        relayMove(socket, JSON.parse(text as string) as Act);
      },
      close(socket) {
        const { relay, seat } = socket.data;
        relay.sockets[seat] = null;
        if (relay.sockets.every((each) => each === null)) relays.delete(relay.id);
      },
    },
  });
}

function makeRelay(relays: Map<string, Relay>, plies: number): string {
  const id = `ses_${crypto.randomUUID().replaceAll('-', '').slice(0, ID_DIGITS)}`;
  relays.set(id, { id, plies, sockets: [null, null], ply: 0 });
  return id;
}

function start(relay: Relay): void {
  for (const [seat, socket] of relay.sockets.entries()) {
    socket?.send(frames.state(relay.id, seat, 'active'));
  }
}

/** To the mover an ack, to both the update, after the last move `over`: one write a player. */
function relayMove(mover: Socket, act: Act): void {
  const { relay, seat } = mover.data;
  const ack = frames.ack(relay.id, relay.ply, act.id);
  const update = frames.update(relay.id, relay.ply, seat, act.action.position);
  relay.ply++;
  const over = relay.ply === relay.plies ? frames.over(relay.id, relay.ply) : null;
  mover.cork(() => {
    mover.send(ack);
    sendLast(mover, update, over);
  });
  const other = relay.sockets[1 - seat];
  other?.cork(() => sendLast(other, update, over));
}

function sendLast(socket: Socket, update: string, over: string | null): void {
  socket.send(update);
  if (over !== null) socket.send(over);
}

const server = serveRelay(portArgument());
announce({ url: server.url.origin, pid: process.pid });
