/** A window's metrics at a glance, with the plan's usage. */

import { usePageUrl } from '../../here.ts';
import { Meter } from '../../parts/meter.tsx';
import type { MetricSummary } from '../../types.ts';
import { duration, rate } from '../../words/duration.ts';
import { number } from '../../words/number.ts';

const MINUTE_MS = 60_000;

/** In percent, to a tenth; null if there are none. */
function percent(part: number, all: number): number | null {
  return all === 0 ? null : Math.round((part / all) * 1_000) / 10;
}

/** A share that rounds to zero is still more than none. */
function shareWords(share: number | null, count: number): string {
  if (share === null) return '—';
  return share === 0 && count > 0 ? '< 0.1 %' : `${share} %`;
}

export function MetricTiles({ summary }: { readonly summary: MetricSummary }) {
  const { now, sessions, requests, moves, queueWaits, webhooks, usage, from, to } = summary;
  const url = usePageUrl();
  const minutes = Math.max(1, (Date.parse(to) - Date.parse(from)) / MINUTE_MS);
  const errors = percent(requests.failed, requests.total);
  const delivered = percent(webhooks.delivered, webhooks.delivered + webhooks.failed);
  return (
    <>
      <dl class="tiles">
        <Tile
          name="Matches in play"
          value={number(now.matchesInPlay)}
          note="now"
          href={`${url('sessions')}?status=active`}
        />
        <Tile name="Players connected" value={number(now.playersConnected)} note="now" />
        <Tile
          name="Sessions created"
          value={number(sessions.created)}
          note={`${rate(sessions.created, minutes)}, ${number(sessions.ended)} ended`}
          href={url('sessions')}
        />
        <Tile
          name="Requests"
          value={number(requests.total)}
          note={rate(requests.total, minutes)}
          href={url('requests')}
        />
        <Tile
          name="Server errors"
          value={shareWords(errors, requests.failed)}
          note={`${number(requests.failed)} failed, ${number(requests.refused)} refused, ${number(requests.limited)} over a limit`}
          isBad={requests.failed > 0}
          href={`${url('requests')}?errors=true`}
        />
        <Tile
          name="Request time, p50 and p99"
          value={`${duration(requests.p50Ms)} · ${duration(requests.p99Ms)}`}
          note={`${number(requests.total)} requests`}
        />
        <Tile
          name="Move acknowledged, p50 and p99"
          value={`${duration(moves.p50Ms)} · ${duration(moves.p99Ms)}`}
          note={`${number(moves.total)} moves`}
        />
        <Tile
          name="Queue wait, p50 and p99"
          value={`${duration(queueWaits.p50Ms)} · ${duration(queueWaits.p99Ms)}`}
          note={`${number(queueWaits.total)} players found a match`}
        />
        <Tile
          name="Webhook deliveries"
          value={delivered === null ? '—' : `${delivered} % delivered`}
          note={`${number(webhooks.delivered)} delivered, ${number(webhooks.failed)} failed, p99 ${duration(webhooks.p99Ms)}`}
          isBad={webhooks.failed > 0}
          href={url('webhooks')}
        />
      </dl>
      <section class="card" aria-label="Use of the plan">
        {usage.sessionsThisMonth !== null && (
          <Meter label="Live sessions this month" {...usage.sessionsThisMonth} />
        )}
        <Meter label="Open sessions" {...usage.openSessions} />
        <p class="hint">
          <a href={url('usage')}>All limits of the plan</a>
        </p>
      </section>
    </>
  );
}

function Tile({
  name,
  value,
  note,
  isBad = false,
  href,
}: {
  readonly name: string;
  readonly value: string;
  readonly note: string;
  readonly isBad?: boolean;
  /** The page with the details. */
  readonly href?: string;
}) {
  return (
    <div class={isBad ? 'bad' : ''}>
      <dt>{href === undefined ? name : <a href={href}>{name}</a>}</dt>
      <dd>
        <strong>{value}</strong>
        <span class="muted">{note}</span>
      </dd>
    </div>
  );
}
