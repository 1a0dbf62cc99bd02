/**
 * One end of a link: a reliable, ordered channel to one other node over a network that loses, repeats, reorders
 * and delays. It knows no network and no clock; both are passed in. Each end numbers its lives (`epoch`). A
 * connection is a pair of lives, and every frame names both, so that no frame of an earlier connection is accepted
 * in this one. Messages are sent only after each end has seen the other name its life. A life, and with it the
 * connection, ends when nothing progresses for `STUCK_MS` or when the other end has begun a new one; messages of
 * an ended life are never sent again. So each life delivers a prefix of what the other sent, in order, each once.
 */

/** A frame as it goes out; its messages are JSON texts. */
export interface LinkFrame<Message> {
  /** The sender's life. */
  readonly epoch: number;
  /** The receiver's life, as the sender knows it; 0 when it does not. */
  readonly peer: number;
  /** The receiver's last message that came in order; 0 for none. */
  readonly ack: number;
  /** Number of the first of `messages`; they count from 1 in every life. */
  readonly first: number;
  readonly messages: readonly Message[];
  /** An acknowledgement is due even without messages. */
  readonly asks: boolean;
}

export interface LinkDeps {
  /** A number above all that were given before in this process. */
  nextEpoch(): number;
  emit(frame: LinkFrame<string>): void;
  deliver(message: unknown): void;
  /** The connection is over. Later messages belong to the next. */
  lost(): void;
}

/** All times are in ms since 1970 and never run backwards. */
export interface Link {
  /** Takes a message, a JSON text; `flush` sends it. */
  send(text: string, now: number): void;
  flush(now: number): void;
  take(frame: LinkFrame<unknown>, now: number): void;
  /** Does what is due. To be called at `nextAt` or a little later. */
  tick(now: number): void;
  /** When `tick` has something to do; Infinity for never. */
  nextAt(): number;
  /** Ends the connection, if there is one, without telling the other side. */
  cut(): void;
  /** How often a frame was sent again, or an answer requested, since the other end was last heard of. */
  triesUnheard(): number;
  /** The route is slow from now on, or is not: frames are sent again later. */
  setSlow(isSlow: boolean): void;
}

/** Without progress for this long a connection is over. */
export const STUCK_MS = 3_000;
/** After this long without a frame, an answer is requested. */
const ASK_MS = 1_000;
/** Messages are acknowledged after this long, unless a frame goes back before. */
const ACK_MS = 20;
/** Unacknowledged messages are sent again after this long, then after twice as long, up to the last value. */
const RESEND_MIN_MS = 100;
const RESEND_MAX_MS = 800;
/** Messages in flight at one time. Also how far ahead of a gap messages are kept. */
const WINDOW = 4_096;
/** A frame holds no more messages, and about no more characters, than this. */
const FRAME_MESSAGES_MAX = 256;
const FRAME_CHARS_MAX = 128 * 1024;
/** More unacknowledged messages than this break the link. */
const WAITING_MAX = 65_536;
const WAITING_CHARS_MAX = 32 * 1024 * 1024;

interface State {
  epoch: number;
  /** The other end's life, 0 while it is unknown. */
  peer: number;
  /** The other end has named this life: messages are sent. */
  isOpen: boolean;
  /** Not acknowledged yet, in order; the first has number `base`. */
  readonly waiting: string[];
  chars: number;
  base: number;
  /** How many of `waiting` are in flight. */
  sent: number;
  /** The last message that was delivered. */
  delivered: number;
  /** Messages that came ahead of a gap, by number. */
  readonly early: Map<number, unknown>;
  /** Times. Infinity: not due. */
  heardAt: number;
  movedAt: number;
  askedAt: number;
  ackAt: number;
  resendAt: number;
  resendMs: number;
  tries: number;
  isSlow: boolean;
}

export function makeLink(deps: LinkDeps, now: number): Link {
  const state = begin(deps.nextEpoch(), now);
  return {
    send: (text, at) => send(state, deps, text, at),
    flush: (at) => flush(state, deps, at),
    take: (frame, at) => take(state, deps, frame, at),
    tick: (at) => tick(state, deps, at),
    nextAt: () => nextAt(state),
    cut: () => end(state, deps, state.movedAt),
    triesUnheard: () => state.tries,
    setSlow(isSlow) {
      // Messages in the other direction are considered lost.
      if (isSlow && !state.isSlow) state.sent = 0;
      state.isSlow = isSlow;
    },
  };
}

function begin(epoch: number, now: number): State {
  return {
    epoch,
    peer: 0,
    isOpen: false,
    waiting: [],
    chars: 0,
    base: 1,
    sent: 0,
    delivered: 0,
    early: new Map(),
    heardAt: now,
    movedAt: now,
    askedAt: now,
    ackAt: Infinity,
    resendAt: Infinity,
    resendMs: RESEND_MIN_MS,
    tries: 0,
    isSlow: false,
  };
}

/** Ends this life and begins the next. The listener may send at once. */
function end(state: State, deps: LinkDeps, now: number): void {
  const isLoss = state.isOpen || state.waiting.length > 0;
  const { isSlow, tries } = state;
  Object.assign(state, begin(deps.nextEpoch(), now), { isSlow, tries });
  if (isLoss) deps.lost();
}

function send(state: State, deps: LinkDeps, text: string, now: number): void {
  if (state.waiting.length === 0) state.movedAt = now;
  state.waiting.push(text);
  state.chars += text.length;
  if (state.waiting.length > WAITING_MAX || state.chars > WAITING_CHARS_MAX) end(state, deps, now);
}

/** Sends what has not been sent, or says hello while the link is not open. */
function flush(state: State, deps: LinkDeps, now: number): void {
  const { waiting } = state;
  if (!state.isOpen) {
    if (waiting.length === 0 || state.resendAt !== Infinity) return;
    emit(state, deps, [], 0);
    armResend(state, now);
    return;
  }
  while (state.sent < waiting.length && state.sent < WINDOW) {
    const messages = takeChunk(waiting, state.sent);
    emit(state, deps, messages, state.base + state.sent);
    state.sent += messages.length;
    if (state.resendAt === Infinity) armResend(state, now);
  }
}

/** As many messages as go into one frame, at least one. */
function takeChunk(waiting: readonly string[], from: number): readonly string[] {
  let to = from;
  let chars = 0;
  const last = Math.min(waiting.length, from + FRAME_MESSAGES_MAX, WINDOW);
  while (to < last && (to === from || chars + waiting[to]!.length <= FRAME_CHARS_MAX)) {
    chars += waiting[to]!.length;
    to += 1;
  }
  return waiting.slice(from, to);
}

function armResend(state: State, now: number): void {
  state.resendAt = now + (state.isSlow ? RESEND_MAX_MS : state.resendMs);
}

/** Every frame acknowledges what has come. */
function emit(
  state: State,
  { emit }: LinkDeps,
  messages: readonly string[],
  first: number,
  asks = false,
): void {
  const { epoch, peer, delivered } = state;
  state.ackAt = Infinity;
  emit({ epoch, peer, ack: delivered, first, messages, asks });
}

function take(state: State, deps: LinkDeps, frame: LinkFrame<unknown>, now: number): void {
  // From an ended life of the other end.
  if (frame.epoch < state.peer) return;
  if (frame.epoch > state.peer) {
    if (state.isOpen) end(state, deps, now);
    state.peer = frame.epoch;
  }
  hear(state, now);
  if (frame.peer !== state.epoch) {
    // The other end does not know this life yet: it is told, and then names it.
    emit(state, deps, [], 0);
    return;
  }
  const isOpening = !state.isOpen;
  if (isOpening) open(state, now);
  acknowledge(state, frame.ack, now);
  const isExpected = deliver(state, deps, frame);
  if (isOpening || frame.asks || !isExpected) emit(state, deps, [], 0);
  else if (frame.messages.length > 0) state.ackAt = Math.min(state.ackAt, now + ACK_MS);
  flush(state, deps, now);
}

function hear(state: State, now: number): void {
  state.heardAt = now;
  state.askedAt = now;
  state.tries = 0;
}

function open(state: State, now: number): void {
  state.isOpen = true;
  state.movedAt = now;
  state.resendAt = Infinity;
  state.resendMs = RESEND_MIN_MS;
}

function acknowledge(state: State, ack: number, now: number): void {
  const count = ack - state.base + 1;
  if (count <= 0 || count > state.waiting.length) return;
  for (const text of state.waiting.splice(0, count)) state.chars -= text.length;
  state.base += count;
  state.sent = Math.max(0, state.sent - count);
  state.movedAt = now;
  state.resendMs = RESEND_MIN_MS;
  state.resendAt = Infinity;
  if (state.sent > 0) armResend(state, now);
}

/** Delivers what is next in order. False when the frame was not just that: it is answered at once. */
function deliver(state: State, deps: LinkDeps, frame: LinkFrame<unknown>): boolean {
  if (frame.messages.length === 0) return true;
  const isNext = frame.first === state.delivered + 1;
  for (const [at, message] of frame.messages.entries()) {
    const number = frame.first + at;
    if (number > state.delivered && number <= state.delivered + WINDOW)
      state.early.set(number, message);
  }
  // A listener may end this life: then nothing more is delivered.
  while (state.early.has(state.delivered + 1)) {
    state.delivered += 1;
    const message = state.early.get(state.delivered);
    state.early.delete(state.delivered);
    deps.deliver(message);
  }
  return isNext && state.early.size === 0;
}

function tick(state: State, deps: LinkDeps, now: number): void {
  const isStuck = state.waiting.length > 0 && now - state.movedAt >= STUCK_MS;
  const isSilent = state.isOpen && now - state.heardAt >= STUCK_MS;
  if (isStuck || isSilent) {
    end(state, deps, now);
    // The other side learns of it too, if a frame can reach it at all.
    if (state.waiting.length > 0) flush(state, deps, now);
    else emit(state, deps, [], 0);
    return;
  }
  if (now >= state.resendAt) resend(state, deps, now);
  if (state.isOpen && now - state.askedAt >= ASK_MS) {
    state.askedAt = now;
    state.tries += 1;
    emit(state, deps, [], 0, true);
  }
  if (now >= state.ackAt) emit(state, deps, [], 0);
}

/** On a slow route that rarely loses frames, one frame is enough: the rest is likely to be late. */
function resend(state: State, deps: LinkDeps, now: number): void {
  state.tries += 1;
  state.resendMs = Math.min(state.resendMs * 2, RESEND_MAX_MS);
  if (state.isSlow && state.sent > 0) {
    armResend(state, now);
    emit(state, deps, takeChunk(state.waiting, 0), state.base);
    return;
  }
  state.sent = 0;
  state.resendAt = Infinity;
  flush(state, deps, now);
}

function nextAt(state: State): number {
  const isWaiting = state.waiting.length > 0;
  return Math.min(
    state.ackAt,
    state.resendAt,
    isWaiting ? state.movedAt + STUCK_MS : Infinity,
    state.isOpen ? Math.min(state.heardAt + STUCK_MS, state.askedAt + ASK_MS) : Infinity,
  );
}
