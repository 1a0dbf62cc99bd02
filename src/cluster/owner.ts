/** Serves other nodes: their players subscribe to the sessions owned here like local ones. */

import { separately, withAnswer } from '../runtime/host/answers.ts';
import type { LocalHost } from '../runtime/host/match-host.ts';
import type { PlayerCommand } from '../runtime/host/player-work.ts';
import type { Subscriber, WorkOutcome, WorkResult } from '../runtime/host/work.ts';
import type { Answer, Ask, ForOwner, SlotId } from './messages.ts';
import type { Outbox } from './outbox.ts';

export interface OwnerDeps {
  readonly local: LocalHost;
  readonly outbox: Outbox;
  /** May this node serve a session that it does not have in memory? Rejects when the store cannot say. */
  mayServe(session: string): Promise<boolean>;
}

export interface Owner {
  receive(edge: string, item: ForOwner): void;
  /** The link to a node broke: its players have to attach again. */
  linkLost(edge: string): void;
}

/** A subscriber on another node. */
interface Guest extends Subscriber {
  readonly session: string;
  /** When it leaves: the service ends it, not the player. */
  isPutAway: boolean;
}

type Guests = Map<SlotId, Guest>;

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
    receive(edge, item) {
      if (item.t === 'attach') attach(deps, edge, guestsOf(edge), item);
      else if (item.t === 'ask') {
        void answer(deps, item.s, item.ask).then((told) =>
          outbox.put(edge, { t: 'answer', n: item.n, answer: told }),
        );
      } else {
        const guest = byEdge.get(edge)?.get(item.p);
        if (guest !== undefined) serve(deps, edge, guestsOf(edge), guest, item);
        // Its node considers it attached here.
        else if (item.t !== 'detach') outbox.put(edge, { t: 'lost', p: [item.p] });
      }
    },
    linkLost(edge) {
      const guests = byEdge.get(edge);
      if (guests === undefined) return;
      byEdge.delete(edge);
      // Over a new link, so that the other side learns of the break at once.
      outbox.put(edge, { t: 'lost', p: [...guests.keys()] });
      // Their sockets may be open, or their node has died.
      for (const p of [...guests.keys()]) leave(local, guests, p, true);
    },
  };
}

function leave(local: LocalHost, guests: Guests, p: SlotId, isPutAway: boolean): void {
  const guest = guests.get(p)!;
  guests.delete(p);
  guest.isPutAway = isPutAway;
  local.detach(guest.session, guest, isPutAway);
}

type AttachItem = Extract<ForOwner, { t: 'attach' }>;

function attach(
  deps: OwnerDeps,
  edge: string,
  guests: Guests,
  { s: session, p, viewer, player, wire }: AttachItem,
): void {
  const { local, outbox } = deps;
  const guest: Guest = {
    viewer,
    player,
    session,
    wire: wire ?? 1,
    isPutAway: true,
    send: (texts, answer) =>
      wire === undefined
        ? outbox.show(edge, p, withAnswer(1, texts, answer))
        : outbox.show(edge, p, texts, answer),
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
      // It may have left meanwhile.
      if (guests.get(p) === guest) reply(toReply(result));
      else local.detach(session, guest, guest.isPutAway);
    });
  if (local.has(session)) go();
  else void mayServe(deps, session).then((isMine) => (isMine ? go() : reply(NOT_MINE)));
}

/** Not while the store cannot say who owns the session. */
function mayServe({ mayServe: ask }: OwnerDeps, session: string): Promise<boolean> {
  return ask(session).catch(() => false);
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
      leave(local, guests, item.p, item.putAway === true);
      return;
    case 'play':
      play(local, guest, item.command);
      return;
    case 'hold': {
      if (viewer === null) return;
      const refusal = local.hold(session, viewer, item.from, item.masks);
      if (refusal === null) return;
      const { code, error } = refusal;
      guest.send([], separately({ s: session, id: null, told: { kind: 'rejected', code, error } }));
      return;
    }
    case 'relay':
      local.relay(session, (v) => JSON.stringify({ ...item.frame, v, prev: v }));
      return;
    case 'state': {
      if (item.seen !== null) local.noteSeen(session, item.seen);
      const texts = local.stateFor(session, viewer, item.seen ?? undefined, guest.wire);
      outbox.put(edge, { t: 'whole', p: item.p, texts });
      return;
    }
  }
}

/** When the session has left memory, the guest's node sends the command to the session's new owner. */
function play(local: LocalHost, guest: Guest, command: PlayerCommand): void {
  const { session, viewer } = guest;
  if (viewer === null) return;
  if (local.has(session)) local.play(session, viewer, command, guest);
  else guest.lost();
}

async function answer(deps: OwnerDeps, session: string, ask: Ask): Promise<Answer> {
  const { local } = deps;
  if (!local.has(session) && !(await mayServe(deps, session))) return NOT_MINE;
  if (ask.kind === 'play') return toReply(await local.playAs(session, ask.seat, ask.command));
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
        resolve(isStale ? { kind: 'stale' } : toReply(result));
        return undefined;
      },
    });
  });
}

/** The part of a result that is sent between nodes. */
function toReply(result: WorkResult | WorkOutcome): Answer {
  if (result.kind === 'done') return { kind: 'done', v: result.v };
  if (result.kind === 'rejected' && result.isUndone === true) return NOT_MINE;
  return result;
}
