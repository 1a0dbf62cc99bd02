/** Work that takes a core for a while, done in turns: few wait, and nobody takes all the places (rule D2). */

/** Who waits: each kind in a line of its own. Of those where somebody waits, each gets a turn after the other. */
const KINDS = ['known', 'linked', 'stranger'] as const;
/** Counted for themselves by the account; with a link that is good; anybody else. */
export type WorkKind = (typeof KINDS)[number];

/** Done at once: matches need the cores too. */
const RUNNING_MAX = 1;
/** More than these wait no longer than anybody would. */
const WAITING_MAX: Readonly<Record<WorkKind, number>> = { known: 20, linked: 10, stranger: 20 };

/** For whom something is worked on. */
export interface WorkFor {
  readonly kind: WorkKind;
  /** Of what few are in line at once, and how many: those under way count too. */
  readonly shares: readonly { readonly name: string; readonly max: number }[];
}

/** Does it when its turn comes; 'busy', at once, when the line or one of the shares is full. */
export interface WorkQueue {
  <T>(whom: WorkFor, work: () => Promise<T>): Promise<T | 'busy'>;
  /** One of the shares is full. */
  isFull(whom: WorkFor): boolean;
}

export function makeWorkQueue(): WorkQueue {
  let running = 0;
  const { take, leave } = makeTurns();
  const inside = new Map<string, number>();
  const add = ({ shares }: WorkFor, n: number): void => {
    for (const { name } of shares) {
      const left = (inside.get(name) ?? 0) + n;
      if (left === 0) inside.delete(name);
      else inside.set(name, left);
    }
  };
  const isFull = ({ shares }: WorkFor): boolean =>
    shares.some(({ name, max }) => (inside.get(name) ?? 0) >= max);
  const run: Omit<WorkQueue, 'isFull'> = async <T>(whom: WorkFor, work: () => Promise<T>) => {
    if (isFull(whom)) return 'busy';
    const turn = running < RUNNING_MAX ? null : take(whom.kind);
    if (turn === 'busy') return 'busy';
    add(whom, 1);
    // Whoever ends hands their place over: nobody slips in between.
    if (turn === null) running += 1;
    else await turn;
    try {
      return await work();
    } finally {
      add(whom, -1);
      if (!leave()) running -= 1;
    }
  };
  return Object.assign(run, { isFull }) as WorkQueue;
}

/** A line for each kind, and whose turn is next. */
function makeTurns() {
  const waiting: Record<WorkKind, (() => void)[]> = { known: [], linked: [], stranger: [] };
  let next = 0;
  return {
    /** Ends when it is their turn. */
    take(kind: WorkKind): Promise<void> | 'busy' {
      const line = waiting[kind];
      if (line.length >= WAITING_MAX[kind]) return 'busy';
      return new Promise((resolve) => line.push(resolve));
    },
    /** Gives the turn to who is next; false when nobody waits. */
    leave(): boolean {
      for (let i = 0; i < KINDS.length; i++) {
        const turn = (next + i) % KINDS.length;
        const begin = waiting[KINDS[turn]!].shift();
        if (begin === undefined) continue;
        next = turn + 1;
        begin();
        return true;
      }
      return false;
    },
  };
}
