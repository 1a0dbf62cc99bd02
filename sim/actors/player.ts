/** A player's client: connects, shows what it is sent, moves, and reconnects whatever happens. */

import { type AnsweredCommand, PASSING, type ReadFrame } from '../check/history.ts';
import type { Chance } from '../kernel/chance.ts';
import type { ClientSocket } from '../world/network.ts';
import { type Chain, makeChain } from './chain.ts';
import type { Scene } from './scene.ts';

/** A player's attempt, until its result is known. */
interface Command extends AnsweredCommand {
  readonly frame: object;
  /** When it was first sent, and last. */
  readonly since: number;
  sentAt: number;
  /** The socket that it was last sent over. */
  socket: ClientSocket | null;
  /** How often it was sent. */
  sends: number;
}

/** One session as the client knows it. */
interface Place {
  readonly session: string;
  v: number;
  seat: number | null;
  status: string;
  pending: Command | null;
  isThinking: boolean;
  /** The possible actions now, when it is this player's turn. */
  legal: readonly unknown[];
  /** Since when it has been their turn; null when it is not. */
  turnSince: number | null;
  /** What the current socket has received. */
  chain: Chain;
  /**
   * Ids that were acknowledged over this socket and then reused for another command: to be refused.
   */
  readonly reused: Set<string>;
  /**
   * When this socket sent that it knows an older version; null once a state or a refusal arrived.
   */
  resumed: { readonly v: number; readonly at: number } | null;
  /** The next tick of a tick game, as far as known. */
  tick: number | null;
}

export interface Player {
  readonly id: string;
  /** They have no seat and no presence. */
  readonly isWatcher: boolean;
  readonly places: ReadonlyMap<string, Place>;
  isOpen(): boolean;
  /** Their command that went over the current socket, and when; null when none is outstanding. */
  outstanding(place: Place): { readonly id: string; readonly sentAt: number } | null;
  /**
   * A whole state that it requested by `hello` and has not been shown: by what version, and when.
   */
  resumed(place: Place): { readonly v: number; readonly at: number } | null;
  /** Leaves permanently. */
  leave(): void;
}

/** Closes after which the token is no longer valid. */
const FINAL_CLOSES = new Set([4401, 4403, 4409, 4410]);
/** The connection broke: some do not reconnect after it. */
const BROKEN = 1006;
const ANSWER_MS = 4_000;
const BACK_MS_MAX = 1_500;
const POLL_MS = 1_000;
const LAZY_MS_MAX = 10_000;

interface State {
  readonly scene: Scene;
  /** Sends nothing twice over one socket: an accepted command will be answered (rule P4). */
  readonly isPatient: boolean;
  readonly chance: Chance;
  readonly id: string;
  readonly places: Map<string, Place>;
  token: string;
  socket: ClientSocket | null;
  isWelcome: boolean;
  isGone: boolean;
  commands: number;
}

export function makePlayer(
  scene: Scene,
  chance: Chance,
  id: string,
  token: string,
  isWatcher = false,
): Player {
  const state: State = {
    scene,
    chance,
    id,
    token,
    places: new Map<string, Place>(),
    isPatient: id.charCodeAt(id.length - 1) % 2 === 0,
    socket: null,
    isWelcome: false,
    isGone: false,
    commands: 0,
  };
  connect(state);
  look(state);
  return {
    id,
    isWatcher,
    places: state.places,
    isOpen: () => state.isWelcome,
    outstanding: ({ pending }) =>
      state.isPatient && pending !== null && pending.socket === state.socket ? pending : null,
    resumed: ({ resumed }) => (state.isWelcome ? resumed : null),
    leave() {
      state.isGone = true;
      state.socket?.close();
      state.socket = null;
    },
  };
}

function connect(state: State): void {
  const { scene, chance } = state;
  if (state.isGone || state.socket !== null) return;
  const node = scene.balance(chance);
  if (node === null) {
    scene.timeline.after(chance.fraction() * BACK_MS_MAX, () => connect(state));
    return;
  }
  scene.history.seen(state.id);
  const address = `198.51.${chance.below(256)}.${chance.below(256)}`;
  const socket = scene.network.connect(node, state.token, address, {
    message(text) {
      if (state.socket === socket) takeFrame(state, scene.history.read(text));
    },
    closed(code) {
      if (state.socket !== socket) return;
      disconnected(state);
      scene.trace.note('closed', state.id, code);
      const isLeft = code === BROKEN && scene.has('drops') && chance.hit(0.3);
      if (isLeft || FINAL_CLOSES.has(code)) state.isGone = true;
    },
  });
  state.socket = socket;
}

function disconnected(state: State): void {
  const { scene, chance } = state;
  state.socket = null;
  state.isWelcome = false;
  for (const place of state.places.values()) {
    Object.assign(place, { chain: makeChain(), resumed: null, tick: null });
    place.reused.clear();
  }
  scene.timeline.after(chance.fraction() * BACK_MS_MAX, () => connect(state));
}

/** Sometimes resends unanswered commands, or loses the connection. */
function look(state: State): void {
  const { scene, chance } = state;
  scene.timeline.after(POLL_MS * (0.5 + chance.fraction()), () => {
    if (state.isGone) return;
    look(state);
    if (state.socket === null) return;
    if (state.isWelcome) scene.history.seen(state.id);
    if (scene.isActive() && scene.has('drops') && chance.hit(0.03)) {
      const { socket } = state;
      disconnected(state);
      if (scene.has('halfOpen') && chance.hit(0.5)) socket.breakUnseen();
      else socket.close();
      // Some never reconnect.
      state.isGone = chance.hit(scene.has('leavers') ? 0.5 : 0.1);
      return;
    }
    if (state.isWelcome) for (const place of state.places.values()) fidget(state, place);
    const now = scene.timeline.now();
    for (const { pending } of state.places.values()) {
      const isDue = pending !== null && !state.isPatient && now - pending.sentAt > ANSWER_MS;
      if (isDue) send(state, pending);
    }
  });
}

/** What a client may do at any time besides moves. */
function fidget(state: State, place: Place): void {
  const { scene, chance, socket } = state;
  const { session: s } = place;
  if (place.tick !== null && place.seat !== null) {
    const masks = Array.from({ length: 20 }, () => chance.below(512));
    socket?.send({ t: 'in', s, from: place.tick + 3, masks });
  }
  const mayLeave = place.status === 'pending' && place.seat !== null && place.pending === null;
  if (scene.has('leavers') && mayLeave && chance.hit(0.1)) {
    ask(state, place, (id) => ({ t: 'leave', s, id }));
    return;
  }
  if (!scene.has('lazy') || place.v < 1) return;
  if (place.resumed !== null) {
    // An unreadable message was not refused either: it is requested again.
    if (chance.hit(0.3)) socket?.send({ t: 'hello', resume: { [s]: place.resumed.v } });
    return;
  }
  if (!chance.hit(0.1)) return;
  // As a client that returns with stored commands.
  const v = place.v - (chance.hit(0.7) ? 1 : 0);
  if (v < place.v) place.resumed = { v, at: scene.timeline.now() };
  socket?.send({ t: 'hello', resume: { [s]: v } });
}

function send(state: State, command: Command): void {
  command.sends += 1;
  command.sentAt = state.scene.timeline.now();
  command.socket = state.socket;
  state.socket?.send(command.frame);
}

function takeFrame(state: State, frame: ReadFrame): void {
  const { scene } = state;
  scene.trace.note(
    'frame',
    state.id,
    frame.t,
    String(frame.s).slice(-4),
    frame.v ?? String(frame['code'] ?? ''),
  );
  if (frame.t === 'welcome') {
    state.isWelcome = true;
    scene.history.seen(state.id);
    state.token = frame['resumeToken'] as string;
    return;
  }
  if (typeof frame.s !== 'string') return;
  const place = placeOf(state, frame.s);
  if (frame.t === 'left' || isLeftBefore(place, frame)) state.places.delete(frame.s);
  else if (frame.t === 'ticks') takeTicks(place, frame);
  else if (frame.t === 'ack' || frame.t === 'reject') takeAnswer(state, place, frame);
  else if (frame.v !== undefined) takeNews(state, place, frame);
}

/** A player who has left has no seat to leave: the response was lost. */
function isLeftBefore({ pending }: Place, frame: ReadFrame): boolean {
  const isLeaving = pending !== null && 't' in pending.frame && pending.frame.t === 'leave';
  return isLeaving && frame['id'] === pending.id && frame['code'] === 'unknown_session';
}

function placeOf({ places }: State, session: string): Place {
  const known = places.get(session);
  if (known !== undefined) return known;
  const place: Place = {
    session,
    v: -1,
    seat: null,
    status: 'pending',
    pending: null,
    isThinking: false,
    legal: [],
    turnSince: null,
    chain: makeChain(),
    reused: new Set<string>(),
    resumed: null,
    tick: null,
  };
  places.set(session, place);
  return place;
}

/** The last number of each run is its length in ticks. */
function takeTicks(place: Place, frame: ReadFrame): void {
  const inputs = frame['inputs'] as readonly (readonly number[])[];
  place.tick = inputs.reduce((sum, run) => sum + run.at(-1)!, frame['from'] as number);
}

function takeAnswer(state: State, place: Place, frame: ReadFrame): void {
  const { pending } = place;
  const id = String(frame['id']);
  if (frame['id'] === null) place.resumed = null;
  if (place.reused.has(id)) {
    takeReuse(state, place, frame, id);
    return;
  }
  if (frame['code'] === 'id_reused')
    state.scene.history.found(`P4: ${id} of ${place.session} was used once and refused as used`);
  if (pending === null || frame['id'] !== pending.id) {
    // An answer to a command that was sent twice.
    if (frame.t === 'ack' && place.seat !== null) {
      state.scene.history.acked({ session: place.session, seat: place.seat, id }, frame.v!);
    }
    return;
  }
  if (frame.t === 'ack') {
    place.pending = null;
    state.scene.history.acked(pending, frame.v!);
    reuse(state, place, pending);
    // Its effect may have been shown already.
    if (place.v > frame.v!) think(state, place);
  } else if (PASSING.has(frame['code'])) {
    const wait = 100 + state.chance.fraction() * BACK_MS_MAX;
    // Without a connection it is sent with the first state on the next one.
    state.scene.timeline.after(wait, () => {
      if (place.pending === pending && state.isWelcome) send(state, pending);
    });
  } else {
    place.pending = null;
    think(state, place);
  }
}

/** The id of an answered command, for another one: an id sent only once gets no other answer. */
function reuse(state: State, place: Place, { id, sends, socket, frame }: Command): void {
  const { scene, chance } = state;
  if (!scene.has('reuses') || sends > 1 || socket !== state.socket || !chance.hit(0.1)) return;
  place.reused.add(id);
  // Commands for a left seat are only answered with its being open.
  if ('t' in frame && frame.t === 'leave') return;
  const isResign = 't' in frame && frame.t === 'resign';
  const other = isResign || chance.hit(0.5) ? { t: 'draw', do: 'offer' } : { t: 'resign' };
  state.socket?.send({ ...other, s: place.session, id });
}

function takeReuse(state: State, place: Place, frame: ReadFrame, id: string): void {
  const { code } = frame;
  if (frame.t === 'reject' && (code === 'id_reused' || PASSING.has(code))) return;
  const told = frame.t === 'ack' ? `acknowledged as ${frame.v}` : `refused as ${String(code)}`;
  state.scene.history.found(`P4: ${id} of ${place.session} was used again and is ${told}`);
}

const BROKEN_LINKS: Partial<Record<ReturnType<Chain['take']>, string>> = {
  gap: 'leaves out what is before it',
  unfounded: 'comes before any whole state',
  torn: 'follows what was replaced by a later version',
};

function takeNews(state: State, place: Place, frame: ReadFrame): void {
  const v = frame.v!;
  const wrong = BROKEN_LINKS[place.chain.take(frame)];
  if (wrong !== undefined) {
    state.scene.history.found(
      `P3: ${frame.t} ${frame.prev} to ${v} of ${place.session}, shown to ${state.id}, ${wrong}`,
    );
  }
  if (frame.t === 'state') {
    place.resumed = null;
    const ticks = frame['ticks'] as { readonly next: number; readonly at: string | null } | null;
    place.tick = ticks?.at == null ? null : ticks.next;
    place.v = v;
    place.seat = frame['seat'] as number | null;
    place.status = String(frame['status']);
    // Commands under way when the connection broke are sent again with their ids.
    const { pending } = place;
    const isToSend = !state.isPatient || pending?.socket !== state.socket;
    if (pending !== null && isToSend) send(state, pending);
  } else {
    if (v <= place.v) return;
    // A frame in between was missed: the whole state is requested.
    if (frame.prev !== undefined && frame.prev > place.v) {
      askAgain(state, place);
      return;
    }
    place.v = v;
    if (frame.t === 'over') place.status = 'ended';
  }
  if (frame.t === 'state' || frame.t === 'update') {
    const { turn, acting, legal } = frame;
    const isActing = Array.isArray(acting) ? acting.includes(place.seat) : turn === place.seat;
    const isToMove = place.status === 'active' && place.seat !== null && isActing;
    place.turnSince = isToMove ? (place.turnSince ?? state.scene.timeline.now()) : null;
    place.legal = isToMove && Array.isArray(legal) ? legal : [];
    think(state, place);
  }
}

/** Some clients wait before the request. */
function askAgain(state: State, place: Place): void {
  const { scene, chance, socket } = state;
  const waitMs = scene.has('lazy') ? chance.fraction() * LAZY_MS_MAX : 0;
  scene.timeline.after(waitMs, () => socket?.send({ t: 'sync', s: place.session }));
}

/** Longer than many turns, ms. */
const DREAM_MS_MAX = 25_000;

/** Moves after a while if it is this player's turn. */
function think(state: State, place: Place): void {
  const { scene, chance } = state;
  if (place.legal.length === 0 || place.pending !== null || place.isThinking) return;
  place.isThinking = true;
  const isDreaming = scene.has('dreamers') && scene.isActive() && chance.hit(0.3);
  const dreamMs = isDreaming ? chance.fraction() * DREAM_MS_MAX : 0;
  scene.timeline.after(dreamMs + scene.plan.paceMs * (0.2 + 1.6 * chance.fraction()), () => {
    place.isThinking = false;
    const mayMove = place.legal.length > 0 && place.pending === null;
    // Without a connection the current state is unknown until the next one.
    if (mayMove && state.isWelcome) command(state, place);
  });
}

/** A command with a new id, sent for the first time. */
function ask(state: State, place: Place, frameOf: (id: string) => object): Command {
  state.commands += 1;
  const id = `${state.id}-${state.commands}`;
  const since = state.scene.timeline.now();
  const { session, seat } = place;
  const timing = { since, sentAt: since, socket: null, sends: 0 };
  const asked: Command = { session, seat: seat!, id, frame: frameOf(id), ...timing };
  place.pending = asked;
  send(state, asked);
  return asked;
}

function command(state: State, place: Place): void {
  const { scene, chance } = state;
  const { session: s } = place;
  const isResigning = scene.has('gestures') && chance.hit(0.01);
  const asked = ask(state, place, (id) =>
    isResigning ? { t: 'resign', s, id } : { t: 'act', s, id, action: chance.pick(place.legal) },
  );
  if (scene.has('twice') && chance.hit(0.2)) send(state, asked);
  if (scene.has('gestures') && chance.hit(0.1)) {
    state.socket?.send({ t: 'emote', s, emote: 'hello' });
  }
}
