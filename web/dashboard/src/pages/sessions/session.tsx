/** One session, for disputes: board, timeline, players, verdicts, proof, records. */

import { useState } from 'preact/hooks';
import { ask } from '../../api.ts';
import { canManage, useHere, usePageUrl } from '../../here.ts';
import { Copyable, Id } from '../../parts/copy.tsx';
import { saveFile } from '../../parts/csv.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { Fact } from '../../parts/fact.tsx';
import { Rows, useList } from '../../parts/list.tsx';
import { Answer } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { Time } from '../../parts/time.tsx';
import { VERDICT_COLUMNS } from '../../parts/verdict-columns.tsx';
import { useAnswer, useClient } from '../../query.ts';
import type { RequestRow, Session } from '../../types.ts';
import { playerName, resultWords } from '../../words/result.ts';
import { requestColumns } from '../requests.tsx';
import { Stage } from './session-stage.tsx';
import { Timeline } from './session-timeline.tsx';

const REQUEST_ROWS = 10;

interface Check {
  readonly ok: boolean;
  readonly v?: number | null;
  readonly error?: string;
}

export function SessionPage() {
  const { api, id } = useHere();
  const url = usePageUrl();
  const path = `${api}/v1/sessions/${id}`;
  const session = useAnswer<Session>(path, ['sessions']);
  return (
    <div>
      <p>
        <a href={url('sessions')}>← Sessions</a>
      </p>
      <h1 class="id" aria-label={`Session ${id}`}>
        <Id text={id!} />
      </h1>
      <Answer of={session}>{(found) => <Found session={found} path={path} />}</Answer>
    </div>
  );
}

function Found({ session, path }: { readonly session: Session; readonly path: string }) {
  const isEnded = session.status === 'ended';
  return (
    <>
      <p class="lead">
        <span class={`badge ${session.status}`}>{session.status}</span> {session.game},{' '}
        {session.variant}. {isEnded && `${resultWords(session)}.`}
      </p>
      <Acts session={session} path={path} />
      <div class="beside">
        <Stage key={session.status} session={session} path={path} />
        <Timeline
          key={String(isEnded)}
          session={session}
          replay={isEnded ? `${path}/replay` : null}
        />
      </div>
      <section class="card">
        <h2>Players</h2>
        <Seats session={session} />
      </section>
      <section class="card">
        <h2>Device verdicts</h2>
        <Verdicts session={session} />
      </section>
      <section class="card">
        <h2>Facts</h2>
        <Facts session={session} />
      </section>
      <section class="card">
        <h2>Requests</h2>
        <SessionRequests session={session} />
      </section>
      <Proof session={session} />
    </>
  );
}

function Acts({ session, path }: { readonly session: Session; readonly path: string }) {
  const here = useHere();
  const { say } = here;
  const client = useClient();
  const [isEnding, setEnding] = useState(false);
  const [check, setCheck] = useState<Check | null>(null);
  const save = async (): Promise<void> => {
    const replay = await ask(`${path}/replay`);
    saveFile(`${session.sessionId}.json`, 'application/json', JSON.stringify(replay));
  };
  return (
    <>
      <div class="actions">
        <button
          type="button"
          disabled={!canManage(here)}
          onClick={async () => setCheck(await ask<Check>(`${path}/verify`, {}))}
        >
          Verify
        </button>
        <button type="button" onClick={save}>
          Export replay
        </button>
        {session.status !== 'ended' && (
          <button
            type="button"
            class="danger"
            disabled={!canManage(here)}
            onClick={() => setEnding(true)}
          >
            End session
          </button>
        )}
        {!canManage(here) && <span class="hint">Viewers cannot verify or end sessions.</span>}
      </div>
      <p class={`verified ${check?.ok === false ? 'problem' : 'good'}`} role="status">
        {check !== null && checkWords(check)}
      </p>
      {isEnding && (
        <Confirm
          title="End this session?"
          act="End session"
          close={() => setEnding(false)}
          perform={async () => {
            await ask(`${path}/end`, {});
            say('The session has ended.');
            await client.invalidateQueries({ queryKey: [path] });
          }}
        >
          It ends at once for everybody in it, without a winner.
        </Confirm>
      )}
    </>
  );
}

/** Only a record that cannot be replayed means that the log was changed. */
function checkWords({ ok, error = '', v = null }: Check): string {
  if (ok) return 'Verified: every record follows from the one before it, and the result from them.';
  return v === null ? error : `Not as it was written: ${error} at version ${v}`;
}

function Seats({ session }: { readonly session: Session }) {
  const url = usePageUrl();
  const isEnded = session.status === 'ended';
  type Player = Session['players'][number];
  /** In an ended session nobody is connected any more, whatever its last records say. */
  const connection = ({ isBot, connected }: Player): string => {
    if (isEnded) return 'session ended';
    if (isBot && !connected) return 'played by the service';
    return connected ? 'connected' : 'away';
  };
  return (
    <Table<Player>
      label="Players"
      rows={session.players}
      keyOf={({ seat }) => String(seat)}
      empty="No players yet. Players join with the room code."
      columns={[
        { title: 'Seat', cell: ({ seat }) => seat, value: ({ seat }) => seat },
        {
          title: 'Player',
          cell: (player) => (
            <>
              {playerName(player)}
              {player.isBot && ' (bot)'}
            </>
          ),
          value: playerName,
        },
        {
          title: 'Player id',
          cell: ({ id }) =>
            id === null ? 'erased' : <Id text={id} href={url('players', encodeURIComponent(id))} />,
          value: ({ id }) => id,
        },
        {
          title: 'Connection',
          cell: (player) => (
            <span class={`badge ${player.connected && !isEnded ? 'active' : 'ended'}`}>
              {connection(player)}
            </span>
          ),
          value: connection,
        },
      ]}
    />
  );
}

function Verdicts({ session: { integrityChecks = [] } }: { readonly session: Session }) {
  return (
    <Table
      label="Device verdicts"
      rows={integrityChecks}
      keyOf={(check) => JSON.stringify(check)}
      empty="No device was checked."
      columns={[
        {
          title: 'Player',
          cell: ({ playerId }) => playerId ?? 'erased player',
          value: ({ playerId }) => playerId,
        },
        ...VERDICT_COLUMNS,
      ]}
    />
  );
}

/** Requests of the last 7 days that named the session, or returned it. */
function SessionRequests({ session: { sessionId } }: { readonly session: Session }) {
  const { api } = useHere();
  const url = usePageUrl();
  const list = useList<RequestRow>(`${api}/requests?sessionId=${sessionId}`, {
    pageRows: REQUEST_ROWS,
    lists: ['requests'],
    keyOf: ({ id }) => id,
  });
  // All are about this session.
  const columns = requestColumns((id) => url('sessions', id)).filter(
    ({ title }) => title !== 'Session',
  );
  return (
    <Rows list={list} older="Older requests">
      {(rows) => (
        <Table
          label="Requests"
          rows={rows}
          keyOf={({ id }) => id}
          empty="No requests about this session in the last 7 days."
          columns={columns}
          csv={`requests-of-${sessionId}`}
        />
      )}
    </Rows>
  );
}

function Facts({ session }: { readonly session: Session }) {
  return (
    <dl class="facts">
      <Fact name="Result">{resultWords(session)}</Fact>
      <Fact name="Match type">{session.matchType}</Fact>
      <Fact name="Mode">{session.mode}</Fact>
      <Fact name="Room code">
        <Id text={session.roomCode} />
      </Fact>
      <Fact name="Created">
        <Time at={session.createdAt} />
      </Fact>
      <Fact name="Started">
        <Time at={session.startedAt} never="not yet" />
      </Fact>
      <Fact name="Ended">
        <Time at={session.endedAt} never="not yet" />
      </Fact>
    </dl>
  );
}

function Proof({ session: { fairness, status } }: { readonly session: Session }) {
  return (
    <details class="card">
      <summary>Fairness proof</summary>
      <p>
        The commitment is the SHA-256 of the seed. It was published before the match, so the seed
        could not be chosen later. <a href="/docs/guides/fairness">How to check it</a>
      </p>
      <h3>Commitment</h3>
      <Copyable text={fairness.commitment} />
      <h3>Seed</h3>
      {fairness.seed === null ? (
        <p class="muted">
          {status === 'ended'
            ? 'No seed is shown.'
            : 'The seed is shown when the session has ended.'}
        </p>
      ) : (
        <Copyable text={fairness.seed} />
      )}
      <h3>Added by the players</h3>
      {fairness.entropy === '' ? (
        <p class="muted">Nothing</p>
      ) : (
        <Copyable text={fairness.entropy} />
      )}
    </details>
  );
}
