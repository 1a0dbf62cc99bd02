/** How far the metrics look back: a choice in the address. */

import { useLocation } from 'preact-iso';

export const WINDOWS = [
  ['1h', '1 h', 'the last hour'],
  ['24h', '24 h', 'the last 24 hours'],
  ['7d', '7 d', 'the last 7 days'],
  ['30d', '30 d', 'the last 30 days'],
] as const;
export type MetricWindow = (typeof WINDOWS)[number][0];

/** Without a valid choice in the address it is the first. */
export function useWindow(): MetricWindow {
  const { query } = useLocation();
  return WINDOWS.find(([name]) => name === query['window'])?.[0] ?? '1h';
}

export function windowWords(window: MetricWindow): string {
  return WINDOWS.find(([name]) => name === window)![2];
}

export function WindowChoice({ until }: { readonly until: string }) {
  const { path } = useLocation();
  const current = useWindow();
  return (
    <div class="window">
      <h2>Figures</h2>
      {/* biome-ignore lint/a11y/useSemanticElements: links are no fieldset */}
      <div class="choice" role="group" aria-label="Window">
        {WINDOWS.map(([name, label]) => (
          <a
            key={name}
            href={`${path}?window=${name}`}
            aria-current={name === current ? 'true' : undefined}
          >
            {label}
          </a>
        ))}
      </div>
      <p class="hint">Until {until}. Each minute is added when it is over.</p>
    </div>
  );
}
