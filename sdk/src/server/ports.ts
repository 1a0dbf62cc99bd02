/** The world outside: what every runtime has that knows fetch. Tests hand in their own. */

export interface Ports {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** 0 to 1. */
  readonly random: () => number;
  /** Resolves after so long, or at once when the signal is aborted. */
  readonly wait: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemPorts: Ports = {
  // Read at each call, so that a later replacement is used.
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const done = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      signal?.addEventListener('abort', done);
    }),
};

const KEY_BYTES = 16;

/** A unique key. Old runtimes without WebCrypto get one of plain chance. */
export function makeUniqueKey({ random }: Ports): string {
  const bytes = new Uint8Array(KEY_BYTES);
  if (globalThis.crypto === undefined) for (const at of bytes.keys()) bytes[at] = random() * 256;
  else crypto.getRandomValues(bytes);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
