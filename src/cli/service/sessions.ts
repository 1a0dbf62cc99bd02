/** `matchd sessions`: matches of a running service, with a key: listed, shown, watched, ended. */

import { type ConnectionEvent, connect } from '../../../sdk/src/client/index.ts';
import type { Environment } from '../../config.ts';
import { type Answer, failed } from '../terminal/answer.ts';
import { untilStopped } from '../terminal/stop-signal.ts';
import { printFields, printTable } from '../terminal/text-table.ts';
import { askService, parseLimit } from './ask-service.ts';
import type { ClientOptions } from './client.ts';

export interface SessionsOptions extends ClientOptions {
  readonly game?: string;
  readonly status?: string;
  readonly player?: string;
  readonly limit?: string;
  readonly reason?: string;
  readonly json?: boolean;
}

type Result = { readonly winners: readonly (string | null)[]; readonly reason: string } | null;

/** The winner and the reason; an erased player has no name. */
function resultText(result: Result): string {
  if (result === null) return '';
  const { winners, reason } = result;
  if (winners.length === 0) return reason === 'aborted' ? reason : `drawn (${reason})`;
  return `${winners.map((id) => id ?? 'an erased player').join(', ')} won (${reason})`;
}

export function listSessions(env: Environment, options: SessionsOptions): Promise<Answer | null> {
  const { game, status, player: playerId, limit = '25' } = options;
  const count = parseLimit(limit);
  if (typeof count !== 'number') return Promise.resolve(count);
  return askService(env, options, async (api) => {
    // The service checks the arguments, and says what is valid.
    const filter = { game, status, playerId, limit: count } as Parameters<
      typeof api.sessions.list
    >[0];
    const { data } = await api.sessions.list(filter).page();
    const rows = data.map((session) => {
      const { sessionId, game: name, mode, status: state, players, createdAt, result } = session;
      return [
        sessionId,
        name,
        mode,
        state,
        createdAt,
        resultText(result),
        players.map(({ id }) => id).join(', '),
      ];
    });
    return {
      json: { data },
      text: printTable(
        ['SESSION', 'GAME', 'MODE', 'STATUS', 'CREATED', 'RESULT', 'PLAYERS'],
        rows,
        'No sessions.',
      ),
    };
  });
}

export function showSession(
  env: Environment,
  id: string,
  options: ClientOptions,
): Promise<Answer | null> {
  return askService(env, options, async (api) => {
    const session = await api.sessions.get(id);
    const { result, players } = session;
    const seats = players.map(({ seat, id: player, isBot, connected }): [string, string] => [
      `seat ${seat}`,
      `${player}${isBot ? ' (bot)' : ''}${connected ? ', connected' : ''}`,
    ]);
    const text = printFields([
      ['session', session.sessionId],
      ['game', `${session.game} (${session.variant})`],
      ['mode', session.mode],
      ['status', session.status],
      ...seats,
      ['created', session.createdAt],
      ['started', session.startedAt ?? ''],
      ['ended', session.endedAt ?? ''],
      ['result', result === null ? '' : `${result.reason}, winner ${result.winner ?? 'nobody'}`],
    ]);
    return { json: session, text };
  });
}

export function endSession(
  env: Environment,
  id: string,
  options: SessionsOptions,
): Promise<Answer | null> {
  return askService(env, options, async (api) => {
    const session = await api.sessions.end(id, options.reason);
    return { json: session, text: `${id} has ended: ${session.result?.reason ?? ''}` };
  });
}

/** Prints each event until the match is over, or it is told to stop. */
export function watchSession(
  env: Environment,
  id: string,
  options: SessionsOptions,
): Promise<Answer | null> {
  return askService(env, options, async (api, base) => {
    const { token } = await api.sessions.watch(id);
    const client = connect({ url: base, token });
    const end = Promise.withResolvers<string | null>();
    void untilStopped().then(() => end.resolve(null));
    client.on((event) => {
      const line = lineOf(event);
      if (line !== null) {
        const text = options.json ? JSON.stringify(line) : `${line.t}  ${JSON.stringify(line)}`;
        process.stdout.write(`${text}\n`);
      }
      const isLost = event.kind === 'status' && event.status.kind === 'failed';
      if (isLost) end.resolve(`${base} no longer allows watching it`);
      if (client.session(id).view?.status === 'ended') end.resolve(null);
    });
    const problem = await end.promise;
    client.close();
    return problem === null ? null : failed(problem);
  });
}

/**
 * Frames as they arrived, and the state of the connection; nothing that opens a socket. Null for
 * other messages.
 */
function lineOf(event: ConnectionEvent): { readonly t: string } | null {
  switch (event.kind) {
    case 'session':
      return event.cause;
    case 'status':
      return { t: 'line', ...event.status };
    case 'emote':
      return { t: 'emote', ...event };
    default:
      return null;
  }
}
