/** A TCP line to a server of this machine that fails at a chosen moment. */

import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CutLine {
  readonly port: number;
  /**
   * Waits for this text on its way to the server, once. `lost`: neither it nor anything after it
   * arrives. `unanswered`: it arrives, and nothing that the server says after it. Resolves when it
   * has come to that; everything is broken by `cut`.
   */
  trap(text: string, fate: 'lost' | 'unanswered'): Promise<void>;
  /** Breaks every connection. New ones are whole. */
  cut(): void;
  close(): void;
}

interface Trap {
  readonly text: string;
  readonly fate: 'lost' | 'unanswered';
  readonly sprung: () => void;
}

export async function openCutLine(target: number): Promise<CutLine> {
  let trap: Trap | null = null;
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(target, '127.0.0.1');
    let fate: Trap['fate'] | null = null;
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
        trap.sprung();
        trap = null;
      }
      if (fate !== 'lost') far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (fate === null) near.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
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
