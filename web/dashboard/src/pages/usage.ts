/** Usage: what the plan allows and how much of it is used, and the last 30 days. */

import { API_BASE, ask } from '../api.ts';
import type { Context } from '../page.ts';
import type { Usage } from '../types.ts';
import { barChart, meter } from '../ui/chart.ts';
import { el } from '../ui/dom.ts';
import { number } from '../ui/time.ts';

const DAY_MS = 86_400_000;
const REFRESH_MS = 5_000;

const CHARTS: readonly (readonly [kind: string, title: string])[] = [
  ['sessions', 'Sessions created'],
  ['requests', 'Requests'],
  ['refused', 'Requests refused'],
  ['limited', 'Requests over the limit'],
  ['failed', 'Requests that failed'],
];

const LIMIT_WORDS: Readonly<Record<string, string>> = {
  requestsPerMinute: 'Requests a minute',
  sessionsPerMonth: 'Live sessions a month',
  openSessions: 'Open sessions',
  sockets: 'Open sockets',
  openTickets: 'Open tickets',
  webhooks: 'Webhooks',
  webhookRetries: 'Tries of a delivery',
  eventStreams: 'Event streams',
  retentionDays: 'Days live sessions are kept',
};

export async function usage(context: Context): Promise<HTMLElement> {
  const content = el('div', '');
  let shown = '';
  const refresh = async (): Promise<void> => {
    const found = await ask<Usage>(`${context.api}/usage`);
    const text = JSON.stringify(found);
    if (text !== shown) content.replaceChildren(...makeSections(context, found));
    shown = text;
  };
  await refresh();
  context.every(REFRESH_MS, refresh);
  return el('div', '', el('h1', '', 'Usage'), content);
}

function makeSections(context: Context, found: Usage): HTMLElement[] {
  const { world } = context;
  const { use, limits, plan, month } = found;
  const live = use.sessionsPerMonth;
  const meters = [
    ...(live === null
      ? []
      : [meter(`Live sessions in ${month}`, live, limits['sessionsPerMonth'] ?? null)]),
    meter(`Open ${world} sessions`, use.openSessions, limits['openSessions'] ?? null),
  ];
  const rows = Object.entries(limits).map(([name, value]) =>
    el(
      'div',
      '',
      el('dt', '', LIMIT_WORDS[name] ?? name),
      el('dd', '', value === null ? 'no limit' : number(value)),
    ),
  );
  return [
    el('p', 'lead', `Plan: ${plan}. Days are counted in UTC.`),
    el('section', 'card', el('h2', '', 'Now'), ...meters),
    ...CHARTS.map(([kind, title]) => el('section', 'card', barChart(title, byDay(found, kind)))),
    el('section', 'card', el('h2', '', 'What the plan allows'), el('dl', 'facts', ...rows)),
    exportLink(context, found),
  ];
}

/** By key, with the most at once, as CSV. */
function exportLink({ world, api }: Context, { from, to }: Usage): HTMLElement {
  const link = el('a', '', 'Export usage by key as CSV');
  link.download = `usage-${world}-${from}-${to}.csv`;
  link.href = `${API_BASE}${api}/usage.csv?from=${from}&to=${to}`;
  return el('p', '', link);
}

/** A bar for each day, those without a request too. */
function byDay({ from, to, counts }: Usage, kind: string) {
  const known = new Map(
    counts.filter((each) => each.kind === kind).map(({ day, count }) => [day, count]),
  );
  const bars = [];
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY_MS) {
    const day = new Date(at).toISOString().slice(0, 10);
    bars.push({ label: day, value: known.get(day) ?? 0 });
  }
  return bars;
}
