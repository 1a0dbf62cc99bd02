/** A part of what `compose.ts` wires: whatever makes sessions, and seats players and bots in them. */

import type { Log } from './log.ts';
import type { MatchEngine } from './match-engine.ts';
import { makeBotService } from './runtime/bots/bot-service.ts';
import { makeBotStreams } from './runtime/bots/bot-streams.ts';
import { PAUSE_MS, startBotRunner } from './runtime/bots/runner.ts';
import { makeThinkers, THINKER } from './runtime/bots/thinkers.ts';
import type { Work } from './runtime/host/work.ts';
import { makeHostedService } from './runtime/matchmaking/hosted.ts';
import { makeQueuedSessions } from './runtime/matchmaking/queue.ts';
import type { Agreements } from './runtime/sessions/agreements.ts';
import { makeErasures } from './runtime/sessions/erasures.ts';
import type { SocketService } from './socket/socket-service.ts';

export type SeatingParts = ReturnType<typeof makeSeatingParts>;

export function makeSeatingParts(
  engine: MatchEngine,
  { sockets, agreements }: { readonly sockets: SocketService; readonly agreements: Agreements },
  log: Log,
) {
  const { store, host, local, clock, randomness, clusterParts, instruments, library } = engine;
  const botStreams = makeBotStreams({
    host,
    store,
    clock,
    onError: (err) => log.error({ err }, 'bot stream failed'),
  });
  const seatedHere: typeof sockets.seated = (row, playerId, seat, isBot = false) => {
    sockets.seated(row, playerId, seat, isBot);
    if (isBot) botStreams.seated(row, playerId, seat);
  };
  local.onSeated(seatedHere);
  const erasures = makeErasures();
  return {
    botStreams,
    seatedHere,
    bots: makeBotService(engine, erasures),
    botRunner: startBotRunner({
      host: { onRest: local.onRest, run: (session, work) => runHere(local, session, work) },
      thinkers: makeThinkers(clock, THINKER, library.filesOf),
      clock,
      randomness,
      pauseMs: PAUSE_MS,
      onThought: (game, ms) => instruments.botThinking(game).observe(ms / 1_000),
      onFault: (session, error) => log.warn({ session, error }, 'a bot did not choose for itself'),
    }),
    sessions: makeQueuedSessions(
      {
        ...engine,
        turns: clusterParts?.cluster.queueTurns,
        bots: store,
        onErased(player) {
          sockets.dropPlayer(player);
          clusterParts?.cluster.notifyErased(player);
        },
        onRematch: agreements.changed,
      },
      erasures,
    ),
    hosted: makeHostedService(
      {
        ...engine,
        isInLobby: sockets.isInLobby,
        onStarted: engine.countStarted,
        isElsewhere: clusterParts?.isElsewhere ?? (() => false),
      },
      erasures,
    ),
  };
}

/** A bot plays only what this process has: a session that has moved has its bots where it is now. */
function runHere(local: MatchEngine['local'], session: string, work: Work): void {
  if (local.has(session)) local.run(session, work);
  else work.done({ kind: 'rejected', code: 'unavailable', error: 'The session has moved' });
}
