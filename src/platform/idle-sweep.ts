/** Finds dead sockets: pings silent ones and drops those that stay silent. One timer for all of them. */

/** What the sweep needs of a socket. */
export interface SweptSocket {
  /** Consecutive visits without input. Only the sweep changes it. */
  silentVisits: number;
  /** Whether input arrived since this was last called; true the first time. */
  takeHeard(): boolean;
  ping(): void;
  terminate(): void;
}

export interface IdleSweep<S extends SweptSocket> {
  add(socket: S): void;
  delete(socket: S): void;
  /** Every socket in it, for the shutdown. */
  all(): S[];
  stop(): void;
}

/** Visits of a socket within the idle timeout: a silent one is pinged at one of them, and dropped at the last. */
const VISITS_PER_TIMEOUT = 3;

/** Sockets are visited in groups, so that thousands of pings are not sent in one turn. */
const SLOTS = 16;

/** Drops a socket between one and 4/3 of `idleTimeoutS` after the last byte from it. */
export function startIdleSweep<S extends SweptSocket>(idleTimeoutS: number): IdleSweep<S> {
  const slots = Array.from({ length: SLOTS }, () => new Set<S>());
  let nextToFill = 0;
  let nextToVisit = 0;
  const timer = setInterval(
    () => {
      visit(slots[nextToVisit]!);
      nextToVisit = (nextToVisit + 1) % SLOTS;
    },
    (idleTimeoutS * 1000) / (VISITS_PER_TIMEOUT * SLOTS),
  );
  timer.unref();
  return {
    add(socket) {
      slots[nextToFill]!.add(socket);
      nextToFill = (nextToFill + 1) % SLOTS;
    },
    delete(socket) {
      for (const slot of slots) slot.delete(socket);
    },
    all: () => slots.flatMap((slot) => [...slot]),
    stop: () => clearInterval(timer),
  };
}

function visit<S extends SweptSocket>(slot: ReadonlySet<S>): void {
  for (const socket of slot) {
    socket.silentVisits = socket.takeHeard() ? 0 : socket.silentVisits + 1;
    if (socket.silentVisits >= VISITS_PER_TIMEOUT) socket.terminate();
    else if (socket.silentVisits > 0) socket.ping();
  }
}
