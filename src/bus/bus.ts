/** The port to the network between nodes. Messages may be lost, repeated, reordered or late. */

/** Longer texts are not carried, in UTF-8 bytes; a bus may carry less. */
export const BUS_TEXT_MAX = 900 * 1024;

/** Is a text at most this many bytes in UTF-8? */
export function isWithin(text: string, bytesMax: number): boolean {
  // A UTF-16 unit takes at most three bytes.
  return text.length * 3 <= bytesMax || Buffer.byteLength(text) <= bytesMax;
}

export interface Bus {
  /** Sends a text to a node and forgets it. Never throws; while the bus is down it is dropped. */
  send(node: string, text: string): void;
  /** Calls for every text that comes for this node. One listener; it must not throw. */
  onMessage(listener: (text: string) => void): void;
  /**
   * Calls when a text could not be delivered: the node's process is gone, or cut off from the bus.
   * One listener; it must not throw.
   */
  onNobody(listener: (node: string) => void): void;
  /** Is a text short enough for the bus as it is now? A longer one is dropped. */
  carries(text: string): boolean;
  /** Is this node connected to the bus? */
  isUp(): boolean;
  close(): Promise<void>;
}
