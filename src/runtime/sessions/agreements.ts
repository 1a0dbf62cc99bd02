/** Players' answers to a rematch: stored, and shown on all nodes (rule P13, decision 0046). */

import {
  humansOf,
  isAgreed,
  REMATCH_MS,
  type RematchDo,
  type RematchFrame,
} from '../../match/agreement.ts';
import type { RejectCode } from '../../match/decide.ts';
import { makeTime } from '../../match/frames/frames.ts';
import type { RematchStore, RematchView } from '../../store/rematches.ts';
import type { SettingsStore } from '../../store/settings.ts';
import type { TenancyStore } from '../../store/store.ts';
import { limitsOf } from '../../tenancy/tenant.ts';
import type { LocalHost } from '../host/match-host.ts';
import type { MatchView } from '../host/work.ts';
import type { MakeId } from '../ids.ts';
import type { Clock } from '../ports.ts';
import type { ServiceRefusal, SessionService } from './session-service.ts';

/** A reloaded page is back within this time, so its player has not left. Ms. */
export const LEAVING_MS = 1_500;

export interface AgreementDeps {
  readonly store: RematchStore &
    Pick<TenancyStore, 'findTenant'> &
    Pick<SettingsStore, 'findSettings'>;
  readonly local: Pick<LocalHost, 'relay' | 'has'>;
  readonly clock: Clock;
  readonly makeId: MakeId;
  /** Creates the rematch when the tenant lets the service do it. */
  readonly rematch: SessionService['rematch'];
  /** Another node may show the session as well. */
  notifyOthers(session: string, refused: ServiceRefusal | null): void;
  onError(error: unknown): void;
}

/** A player's answer; without `do` it is only a question. */
export interface RematchAsk {
  readonly session: string;
  readonly seat: number | null;
  readonly player: string | null;
  readonly do?: RematchDo | undefined;
  /** The player has just arrived: the others are shown at once. */
  readonly isNew: boolean;
}

export type RematchAnswer =
  | { readonly kind: 'rejected'; readonly code: RejectCode }
  | {
      readonly kind: 'told';
      readonly view: RematchView;
      readonly refused: ServiceRefusal | null;
    };

export interface Agreements {
  /** The answer is committed when this resolves. Rejects when the store fails. */
  ask(ask: RematchAsk): Promise<RematchAnswer>;
  /** A session's rematch has changed: show it to everybody, on every node. */
  changed(session: string): void;
  /** Another node reports a change. */
  heard(session: string, refused: ServiceRefusal | null): void;
  /** A player took or left a seat's socket. */
  visited(match: MatchView): void;
}

/** All that the functions work on. */
interface Parts {
  readonly deps: AgreementDeps;
  /** By session: the last of its serialized operations. */
  readonly turns: Map<string, Promise<unknown>>;
  /** Sessions about to be shown: changes until then are shown with them. */
  readonly due: Set<string>;
  /** Sessions whose seats connected or disconnected recently. */
  readonly leaving: Set<string>;
}

export function makeAgreements(deps: AgreementDeps): Agreements {
  const parts: Parts = { deps, turns: new Map(), due: new Set(), leaving: new Set() };
  const changed = (session: string, refused: ServiceRefusal | null = null): void => {
    show(parts, session, refused);
    deps.notifyOthers(session, refused);
  };
  return {
    async ask(ask) {
      const { session, seat, player } = ask;
      if (ask.do !== undefined && seat !== null) {
        const now = deps.clock.now();
        const step = { session, seat, player, do: ask.do, now, eventId: deps.makeId('evt') };
        const outcome = await deps.store.stepRematch(step);
        if (outcome !== 'done') return { kind: 'rejected', code: outcome };
      }
      const before = await look(parts, session);
      if (before === null) return { kind: 'rejected', code: 'unknown_session' };
      if (before.endedAt === null) return { kind: 'rejected', code: 'session_not_ended' };
      const refused = await makeNext(deps, session, before);
      if (ask.do !== undefined || ask.isNew || refused !== null) changed(session, refused);
      const view = before.next === null ? await look(parts, session) : before;
      return { kind: 'told', view: view ?? before, refused };
    },
    changed,
    heard: (session, refused) => show(parts, session, refused),
    visited({ row }) {
      const { id, endedAt } = row;
      const isOpen = endedAt !== null && deps.clock.now() - endedAt <= REMATCH_MS;
      if (!isOpen || row.startedAt === null || parts.leaving.has(id)) return;
      parts.leaving.add(id);
      deps.clock.after(LEAVING_MS, () => {
        parts.leaving.delete(id);
        changed(id);
      });
    },
  };
}

/** Reads of one session are shown in their order, so that no player sees an older state after a newer one. */
function inTurn<T>({ turns }: Parts, session: string, act: () => Promise<T>): Promise<T> {
  const before = turns.get(session) ?? Promise.resolve();
  const turn = before.then(act, act);
  turns.set(session, turn);
  const leave = (): void => {
    if (turns.get(session) === turn) turns.delete(session);
  };
  turn.then(leave, leave);
  return turn;
}

function look(parts: Parts, session: string): Promise<RematchView | null> {
  return inTurn(parts, session, () => parts.deps.store.findRematch(session));
}

function show(parts: Parts, session: string, refused: ServiceRefusal | null): void {
  const { deps, due } = parts;
  // Nobody is shown the session here. Otherwise the state is read when its turn comes.
  if (!deps.local.has(session) || (refused === null && due.has(session))) return;
  due.add(session);
  inTurn(parts, session, async () => {
    due.delete(session);
    const view = await deps.store.findRematch(session);
    if (view === null || view.endedAt === null) return;
    const text = JSON.stringify(makeRematchFrame(session, view, refused));
    deps.local.relay(session, () => text);
  }).catch(deps.onError);
}

/**
 * Has the service create the agreed rematch, if the tenant wants that. Every later question retries, so a
 * node's death does not lose it. Returns why it could not be created.
 */
async function makeNext(
  { store, rematch, onError }: AgreementDeps,
  id: string,
  view: RematchView,
): Promise<ServiceRefusal | null> {
  if (view.next !== null || !isAgreedIn(view)) return null;
  try {
    const { rematch: maker } = await store.findSettings(view.tenant, view.world);
    const tenant = maker === 'create' ? await store.findTenant(view.tenant) : null;
    if (tenant === null) return null;
    const modes = [view.mode, view.world];
    const made = await rematch({ tenant: tenant.id, id, modes }, limitsOf(tenant), null);
    return made.ok ? null : made.refusal;
  } catch (error) {
    onError(error);
    return 'unavailable';
  }
}

function isAgreedIn({ agreement, seats }: RematchView): boolean {
  return isAgreed({ agreement, humans: humansOf(seats) });
}

export function makeRematchFrame(
  session: string,
  view: RematchView,
  refused: ServiceRefusal | null,
  answer: { readonly id?: string; readonly token?: string | undefined } = {},
): RematchFrame {
  const { agreement, seats, endedAt, next, ratings } = view;
  const { id, token } = answer;
  return {
    t: 'rematch',
    s: session,
    ...(id === undefined ? null : { id }),
    asked: [...agreement.asked],
    agreed: isAgreedIn(view),
    declined: agreement.declined,
    here: seats.flatMap(({ isHere }, seat) => (isHere ? [seat] : [])),
    until: view.isPossible && endedAt !== null ? makeTime(endedAt + REMATCH_MS) : null,
    next: next === null ? null : { session: next, ...(token === undefined ? null : { token }) },
    refused: next === null ? refused : null,
    ratings: ratings === null ? null : ratings.map(([before, after]) => [before, after]),
  };
}
