/** One player: ratings, sessions, device verdicts; exported and erased. */

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask, Refusal } from '../../api.ts';
import { canManage, useHere, usePageUrl } from '../../here.ts';
import { Id } from '../../parts/copy.tsx';
import { saveFile } from '../../parts/csv.ts';
import { Confirm } from '../../parts/dialog.tsx';
import { lazy } from '../../parts/lazy.tsx';
import { Rows, useList } from '../../parts/list.tsx';
import { Answer, Failure } from '../../parts/states.tsx';
import { Table } from '../../parts/table.tsx';
import { VERDICT_COLUMNS } from '../../parts/verdict-columns.tsx';
import { useAnswer } from '../../query.ts';
import type { Session } from '../../types.ts';
import { sessionColumns } from '../sessions/sessions.tsx';

const PAGE_ROWS = 25;

const RatingHistory = lazy(async () => (await import('./rating-history.tsx')).RatingHistory);

interface Rating {
  readonly rating: number;
  readonly deviation: number;
  readonly games: number;
  readonly wins: number;
  readonly losses: number;
  readonly draws: number;
}

export function PlayerPage({ id }: { readonly id: string }) {
  const { api, world } = useHere();
  const url = usePageUrl();
  const path = `${api}/v1/players/${encodeURIComponent(id)}`;
  const query = new URLSearchParams({ player: id });
  const sessions = useList<Session>(`${api}/v1/sessions?${query}`, {
    pageRows: PAGE_ROWS,
    lists: ['sessions'],
    keyOf: ({ sessionId }) => sessionId,
  });
  return (
    <div>
      <p>
        <a href={url('players')}>← Players</a>
      </p>
      <h1 class="id" aria-label={id}>
        <Id text={id} />
      </h1>
      <Connection id={id} sessions={sessions.rows} />
      <Acts id={id} path={path} />
      <section class="card">
        <h2>Ratings</h2>
        <RatingsCard id={id} path={path} />
      </section>
      <section class="card">
        <h2>Device verdicts</h2>
        <Verdicts id={id} sessions={sessions.rows ?? []} />
      </section>
      <section class="card">
        <h2>Sessions</h2>
        <Rows list={sessions} older="Older sessions">
          {(rows) => (
            <Table
              label="Sessions"
              columns={sessionColumns((session) => url('sessions', session))}
              rows={rows}
              keyOf={({ sessionId }) => sessionId}
              empty={`No sessions in ${world} mode.`}
              csv={`sessions-of-${id}`}
              all={sessions.all}
            />
          )}
        </Rows>
      </section>
    </div>
  );
}

/** In the newest sessions, which are listed below. */
function Connection({
  id,
  sessions,
}: {
  readonly id: string;
  readonly sessions: readonly Session[] | null;
}) {
  if (sessions === null) return null;
  const count = sessions.filter(
    ({ status, players }) =>
      status !== 'ended' && players.some((each) => each.id === id && each.connected),
  ).length;
  return (
    <p class="lead">
      {count === 0 ? (
        <span class="badge ended">not connected</span>
      ) : (
        <>
          <span class="badge active">connected</span> in{' '}
          {count === 1 ? '1 session' : `${count} sessions`}
        </>
      )}
    </p>
  );
}

type Ratings = Readonly<Record<string, Rating>>;

/** The games, the most played first. */
function byMatches(ratings: Ratings): readonly string[] {
  const games = Object.entries(ratings).toSorted(([, a], [, b]) => b.games - a.games);
  return games.map(([game]) => game);
}

function RatingsCard({ id, path }: { readonly id: string; readonly path: string }) {
  const player = useAnswer<{ readonly ratings: Ratings }>(path, ['sessions']);
  const { error } = player;
  // A player without a rated match has no ratings to retrieve.
  if (error instanceof Refusal && error.status === 404)
    return <p class="empty">No rated matches.</p>;
  return (
    <Answer of={player}>
      {({ ratings }) => (
        <>
          <Table
            label="Ratings"
            rows={Object.entries(ratings).map(([game, each]) => ({ game, ...each }))}
            keyOf={({ game }) => game}
            empty="No rated matches."
            columns={[
              { title: 'Game', cell: ({ game }) => game, value: ({ game }) => game },
              {
                title: 'Rating',
                cell: ({ rating, deviation }) =>
                  `${Math.round(rating)} ± ${Math.round(2 * deviation)}`,
                value: ({ rating }) => rating,
              },
              { title: 'Matches', cell: ({ games }) => games, value: ({ games }) => games },
              { title: 'Won', cell: ({ wins }) => wins, value: ({ wins }) => wins },
              { title: 'Lost', cell: ({ losses }) => losses, value: ({ losses }) => losses },
              { title: 'Drawn', cell: ({ draws }) => draws, value: ({ draws }) => draws },
            ]}
          />
          {Object.keys(ratings).length > 0 && (
            <RatingHistory id={id} path={path} games={byMatches(ratings)} />
          )}
        </>
      )}
    </Answer>
  );
}

/** For the sessions listed below. */
function Verdicts({
  id,
  sessions,
}: {
  readonly id: string;
  readonly sessions: readonly Session[];
}) {
  const url = usePageUrl();
  const checks = sessions.flatMap(({ sessionId, integrityChecks = [] }) =>
    integrityChecks
      .filter(({ playerId }) => playerId === id)
      .map((check) => ({ sessionId, ...check })),
  );
  return (
    <Table
      label="Device verdicts"
      rows={checks}
      keyOf={(check) => JSON.stringify(check)}
      empty="No device was checked in the sessions below."
      columns={[
        {
          title: 'Session',
          cell: ({ sessionId }) => <Id text={sessionId} href={url('sessions', sessionId)} />,
          value: ({ sessionId }) => sessionId,
        },
        ...VERDICT_COLUMNS,
      ]}
    />
  );
}

function Acts({ id, path }: { readonly id: string; readonly path: string }) {
  const here = useHere();
  const { place, world, say } = here;
  const { route } = useLocation();
  const url = usePageUrl();
  const [isErasing, setErasing] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const save = async (): Promise<void> => {
    setError(null);
    try {
      const held = await ask(`${path}/export`);
      saveFile(`player-${id}.json`, 'application/json', JSON.stringify(held, null, 2));
      say('The file holds everything stored about the player.');
    } catch (reason) {
      if (reason instanceof Refusal && reason.status === 401) throw reason;
      setError(reason);
    }
  };
  return (
    <>
      <div class="actions">
        {canManage(here) ? (
          <button type="button" onClick={save}>
            Export
          </button>
        ) : (
          <span class="hint">Viewers cannot export players.</span>
        )}
        {place.role === 'owner' ? (
          <button type="button" class="danger" onClick={() => setErasing(true)}>
            Erase
          </button>
        ) : (
          <span class="hint">Only owners can erase players.</span>
        )}
      </div>
      {error !== null && <Failure error={error} />}
      {isErasing && (
        <Confirm
          title={`Erase ${id}?`}
          act="Erase"
          close={() => setErasing(false)}
          perform={async () => {
            await ask(path, undefined, 'DELETE');
            say('The player is erased.');
            route(url('players'));
          }}
        >
          The id, name and ratings of {id} are deleted from {world} mode. Results of matches stay,
          without the player. This cannot be undone.
        </Confirm>
      )}
    </>
  );
}
