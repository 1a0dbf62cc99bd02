/** Hosted matchmaking: forming tickets and waiting groups; or one of them. */

import { useState } from 'preact/hooks';
import { ask } from '../api.ts';
import { canEdit, useHere, usePageUrl } from '../here.ts';
import { Id } from '../parts/copy.tsx';
import { Confirm } from '../parts/dialog.tsx';
import { Fact } from '../parts/fact.tsx';
import { Choice, useFilter } from '../parts/list.tsx';
import { Answer, Failure } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { useAnswer } from '../query.ts';
import type { Page } from '../types.ts';

const REFRESH_MS = 2_000;
/** The service's limit. */
const TICKETS_MAX = 200;

interface Ticket {
  readonly ticketId: string;
  readonly groupId: string | null;
  readonly game: string;
  readonly status: 'forming' | 'promoted' | 'started' | 'cancelled';
  readonly capacity: number;
  readonly players: readonly { readonly id: string | null; readonly displayName: string | null }[];
  readonly sessionId: string | null;
  readonly createdAt: string;
}

export function BoardOrOne() {
  const { id } = useHere();
  return id === null ? <Board /> : <TicketPage key={id} id={id} />;
}

function Board() {
  const { api, world } = useHere();
  const url = usePageUrl();
  const game = useFilter('game');
  const board = useAnswer<Page<Ticket>>(`${api}/board`, REFRESH_MS);
  const refresh = (): void => void board.refetch();
  const side = (label: string, empty: string, rows: readonly Ticket[]) => (
    <Table
      label={label}
      columns={columns((id) => url('board', id), refresh)}
      rows={rows}
      keyOf={({ ticketId }) => ticketId}
      empty={empty}
      csv={`${label.toLowerCase().replaceAll(' ', '-')}-${world}`}
    />
  );
  return (
    <div>
      <h1>Tickets and groups</h1>
      <p class="lead">
        Hosted matchmaking. Your backend creates tickets, promotes them and starts groups. The
        latest {TICKETS_MAX} open ones; find others by their id with the search.
      </p>
      <Answer of={board}>
        {({ data }) => {
          const fits = data.filter((each) => game[0] === '' || each.game === game[0]);
          return (
            <>
              <div class="filters">
                <Choice
                  label="Game"
                  all="All games"
                  values={[...new Set(data.map((each) => each.game))].toSorted()}
                  filter={game}
                />
              </div>
              <section class="card">
                <h2>Forming</h2>
                {side(
                  'Tickets',
                  'No tickets are forming.',
                  fits.filter(({ status }) => status === 'forming'),
                )}
              </section>
              <section class="card">
                <h2>In the pool</h2>
                {side(
                  'Groups',
                  'The pool is empty.',
                  fits.filter(({ status }) => status === 'promoted'),
                )}
              </section>
            </>
          );
        }}
      </Answer>
    </div>
  );
}

const idOf = ({ ticketId, groupId }: Ticket): string => groupId ?? ticketId;
const playerWords = ({ players }: Ticket): string =>
  players.map(({ id, displayName }) => displayName ?? id ?? 'erased player').join(', ') || 'none';
const seatWords = ({ players, capacity }: Ticket): string => `${players.length} of ${capacity}`;

function columns(href: (id: string) => string, refresh: () => void): readonly Column<Ticket>[] {
  return [
    { title: 'Id', cell: (each) => <Id text={idOf(each)} href={href(idOf(each))} />, value: idOf },
    { title: 'Game', cell: ({ game }) => game, value: ({ game }) => game },
    { title: 'Players', cell: playerWords, value: playerWords },
    { title: 'Places', cell: seatWords, value: seatWords },
    {
      title: 'Created',
      cell: ({ createdAt }) => <Time at={createdAt} />,
      value: ({ createdAt }) => createdAt,
    },
    { title: 'Actions', cell: (each) => <Acts of={each} refresh={refresh} /> },
  ];
}

/** In live mode the backend does this. */
function Acts({ of: ticket, refresh }: { readonly of: Ticket; readonly refresh: () => void }) {
  const here = useHere();
  const [isCancelling, setCancelling] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isOpen = ticket.status === 'forming' || ticket.status === 'promoted';
  if (here.world === 'live' || !canEdit(here) || !isOpen) return <span class="muted">—</span>;
  const { ticketId, groupId } = ticket;
  const query = `?game=${ticket.game}`;
  const hosted = `${here.api}/matchmaking/hosted`;
  const run = (act: () => Promise<unknown>) => async (): Promise<void> => {
    setError(null);
    try {
      await act();
    } catch (reason) {
      setError(reason);
    }
    refresh();
  };
  const promote = run(() => ask(`${hosted}/ticket/${ticketId}/promote${query}`, {}));
  const start = run(() => ask(`${hosted}/start-match${query}`, { groupIds: [groupId] }));
  return (
    <>
      <div class="row-actions">
        <button type="button" class="small" onClick={groupId === null ? promote : start}>
          {groupId === null ? 'Promote' : 'Start'}
        </button>
        <button type="button" class="small danger" onClick={() => setCancelling(true)}>
          Cancel
        </button>
      </div>
      {error !== null && <Failure error={error} />}
      {isCancelling && (
        <Confirm
          title={groupId === null ? 'Cancel this ticket?' : 'Cancel this group?'}
          act="Cancel it"
          close={() => setCancelling(false)}
          perform={async () => {
            const path = groupId === null ? `ticket/${ticketId}` : `groups/${groupId}`;
            await ask(`${hosted}/${path}${query}`, undefined, 'DELETE');
            refresh();
          }}
        >
          Its players are free to join other tickets.
        </Confirm>
      )}
    </>
  );
}

function TicketPage({ id }: { readonly id: string }) {
  const { api } = useHere();
  const url = usePageUrl();
  const ticket = useAnswer<Ticket>(`${api}/tickets/${encodeURIComponent(id)}`, REFRESH_MS);
  return (
    <div>
      <p>
        <a href={url('board')}>← Tickets and groups</a>
      </p>
      <h1 class="id" aria-label={id}>
        <Id text={id} />
      </h1>
      <Answer of={ticket}>
        {(found) => (
          <>
            <div class="actions">
              <Acts of={found} refresh={() => void ticket.refetch()} />
            </div>
            <section class="card">
              <dl class="facts">
                <Fact name="Status">
                  <span class={`badge ${TONES[found.status]}`}>{found.status}</span>
                </Fact>
                <Fact name="Game">{found.game}</Fact>
                <Fact name="Places">{seatWords(found)}</Fact>
                <Fact name="Ticket">
                  <Id text={found.ticketId} />
                </Fact>
                <Fact name="Group">
                  {found.groupId === null ? 'none yet' : <Id text={found.groupId} />}
                </Fact>
                <Fact name="Session">
                  {found.sessionId === null ? (
                    'none yet'
                  ) : (
                    <Id text={found.sessionId} href={url('sessions', found.sessionId)} />
                  )}
                </Fact>
                <Fact name="Created">
                  <Time at={found.createdAt} />
                </Fact>
                <Fact name="Players">{playerWords(found)}</Fact>
              </dl>
            </section>
          </>
        )}
      </Answer>
    </div>
  );
}

const TONES: Readonly<Record<Ticket['status'], string>> = {
  forming: 'pending',
  promoted: 'active',
  started: 'ended',
  cancelled: 'ended',
};
