/** Frames of links as texts: JSON objects with short names. Anything else parses as null. */

import type { LinkFrame } from './link.ts';

export interface ReadFrame {
  readonly from: string;
  readonly to: string;
  readonly frame: LinkFrame<unknown>;
}

/** `k` requests an answer. The messages are JSON texts already. */
export function makeFrameText(from: string, to: string, frame: LinkFrame<string>): string {
  const { epoch, peer, ack, first, messages, asks } = frame;
  const head = `{"f":${JSON.stringify(from)},"t":${JSON.stringify(to)},"e":${epoch},"p":${peer}`;
  const body = messages.length === 0 ? '' : `,"n":${first},"m":[${messages.join(',')}]`;
  return `${head},"a":${ack}${asks ? ',"k":1' : ''}${body}}`;
}

export function parseFrameText(text: string): ReadFrame | null {
  const value = parse(text);
  if (value === null) return null;
  const { f: from, t: to, e: epoch, p: peer, a: ack, n: first = 0, m: messages = [], k } = value;
  const isFrame = typeof from === 'string' && typeof to === 'string' && Array.isArray(messages);
  if (!isFrame || !isCount(epoch) || !isCount(peer) || !isCount(ack) || !isCount(first))
    return null;
  return { from, to, frame: { epoch, peer, ack, first, messages, asks: k === 1 } };
}

function parse(text: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;
