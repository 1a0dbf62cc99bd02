/** The players' page: combines the parts, shows every change, and sends the player's actions. */

import { announcementOf } from './announcement.ts';
import type { BoardModule, BoardView } from './games/board-view.ts';
import { loadBoard } from './games/index.ts';
import { titleOf } from './games/title.ts';
import { watchedStateOf } from './games/watched-state.ts';
import type { HeldEnd } from './held-end.ts';
import { makeHeldEnd } from './held-end.ts';
import type { Key, Translate } from './i18n/translate.ts';
import { keyOr } from './i18n/translate.ts';
import type { Model, Now } from './model.ts';
import {
  awaySeat,
  canMove,
  isAwaited,
  isOut,
  isToMove,
  seatName,
  spokenName,
  winnersByResigning,
} from './model.ts';
import type { PageDeeds, PageParts, PartsOptions, Rematches } from './page-parts.ts';
import { elementsOf, makeParts } from './page-parts.ts';
import type {
  ActionOf,
  Client,
  ConnectionEvent,
  KnownGame,
  MatchSession,
  Seat,
  SessionView,
} from './protocol.ts';
import { ownNow } from './protocol.ts';
import { endingOf } from './result-words.ts';
import type { Acked } from './sending.ts';
import { sendingOf } from './sending.ts';
import { describeStatus } from './status-line.ts';
import { setText } from './ui/dom.ts';
import type { NoticeKind } from './ui/notice.ts';
import { noticeOf } from './ui/notice.ts';
import { shake } from './ui/shake.ts';
import { vibrateForTurn } from './ui/vibration.ts';
import { whyNoEffect } from './why-no-effect.ts';

/** How often times are refreshed, and how long an error message stays. Milliseconds. */
const TICK_MS = 250;
const REFUSAL_MS = 3_500;

export interface Page {
  /** Handles the connection's events. */
  handle(event: ConnectionEvent): void;
  setOnline(online: boolean): void;
  /** Whether a finished match may still get a rematch. */
  awaitsRematch(): boolean;
  /** The embedding page's setting: it does not change the player's own choice. */
  setMuted(muted: boolean): void;
  /** Repaints canvases after a change of colours. */
  restyle(): void;
}

/** The state that the page's functions share. */
interface Stage {
  readonly root: HTMLElement;
  readonly t: Translate;
  /** Null until the connection is made. Its first event is sent during that call. */
  readonly connection: () => Client | null;
  /** Requests the whole state of a finished match from the server. */
  readonly askReplay: (session: string) => Promise<unknown>;
  readonly parts: PageParts;
  model: Model;
  board: BoardView | null;
  /** The game whose board is shown or being loaded. */
  game: string | null;
  /** Why there is no board although there is a session. */
  boardFault: NoticeKind | null;
  readonly heldEnd: HeldEnd;
  /** Rematch messages while the result is delayed: no rematch is offered before the result is shown. */
  readonly afterEnd: ConnectionEvent[];
  /** The last accepted command. */
  acked: Acked | null;
  /** The commitment received during the match; null when the page was not open then. */
  commitment: string | null;
  cancelRefusal: () => void;
}

/** `connection` is called whenever the player acts; the options come from the address (W1). */
export function makePage(
  root: HTMLElement,
  t: Translate,
  connection: Stage['connection'],
  askReplay: Stage['askReplay'],
  { invite, ballPaths }: Pick<PartsOptions, 'invite' | 'ballPaths'>,
  rematches: Rematches,
): Page {
  const stage: Stage = {
    root,
    t,
    connection,
    askReplay,
    parts: makeParts(
      t,
      { invite, ballPaths, rematches, askReplay },
      deedsOf(root, () => stage),
    ),
    model: {
      connection: { kind: 'connecting', attempt: 0 },
      online: true,
      session: null,
      board: null,
      sending: null,
      refusal: null,
      refused: null,
      watchers: null,
    },
    board: null,
    game: null,
    boardFault: null,
    heldEnd: makeHeldEnd((event) => {
      handleSession(stage, event);
      for (const each of stage.afterEnd.splice(0)) stage.parts.rematch.handle(each);
    }),
    afterEnd: [],
    acked: null,
    commitment: null,
    cancelRefusal: () => {},
  };
  root.replaceChildren(...elementsOf(stage.parts));
  render(stage);
  setInterval(() => tick(stage), TICK_MS);
  return {
    handle(event) {
      handle(stage, event);
      if (stage.heldEnd.session === null) stage.parts.rematch.handle(event);
      else stage.afterEnd.push(event);
    },
    awaitsRematch: () => stage.parts.rematch.isOpen(),
    setOnline: (online) => change(stage, { online }),
    setMuted: (muted) => stage.parts.sound.wishMuted(muted),
    restyle: () => renderBoard(stage),
  };
}

/** The parts' calls to the page, once it is complete. */
function deedsOf(root: HTMLElement, stage: () => Stage): PageDeeds {
  return {
    root,
    client: () => stage().connection(),
    serverNow: () => nowOf(stage()).server,
    session: () => stage().model.session,
    commitment: () => stage().commitment,
    board: () => stage().board,
    act(run) {
      const session = openSession(stage());
      if (session !== null) run(session);
      renewSending(stage());
    },
    askToResign: () => askToResign(stage()),
    refuse: (why) => refuse(stage(), why),
  };
}

function handle(stage: Stage, event: ConnectionEvent): void {
  switch (event.kind) {
    case 'status':
      handleStatus(stage, event.status);
      return;
    case 'credential':
      return;
    case 'session':
      if (isOther(stage, event.session)) return;
      if (stage.heldEnd.holds(event, stage.model.session, stage.model.board)) renderBoard(stage);
      else handleSession(stage, event);
      return;
    case 'acked':
      stage.acked = event;
      renewSending(stage);
      return;
    case 'rejected':
      handleRejection(stage, event);
      return;
    case 'watchers':
      change(stage, { watchers: event.count });
      return;
    case 'emote': {
      const { session } = stage.model;
      if (session?.s !== event.s) return;
      const { t, parts } = stage;
      parts.plates.showEmote(event.seat, event.emote);
      const name = spokenName(session, event.seat, t);
      parts.announcer.announce(t('say.emote', { name, emote: t(`emote.${event.emote}`) }));
      return;
    }
  }
}

/** A lost or restored connection is visible on the page; screen readers get an announcement. */
function handleStatus(stage: Stage, connection: Model['connection']): void {
  const wasOpen = stage.model.connection.kind === 'open';
  // Dialogs that this player can no longer answer are closed.
  if (connection.kind === 'replaced' || connection.kind === 'failed')
    stage.parts.confirm.withdraw();
  change(stage, { connection });
  const { model, parts, t } = stage;
  if (connection.kind === 'open') parts.announcer.withdraw();
  if (model.session === null || model.session.status === 'ended') return;
  if (!wasOpen && connection.kind === 'open') {
    parts.announcer.announce(t('say.connected'));
    parts.trail.showEvent(t('say.connected'));
  }
  if (wasOpen && connection.kind === 'waiting') {
    parts.announcer.interrupt(describeStatus(model, nowOf(stage), t).text);
  }
}

/** The page shows one session: the first one that it receives. */
function isOther({ model }: Stage, { s }: SessionView): boolean {
  return model.session !== null && model.session.s !== s;
}

function handleSession(stage: Stage, event: Extract<ConnectionEvent, { kind: 'session' }>): void {
  const before = stage.model.session;
  const { session, cause } = event;
  if (session.status !== 'ended') stage.commitment ??= session.commitment;
  stage.model = { ...stage.model, session, refused: null };
  // First, because a dialog returns the focus to a button that may be removed later.
  if (session.status === 'ended') stage.parts.confirm.withdraw();
  renewSending(stage);
  if (stage.game !== session.game) void setBoard(stage, session.game);
  const now = nowOf(stage).server;
  const { board } = stage.model;
  const announcement = announcementOf({ before, session, cause, board, now }, stage.t);
  const missedMoves = board?.missedMoves;
  stage.parts.trail.addStep({ before, session, cause, ...(missedMoves && { missedMoves }) });
  stage.parts.trail.showEvent(announcement.event);
  for (const text of announcement.texts) {
    if (announcement.urgent) stage.parts.announcer.interrupt(text);
    else stage.parts.announcer.announce(text);
  }
  soundOf(stage, before, session);
}

/** The sounds of a change besides the board's own. */
function soundOf({ parts }: Stage, before: SessionView | null, session: SessionView): void {
  if (before === null) return;
  if (session.result !== null && before.result === null) {
    const ending = endingOf(session, session.result);
    parts.sound.play(ending === 'won' || ending === 'lost' ? ending : 'over');
  } else if (isToMove(session, session.seat) && !isToMove(before, session.seat)) {
    parts.sound.play('turn');
    vibrateForTurn(parts.settings);
  }
}

async function setBoard(stage: Stage, game: string): Promise<void> {
  stage.game = game;
  let board: BoardModule | null = null;
  try {
    board = await loadBoard(game, stage.t);
    stage.boardFault = null;
  } catch {
    stage.boardFault = 'broken';
  }
  if (stage.game !== game) return;
  if (board !== null) {
    const { announcer, sound } = stage.parts;
    stage.root.dataset['game'] = game;
    stage.board = board.makeBoard({
      t: stage.t,
      play: (action) => play(stage, action),
      say: (text) => announcer.announce(text),
      sound: (cue, loudness) => sound.play(cue, loudness),
      pace: () => 1,
      nameOf: (seat) => nameOf(stage, seat),
      refuse: (why) => tryRefuse(stage, why),
      settings: stage.parts.settings,
      live: {
        predict: (rules, stateOf) => openSession(stage)!.predict(rules, stateOf),
        roundTripMs: () => stage.connection()?.roundTripMs ?? null,
        awaySeat: () => awaySeatOf(stage),
        isAwaited: () => {
          const away = awaySeatOf(stage);
          return away !== null && isAwaited(stage.model.session!, away);
        },
        isConnected: () => stage.model.connection.kind === 'open',
        hasBots: () => stage.model.session?.players.some(({ isBot }) => isBot) === true,
      },
    });
    stage.parts.table.replaceChildren(stage.board.element);
    stage.parts.trail.setBoard(board);
  }
  change(stage, { board });
}

function awaySeatOf({ model: { session } }: Stage): Seat | null {
  return session === null ? null : (awaySeat(session)?.seat ?? null);
}

function nameOf({ model, t }: Stage, seat: Seat): string {
  return model.session === null ? '' : seatName(model.session, seat, t);
}

function play(stage: Stage, action: unknown): void {
  const { session } = stage.model;
  if (session === null || !canMove(stage.model)) return;
  stage.model = { ...stage.model, refused: null };
  // The board knows its game's actions; the server rejects an invalid one.
  void openSession(stage)?.act(action as ActionOf<KnownGame>);
  renewSending(stage);
}

function askToResign(stage: Stage): void {
  const { session } = stage.model;
  if (session === null || session.status !== 'active') return;
  const { t, parts } = stage;
  const winners = winnersByResigning(session).map((seat) =>
    t('confirm.resignDetail', { name: seatName(session, seat, t) }),
  );
  const detail = winners.length === 0 ? t('confirm.resignDetailOthers') : winners.join(' ');
  parts.confirm.ask(t('confirm.resign'), detail, () => {
    // Without a connection it is sent later, if the position is still the same.
    void openSession(stage)?.resign();
    renewSending(stage);
  });
}

function handleRejection(
  stage: Stage,
  { command, code, error }: Extract<ConnectionEvent, { kind: 'rejected' }>,
): void {
  const { t } = stage;
  // A message without an id was rejected: only a rate limit is worth showing.
  if (command === null && code !== 'too_fast') return;
  // The notice shows it.
  if (code === 'replaced') return;
  const { session } = stage.model;
  // A player who is out while others continue gets the same error as after the end.
  const isLeft = code === 'session_ended' && session !== null && isOut(session, session.seat);
  const key: Key = isLeft ? 'reject.out' : keyOr(`reject.${code}`, 'reject.other', t);
  showRefusal(stage, t(key), error);
  renewSending(stage);
}

/** Shows it for a few seconds, on the page and to screen readers. */
function showRefusal(stage: Stage, refusal: string, refused: string | null): void {
  stage.cancelRefusal();
  const timer = setTimeout(() => change(stage, { refusal: null }), REFUSAL_MS);
  stage.cancelRefusal = () => clearTimeout(timer);
  change(stage, { refusal, refused });
  stage.parts.announcer.interrupt(refusal);
}

/** Explains a tap without effect here, without a request to the server. */
function tryRefuse(stage: Stage, why: string | undefined): void {
  const { t, model } = stage;
  const reason = whyNoEffect(model, t) ?? why ?? t('reject.illegal_move');
  if (reason !== '') refuse(stage, reason);
}

function refuse(stage: Stage, reason: string): void {
  showRefusal(stage, reason, stage.model.refused);
  shake(stage.parts.table);
}

/** The session on the page, as it can be played in. */
function openSession({ model, connection }: Stage): MatchSession | null {
  return model.session === null ? null : (connection()?.session(model.session.s) ?? null);
}

function renewSending(stage: Stage): void {
  const unanswered = openSession(stage)?.sending ?? [];
  change(stage, { sending: sendingOf(unanswered, stage.acked, stage.model.session) });
}

function change(stage: Stage, part: Partial<Model>): void {
  stage.model = { ...stage.model, ...part };
  render(stage);
}

function nowOf(stage: Stage): Now {
  const own = ownNow();
  return { own, server: stage.connection()?.serverNow() ?? own };
}

function render(stage: Stage): void {
  const { model, parts, root } = stage;
  const notice = noticeOf(model.connection) ?? stage.boardFault;
  const isEnded = model.session?.status === 'ended';
  // After the end nothing can be lost: the result stays, whatever happens to the connection.
  const shown = isEnded && stage.boardFault === null ? null : notice;
  root.dataset['shows'] = shown === null ? 'match' : 'notice';
  root.dataset['connection'] = model.connection.kind;
  root.setAttribute('aria-busy', String(model.session === null && shown === null));
  parts.notice.show(shown);
  parts.plates.update(model, nowOf(stage));
  parts.footer.update(model);
  parts.onlookers.update(model);
  parts.lobby.update(model.session);
  renderBoard(stage);
  tick(stage);
}

function renderBoard({ board, model, heldEnd }: Stage): void {
  const { sending } = model;
  const session = heldEnd.session ?? model.session;
  if (board === null || session === null) return;
  board.render({
    ...watchedStateOf(session, session.seat ?? 0),
    seat: session.seat,
    canMove: canMove(model),
    sending: sending?.t === 'act' ? sending.action : null,
    refusal: model.refused,
  });
}

function namesOf({ session }: Model, t: Translate): string[] {
  return session === null ? [] : session.players.map(({ seat }) => seatName(session, seat, t));
}

function tick(stage: Stage): void {
  const { model, parts, t } = stage;
  const now = nowOf(stage);
  const line = describeStatus(model, now, t);
  parts.status.show(line, namesOf(model, t));
  parts.plates.tick(model, now);
  const { session } = model;
  const game = session === null ? t('page.noTitle') : titleOf(session.game, t);
  setText(parts.heading, game);
  const title = session === null ? game : `${line.text} · ${game}`;
  if (document.title !== title) document.title = title;
}
