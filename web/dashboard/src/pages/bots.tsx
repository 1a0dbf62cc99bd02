/** Bots: registered, tried out, enabled and disabled, with their score by level. */

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { ask } from '../api.ts';
import type { GameInfo } from '../games.ts';
import { canEdit, useHere, usePageUrl } from '../here.ts';
import { Confirm, Dialog } from '../parts/dialog.tsx';
import { Form } from '../parts/form.tsx';
import { Choice, useFilter } from '../parts/list.tsx';
import { Answer } from '../parts/states.tsx';
import { type Column, Table } from '../parts/table.tsx';
import { useAllRows, useAnswer } from '../query.ts';
import type { Page, World } from '../types.ts';
import { type BotScore, scoreLines, winPercent } from '../words/bot-score.ts';

const REFRESH_MS = 10_000;

interface Bot {
  readonly id: string;
  readonly game: string;
  readonly mode: World;
  readonly name: string;
  readonly displayName: string;
  readonly kind: 'builtin' | 'external';
  readonly difficulty: string | null;
  readonly weight: number;
  readonly active: boolean;
  readonly score: readonly BotScore[];
}

export function Bots() {
  const here = useHere();
  const { api, world } = here;
  const game = useFilter('game');
  const own = useAllRows<Bot>(`${api}/v1/bots?mode=${world}`, REFRESH_MS);
  const [isAdding, setAdding] = useState(false);
  const refresh = (): void => void own.refetch();
  return (
    <div>
      <h1>Bots</h1>
      <p class="lead">
        Bots of {world} mode. The score counts their matches of {world} mode that ended with a
        result, by the level they played at.
      </p>
      <div class="actions">
        {canEdit(here) ? (
          <button type="button" class="primary" onClick={() => setAdding(true)}>
            Add bot
          </button>
        ) : (
          <p class="hint">Owners and developers can add and change bots.</p>
        )}
        <Choice
          label="Game"
          all="All games"
          values={[...new Set((own.data ?? []).map((bot) => bot.game))].toSorted()}
          filter={game}
        />
      </div>
      <Answer of={own}>
        {(bots) => (
          <BotTable
            label="Bots"
            bots={bots.filter((bot) => game[0] === '' || bot.game === game[0])}
            empty={
              bots.length === 0
                ? 'No bots yet. Add one to play your matches.'
                : 'No bots match this filter.'
            }
            refresh={refresh}
          />
        )}
      </Answer>
      {world === 'test' && <LiveBots game={game[0]} />}
      {isAdding && (
        <AddBot
          close={() => setAdding(false)}
          added={() => {
            setAdding(false);
            here.say('The bot is added.');
            refresh();
          }}
        />
      )}
    </div>
  );
}

/** Shared with test mode, to be read and seated (rule K3). */
function LiveBots({ game }: { readonly game: string }) {
  const { api } = useHere();
  const bots = useAllRows<Bot>(`${api}/v1/bots?mode=live`, REFRESH_MS);
  return (
    <section class="card">
      <h2>Live bots</h2>
      <p>Test matches seat these bots, too. Change them in live mode.</p>
      <Answer of={bots}>
        {(rows) => (
          <BotTable
            label="Live bots"
            bots={rows.filter((bot) => game === '' || bot.game === game)}
            empty="No live bots."
            refresh={null}
          />
        )}
      </Answer>
    </section>
  );
}

function BotTable({
  label,
  bots,
  empty,
  refresh,
}: {
  readonly label: string;
  readonly bots: readonly Bot[];
  readonly empty: string;
  /** Null: they can only be tried out. */
  readonly refresh: (() => void) | null;
}) {
  const { world } = useHere();
  const kindWords = ({ kind, difficulty }: Bot): string =>
    difficulty === null ? kind : `${kind}, ${difficulty}`;
  const columns: readonly Column<Bot>[] = [
    {
      title: 'Name',
      cell: ({ name, displayName }) => (name === displayName ? name : `${name} (${displayName})`),
      value: ({ name }) => name,
    },
    { title: 'Game', cell: ({ game }) => game, value: ({ game }) => game },
    { title: 'Kind', cell: kindWords, value: kindWords },
    { title: 'Weight', cell: ({ weight }) => weight, value: ({ weight }) => weight },
    {
      title: 'Score by level',
      cell: ({ score }) => {
        const lines = scoreLines(score, world);
        return lines.length === 0 ? (
          <span class="muted">no matches yet</span>
        ) : (
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        );
      },
      value: ({ score }) => winPercent(score, world),
    },
    {
      title: 'Status',
      cell: ({ active }) => (
        <span class={`badge ${active ? 'active' : 'ended'}`}>{active ? 'on' : 'off'}</span>
      ),
      value: ({ active }) => (active ? 'on' : 'off'),
    },
    { title: 'Actions', cell: (bot) => <Acts of={bot} refresh={refresh} /> },
  ];
  return (
    <Table
      label={label}
      columns={columns}
      rows={bots}
      keyOf={({ id }) => id}
      empty={empty}
      csv={`${label.toLowerCase().replace(' ', '-')}-${world}`}
    />
  );
}

function Acts({ of: bot, refresh }: { readonly of: Bot; readonly refresh: (() => void) | null }) {
  const here = useHere();
  const [isDeleting, setDeleting] = useState(false);
  if (!canEdit(here)) return <span class="muted">—</span>;
  const path = `${here.api}/v1/bots/${bot.id}`;
  const turn = async (): Promise<void> => {
    try {
      await ask(path, { active: !bot.active }, 'PATCH');
    } finally {
      refresh!();
    }
  };
  return (
    <div class="row-actions">
      {/* A program of the tenant's is not tried from here. */}
      {bot.active && bot.kind === 'builtin' && here.world === 'test' && <Try of={bot} />}
      {refresh !== null && (
        <>
          <button type="button" class="small" onClick={turn}>
            {bot.active ? 'Switch off' : 'Switch on'}
          </button>
          <button type="button" class="small danger" onClick={() => setDeleting(true)}>
            Delete
          </button>
        </>
      )}
      {isDeleting && (
        <Confirm
          title={`Delete ${bot.name}?`}
          act="Delete"
          close={() => setDeleting(false)}
          perform={async () => {
            await ask(path, undefined, 'DELETE');
            here.say('The bot is deleted.');
            refresh!();
          }}
        >
          It finishes the matches that it plays and gets no more. This cannot be undone.
        </Confirm>
      )}
    </div>
  );
}

/** Opens a test match against it in another tab, and the session's page here. */
function Try({ of: bot }: { readonly of: Bot }) {
  const { me, api } = useHere();
  const { route } = useLocation();
  const url = usePageUrl();
  const run = async (): Promise<void> => {
    const player = `dashboard-${me.id.slice(-6)}`;
    const made = await ask<{ sessionId: string; playUrls: Record<string, string> }>(
      `${api}/v1/sessions`,
      { game: bot.game, matchType: 'private', players: [{ id: player, displayName: me.name }] },
    );
    await ask(`${api}/v1/sessions/${made.sessionId}/bots`, { botId: bot.id });
    const { pathname, hash } = new URL(made.playUrls[player]!);
    open(pathname + hash, '_blank', 'noopener');
    route(url('sessions', made.sessionId));
  };
  return (
    <button type="button" class="small" onClick={run}>
      Try
    </button>
  );
}

function AddBot({ close, added }: { readonly close: () => void; readonly added: () => void }) {
  const { api, world } = useHere();
  const games = useAnswer<Page<GameInfo>>(`${api}/v1/games`);
  return (
    <Dialog title={`Add a ${world} bot`} close={close}>
      <Answer of={games}>
        {({ data }) => (
          <Form
            fields={[
              {
                name: 'game',
                label: 'Game',
                options: data.map(({ game }) => [game, game] as const),
              },
              { name: 'name', label: 'Name' },
              {
                name: 'kind',
                label: 'Played by',
                options: [
                  ['builtin', 'the service'],
                  ['external', 'a program of yours'],
                ],
              },
              {
                name: 'difficulty',
                label: 'Level',
                hint: 'Of bots that the service plays.',
                options: [
                  ['medium', 'medium'],
                  ['easy', 'easy'],
                  ['hard', 'hard'],
                  ['perfect', 'perfect'],
                ],
              },
            ]}
            action="Add bot"
            cancel={close}
            submit={async ({ game, name, kind, difficulty }) => {
              const level = kind === 'builtin' ? { difficulty } : {};
              await ask(`${api}/v1/bots`, { game, name, kind, ...level });
              added();
            }}
          />
        )}
      </Answer>
    </Dialog>
  );
}
