/** What other nodes ask about the sessions held here: their players are shown them like those here. */

import type { LocalHost } from '../runtime/match-host.ts';
import type { PlayerCommand } from '../runtime/player-work.ts';
import type { Subscriber, Told, WorkResult } from '../runtime/work.ts';
import type { Answer, Ask, ForOwner, PlaceId } from './messages.ts';
import type { Outbox } from './outbox.ts';

export interface OwnerDeps {
  readonly local: LocalHost;
  readonly outbox: Outbox;
  /** May this node answer for a session that it has not in memory? Rejects when that cannot be asked. */
  mayHold(session: string): Promise<boolean>;
}

export interface Owner {
  take(edge: string, item: ForOwner): void;
  /** The link to a node broke: whoever is shown something there has to come anew. */
  lost(edge: string): void;
}

/** Somebody on another node who is shown a session. */
interface Guest extends Subscriber {
  readonly session: string;
  /** What he asked for before he was let in; null from then on. */
  early: PlayerCommand[] | null;
  /** He left before he was let in; and was it the service that ended it, and not he? */
  hasLeft: boolean;
  isPutAway: boolean;
}

type Guests = Map<PlaceId, Guest>;

const NOT_MINE = { kind: 'not_mine' } as const;

export function makeOwner(deps: OwnerDeps): Owner {
  const { local, outbox } = deps;
  const byEdge = new Map<string, Guests>();
  const guestsOf = (edge: string): Guests => {
    const known = byEdge.get(edge);
    if (known !== undefined) return known;
    const fresh: Guests = new Map();
    byEdge.set(edge, fresh);
    return fresh;
  };

  return {
    take(edge, item) {
      if (item.t === 'attach') attach(deps, edge, guestsOf(edge), item);
      else if (item.t === 'ask') {
        void answer(deps, item.s, item.ask).then((told) =>
          outbox.put(edge, { t: 'answer', n: item.n, answer: told }),
        );
      } else {
        const guest = byEdge.get(edge)?.get(item.p);
        if (guest !== undefined) serve(deps, edge, guestsOf(edge), guest, item);
        // He believes to be here, and is not.
        else if (item.t !== 'detach') outbox.put(edge, { t: 'lost', p: [item.p] });
      }
    },
    lost(edge) {
      const guests = byEdge.get(edge);
      if (guests === undefined) return;
      byEdge.delete(edge);
      // Their sockets may be open, or their node has died.
      for (const guest of guests.values()) leave(local, guest, true);
      // Over a new link, so that the other side hears of the break at once.
      outbox.put(edge, { t: 'lost', p: [...guests.keys()] });
    },
  };
}

function leave(local: LocalHost, guest: Guest, isPutAway: boolean): void {
  guest.hasLeft = true;
  guest.isPutAway = isPutAway;
  local.detach(guest.session, guest, isPutAway);
}

type AttachItem = Extract<ForOwner, { t: 'attach' }>;

function attach(
  deps: OwnerDeps,
  edge: string,
  guests: Guests,
  { s: session, p, viewer, player }: AttachItem,
): void {
  const { local, outbox } = deps;
  const guest: Guest = {
    viewer,
    player,
    session,
    early: [],
    hasLeft: false,
    isPutAway: false,
    send: (texts) => outbox.show(edge, p, texts),
    lost() {
      if (guests.delete(p)) outbox.put(edge, { t: 'lost', p: [p] });
    },
  };
  guests.set(p, guest);
  const reply = (told: Answer): void => {
    if (told.kind !== 'done') guests.delete(p);
    outbox.put(edge, { t: 'attached', p, answer: told });
  };
  const go = (): void =>
    local.attach(session, guest, (result) => {
      if (guest.hasLeft) {
        local.detach(session, guest, guest.isPutAway);
        return;
      }
      reply(toTold(result));
      // Who is refused has it done elsewhere, by his own node.
      const early = result.kind === 'done' ? (guest.early ?? []) : [];
      guest.early = null;
      for (const command of early) play(local, guest, command);
    });
  if (local.has(session)) go();
  else
    deps.mayHold(session).then(
      (isMine) => (isMine ? go() : reply(NOT_MINE)),
      () => reply(NOT_MINE),
    );
}

function serve(
  { local, outbox }: OwnerDeps,
  edge: string,
  guests: Guests,
  guest: Guest,
  item: Exclude<ForOwner, { t: 'attach' | 'ask' }>,
): void {
  const { session, viewer } = guest;
  switch (item.t) {
    case 'detach':
      guests.delete(item.p);
      leave(local, guest, item.putAway === true);
      return;
    case 'play':
      if (guest.early === null) play(local, guest, item.command);
      else guest.early.push(item.command);
      return;
    case 'hold': {
      if (viewer === null) return;
      const refusal = local.hold(session, viewer, item.from, item.masks);
      if (refusal === null) return;
      const { code, error } = refusal;
      guest.send([JSON.stringify({ t: 'reject', s: session, id: null, code, error })]);
      return;
    }
    case 'relay':
      local.relay(session, (v) => JSON.stringify({ ...item.frame, v, prev: v }));
      return;
    case 'state': {
      if (item.seen !== null) local.noteSeen(session, item.seen);
      const texts = local.stateFor(session, viewer, item.seen ?? undefined);
      outbox.put(edge, { t: 'whole', p: item.p, texts });
      return;
    }
  }
}

/** Of a session that has left memory his node is told: it has the command done wherever that is now. */
function play(local: LocalHost, guest: Guest, command: PlayerCommand): void {
  const { session, viewer } = guest;
  if (viewer === null) return;
  if (local.has(session)) local.play(session, viewer, command, guest);
  else guest.lost();
}

async function answer(deps: OwnerDeps, session: string, ask: Ask): Promise<Answer> {
  const { local } = deps;
  const isMine = local.has(session) || (await deps.mayHold(session).catch(() => false));
  if (!isMine) return NOT_MINE;
  if (ask.kind === 'play') return toTold(await local.playAs(session, ask.seat, ask.command));
  const { v, command, change, roster } = ask;
  return new Promise((resolve) => {
    let isStale = false;
    local.run(session, {
      command({ session: now }) {
        isStale = now.v !== v;
        return isStale ? { code: 'busy', error: '' } : command;
      },
      ...(change === null ? null : { change: () => change }),
      ...(roster === null ? null : { roster: () => roster }),
      done(result) {
        resolve(isStale ? { kind: 'stale' } : toTold(result));
        return undefined;
      },
    });
  });
}

/** What crosses the network of a result; whoever asks looks again when the session has moved. */
function toTold(result: WorkResult | Told): Answer {
  if (result.kind === 'done') return { kind: 'done', v: result.v };
  if (result.kind === 'rejected' && result.isUndone === true) return NOT_MINE;
  return result;
}
