/** A TCP proxy to a server of this machine that fails at a chosen moment. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutLine {
  readonly port: number;
  /**
   * Waits for this text on its way to the server, once. `lost`: neither it nor anything after it
   * arrives. `late`: both arrive with `release`. `unanswered`: it arrives, but nothing that the
   * server sends afterwards does. Resolves when that has happened; `cut` breaks everything.
   */
  trap(text: string, fate: Fate): Promise<void>;
  release(): void;
  /** Breaks every connection. New ones are whole. */
  cut(): void;
  close(): void;
}

type Fate = 'lost' | 'late' | 'unanswered';

interface Trap {
  readonly text: string;
  readonly fate: Fate;
  readonly sprung: () => void;
}

export async function openCutLine(target: number): Promise<CutLine> {
  let trap: Trap | null = null;
  const open = new Set<Socket>();
  /** Sends the delayed data, by connection. */
  const late = new Set<() => void>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    let fate: Fate | null = null;
    const kept: Buffer[] = [];
    const send = (): void => {
      fate = null;
      for (const chunk of kept.splice(0)) far.write(chunk);
    };
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (chunk) => {
      if (trap !== null && chunk.includes(trap.text)) {
        fate = trap.fate;
        if (fate === 'late') late.add(send);
        trap.sprung();
        trap = null;
      }
      if (fate === 'late') kept.push(chunk);
      else if (fate !== 'lost') far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (fate !== 'lost' && fate !== 'unanswered') near.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    release() {
      for (const each of late) each();
      late.clear();
    },
    trap: (text, fate) =>
      new Promise((sprung) => {
        trap = { text, fate, sprung };
      }),
    cut,
    close() {
      cut();
      server.close();
    },
  };
}
