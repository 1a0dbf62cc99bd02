/** One session: state, connections, verdict, timeline; watched, replayed, verified, ended. */

import { ask, type Json } from '../api.ts';
import type { Context } from '../page.ts';
import { pageUrl } from '../place.ts';
import type { Page, Session, TimelineRow } from '../types.ts';
import { confirm } from '../ui/dialog.ts';
import { button, type Child, el, link, withAttributes } from '../ui/dom.ts';
import { makeTable } from '../ui/table.ts';
import { exactTime, time } from '../ui/time.ts';
import { showReplay } from './replay-frame.ts';
import { resultWords } from './sessions.ts';

const REFRESH_MS = 2_000;

interface Check {
  readonly ok: boolean;
  readonly v?: number | null;
  readonly error?: string;
}

export async function session(context: Context): Promise<HTMLElement> {
  const { api, id, place, world } = context;
  const path = `${api}/v1/sessions/${id}`;
  const facts = el('dl', 'facts');
  const players = makePlayers();
  const timeline = makeTimeline();
  const stage = el('div', 'stage');
  const verified = withAttributes(el('p', 'verified'), { role: 'status' });
  const buttons = el('div', 'actions');
  let shown = '';
  /** Was the log read as it stood after the end? It grows no more then. */
  let isWhole = false;
  const refresh = async (): Promise<void> => {
    const found = await ask<Session>(path);
    players.show(found.players);
    const text = JSON.stringify(found);
    if (text !== shown) {
      showFacts(facts, found);
      buttons.replaceChildren(...makeButtons(context, found, stage, verified, refresh));
      shown = text;
    }
    if (isWhole) return;
    const log = await ask<Page<TimelineRow>>(`${api}/sessions/${id}/timeline`);
    timeline.show(log.data.toReversed());
    isWhole = found.status === 'ended';
  };
  await refresh();
  context.every(REFRESH_MS, refresh);
  return el(
    'div',
    '',
    el('p', '', link(pageUrl(place.slug, world, 'sessions'), '', '← Sessions')),
    withAttributes(el('h1', 'id', id ?? ''), { 'aria-label': `Session ${id}` }),
    buttons,
    verified,
    stage,
    el('section', 'card', el('h2', '', 'State'), facts),
    el('section', 'card', el('h2', '', 'Seats and connections'), players.element),
    el('section', 'card', el('h2', '', 'Timeline'), timeline.element),
  );
}

function makePlayers() {
  return makeTable<Session['players'][number]>(
    'Seats and connections',
    [
      { title: 'Seat', cell: ({ seat }) => String(seat) },
      {
        title: 'Player',
        cell: ({ id, displayName, isBot }) =>
          [displayName ?? '', id === null ? 'erased' : ` ${id}`, isBot ? ' (bot)' : ''].join(''),
      },
      {
        title: 'Connection',
        cell: ({ connected, isBot }) => {
          if (isBot) return 'plays by itself';
          return el(
            'span',
            `badge ${connected ? 'active' : 'ended'}`,
            connected ? 'connected' : 'away',
          );
        },
      },
    ],
    ({ seat }) => String(seat),
    'Nobody sits here yet.',
  );
}

function makeTimeline() {
  return makeTable<TimelineRow>(
    'Timeline',
    [
      { title: 'Version', cell: ({ v }) => String(v) },
      { title: 'When', cell: ({ at }) => el('span', '', exactTime(at)) },
      { title: 'What', cell: ({ kind }) => el('code', '', kind) },
      { title: 'Seat', cell: ({ seat }) => (seat === null ? '—' : String(seat)) },
      { title: 'Detail', cell: ({ detail }) => detailOf(detail) },
    ],
    ({ v }) => String(v),
    'Nothing happened yet.',
  );
}

const DETAIL_CHARS_MAX = 120;

function detailOf(detail: unknown): Child {
  if (detail === null) return '—';
  const text = JSON.stringify(detail);
  if (text.length <= DETAIL_CHARS_MAX) return el('code', '', text);
  const whole = el('pre', '', JSON.stringify(detail, null, 2));
  return el('details', '', el('summary', '', `${text.length} characters`), whole);
}

/** A line for each player whose device was checked. */
function checksOf({ integrityChecks = [] }: Session): Child {
  if (integrityChecks.length === 0) return 'not checked';
  const lines = integrityChecks.map(({ playerId, platform, status, reasons }) =>
    el(
      'div',
      '',
      `${playerId ?? 'erased player'}: ${[`${platform} ${status}`, ...reasons].join(', ')}`,
    ),
  );
  return el('div', '', ...lines);
}

function showFacts(list: HTMLElement, found: Session): void {
  const facts: readonly (readonly [string, Child])[] = [
    ['Status', el('span', `badge ${found.status}`, found.status)],
    ['Game', `${found.game}, ${found.variant}`],
    ['Match type', found.matchType],
    ['World', found.mode],
    ['Room code', el('code', '', found.roomCode)],
    ['Device integrity', checksOf(found)],
    ['Result', resultWords(found)],
    ['Created', time(found.createdAt)],
    ['Started', time(found.startedAt, 'not yet')],
    ['Ended', time(found.endedAt, 'not yet')],
  ];
  list.replaceChildren(
    ...facts.map(([name, value]) => el('div', '', el('dt', '', name), el('dd', '', value))),
  );
}

function makeButtons(
  context: Context,
  { status, sessionId }: Session,
  stage: HTMLElement,
  verified: HTMLElement,
  refresh: () => Promise<void>,
): HTMLElement[] {
  const path = `${context.api}/v1/sessions/${sessionId}`;
  const isEnded = status === 'ended';
  const watch = button('primary', 'Watch live', () => showLive(path, stage));
  const replay = button(isEnded ? 'primary' : '', 'Replay', async () =>
    showReplay(stage, await ask<Json>(`${path}/replay`)),
  );
  const verify = button('', 'Verify', async () => {
    const check = await ask<Check>(`${path}/verify`, {});
    verified.className = `verified ${check.ok ? 'good' : 'problem'}`;
    verified.textContent = check.ok
      ? 'Verified: every record follows from the one before it, and the result from them.'
      : notVerified(check);
  });
  const end = button('danger', 'End session', async () => {
    const text = 'It ends at once, without a winner, for everybody in it.';
    if (!(await confirm('End this session?', text, 'End session'))) return;
    await ask(`${path}/end`, {});
    context.say('The session has ended.');
    await refresh();
  });
  return isEnded ? [replay, verify] : [watch, replay, verify, end];
}

/** Only a record that cannot be followed says that the log was changed. */
function notVerified({ error = '', v = null }: Check): string {
  return v === null ? error : `Not what it was: ${error} at version ${v}`;
}

async function showLive(path: string, stage: HTMLElement): Promise<void> {
  const { playUrl } = await ask<{ readonly playUrl: string }>(`${path}/watch`, {});
  // By path alone, so that it works under every name the service is reached by.
  const { pathname, hash } = new URL(playUrl);
  const frame = withAttributes(el('iframe', ''), {
    src: pathname + hash,
    title: 'The match, live',
    allow: 'fullscreen',
  });
  stage.replaceChildren(frame);
}
