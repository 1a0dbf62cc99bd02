/** Bytes sent to sockets and not read yet, counted by address and for the process (rule P5). */

const MIB = 1_024 * 1_024;
/** Of all sockets of one address. Bytes. */
export const ADDRESS_BACKLOG_BYTES_MAX = 16 * MIB;
/** Of all sockets of the process. Bytes. */
export const PROCESS_BACKLOG_BYTES_MAX = 256 * MIB;
/** A socket with no more than this is not closed for other sockets' backlogs. Bytes. */
export const SMALL_BACKLOG_BYTES = 64 * 1_024;

export interface Backlogs {
  /** A socket of that address had `before` bytes queued, and has `now`. */
  note(address: string, before: number, now: number): void;
  /** Must a socket with this many queued bytes be closed, because its address or the process has too many? */
  isCrowded(address: string, bytes: number): boolean;
  /** Bytes queued in the process. */
  total(): number;
}

export function makeBacklogs(): Backlogs {
  const byAddress = new Map<string, number>();
  let total = 0;
  return {
    note(address, before, now) {
      if (before === now) return;
      const bytes = (byAddress.get(address) ?? 0) + now - before;
      if (bytes === 0) byAddress.delete(address);
      else byAddress.set(address, bytes);
      total += now - before;
    },
    isCrowded(address, bytes) {
      if (bytes <= SMALL_BACKLOG_BYTES) return false;
      if (total > PROCESS_BACKLOG_BYTES_MAX) return true;
      return (byAddress.get(address) ?? 0) > ADDRESS_BACKLOG_BYTES_MAX;
    },
    total: () => total,
  };
}
