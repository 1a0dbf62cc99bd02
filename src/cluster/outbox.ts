/** Collects messages to other nodes: all of one moment go to each in one message. */

import type { PlacedAnswer } from '../runtime/host/work.ts';
import type { Item, SlotId } from './messages.ts';

export interface Outbox {
  /** Items reach a node in order, or its link is reported lost. */
  put(node: string, item: Item): void;
  /** Frames for one slot, and its answer; equal texts for others of that node share an item. */
  show(node: string, slot: SlotId, texts: readonly string[], answer?: PlacedAnswer): void;
  /** Sends the collected items now. */
  flush(): void;
}

/** A message with more characters than this is sent at once. */
const MESSAGE_CHARS_MAX = 128 * 1_024;

interface Gathered {
  readonly items: Item[];
  chars: number;
}

/** `send` carries a message to a node; it never throws. */
export function makeOutbox(send: (node: string, items: readonly Item[]) => void): Outbox {
  const waiting = new Map<string, Gathered>();
  let isDue = false;
  const flush = (): void => {
    isDue = false;
    const messages = [...waiting];
    waiting.clear();
    for (const [node, { items }] of messages) send(node, items);
  };
  const gather = (node: string): Gathered => {
    const known = waiting.get(node);
    if (known !== undefined) return known;
    const fresh: Gathered = { items: [], chars: 0 };
    waiting.set(node, fresh);
    if (!isDue) queueMicrotask(() => isDue && flush());
    isDue = true;
    return fresh;
  };
  return {
    put: (node, item) => void gather(node).items.push(item),
    show(node, slot, texts, answer) {
      const gathered = gather(node);
      const last = gathered.items.at(-1);
      const answered = answer && { ...answer, p: slot };
      const isShared = last?.t === 'frames' && last.texts === texts;
      if (isShared && (last.answered === undefined || answered === undefined)) {
        last.p.push(slot);
        if (answered !== undefined) last.answered = answered;
        return;
      }
      gathered.items.push({ t: 'frames', p: [slot], texts, ...(answered && { answered }) });
      for (const text of texts) gathered.chars += text.length;
      if (gathered.chars > MESSAGE_CHARS_MAX) flush();
    },
    flush,
  };
}
