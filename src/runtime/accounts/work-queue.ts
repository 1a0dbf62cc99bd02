/** A queue for work that takes a core for a while. It is bounded, and no caller takes all of it (rule D2). */

/** The kinds of callers. Each kind has its own queue, and the queues take turns. */
const KINDS = ['known', 'linked', 'stranger'] as const;
/** Known browsers, by account; holders of a valid link; everybody else. */
export type WorkKind = (typeof KINDS)[number];

/** Running at once: matches need the cores too. */
const RUNNING_MAX = 1;
/** With more than these, the wait would be longer than anybody's patience. */
const WAITING_MAX: Readonly<Record<WorkKind, number>> = { known: 20, linked: 10, stranger: 20 };

/** The caller that work is for. */
export interface WorkFor {
  readonly kind: WorkKind;
  /** The shares that the work counts against, and the maximum of each. Running work counts too. */
  readonly shares: readonly { readonly name: string; readonly max: number }[];
}

/** Runs the work when its turn comes; 'busy', at once, when the queue or one of its shares is full. */
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
    // Finished work hands its slot to the next in the queue, so that no newcomer takes it.
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

/** One queue for each kind, and which kind is next. */
function makeTurns() {
  const waiting: Record<WorkKind, (() => void)[]> = { known: [], linked: [], stranger: [] };
  let next = 0;
  return {
    /** Resolves when the caller's turn comes. */
    take(kind: WorkKind): Promise<void> | 'busy' {
      const line = waiting[kind];
      if (line.length >= WAITING_MAX[kind]) return 'busy';
      return new Promise((resolve) => line.push(resolve));
    },
    /** Gives the turn to the next caller; false when the queues are empty. */
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
