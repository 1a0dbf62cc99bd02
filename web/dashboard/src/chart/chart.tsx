/**
 * Charts of metrics over time: drawn by uPlot, which is loaded with the first one; also as words
 * and as a table.
 */

import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { type ChartData, isInUtc, stepTime, withUnit } from './data.ts';
import type { Drawing } from './draw.ts';

/**
 * `summary` describes the chart in words; `empty` replaces it when nothing was counted; `children`
 * replace the table.
 */
export function Chart({
  title,
  summary,
  empty,
  isCard = true,
  children,
  ...data
}: ChartData & {
  readonly title: string;
  readonly summary: string;
  readonly empty: string;
  /** False inside of a card. */
  readonly isCard?: boolean;
  readonly children?: ComponentChildren;
}) {
  const isEmpty = data.series.every(({ values }) => values.every((each) => (each ?? 0) === 0));
  return (
    <figure class={isCard ? 'card chart' : 'chart'}>
      <figcaption>
        <strong>{title}</strong>
        <span class="muted">{isEmpty ? empty : summary}</span>
      </figcaption>
      {!isEmpty && (
        <>
          {data.series.length > 1 && <Legend series={data.series} />}
          <Plot data={data} label={`${title}: ${summary}`} />
          {children ?? <AsTable title={title} data={data} />}
        </>
      )}
    </figure>
  );
}

function Legend({ series }: Pick<ChartData, 'series'>) {
  return (
    <ul class="legend" aria-hidden="true">
      {series.map(({ name, color }) => (
        <li key={name} class={`in-${color}`}>
          {name}
        </li>
      ))}
    </ul>
  );
}

function Plot({ data, label }: { readonly data: ChartData; readonly label: string }) {
  const holder = useRef<HTMLDivElement>(null);
  const tip = useRef<HTMLParagraphElement>(null);
  const drawing = useRef<Drawing | null>(null);
  const latest = useRef(data);
  latest.current = data;
  const [hasFailed, setFailed] = useState(false);
  const names = data.series.map(({ name }) => name).join();
  useEffect(() => {
    let isShown = true;
    import('./draw.ts').then(
      ({ draw }) => {
        if (isShown) drawing.current = draw(holder.current!, tip.current!, latest.current);
      },
      () => isShown && setFailed(true),
    );
    return () => {
      isShown = false;
      drawing.current?.remove();
      drawing.current = null;
    };
  }, [names, data.step, data.unit]);
  useEffect(() => drawing.current?.update(data), [data.at, data.series]);
  return (
    <>
      <div class="plot" role="img" aria-label={label} ref={holder} />
      <p class="tip" aria-hidden="true" ref={tip} />
      {hasFailed && <p class="hint">The chart could not be loaded. The table has its figures.</p>}
    </>
  );
}

function AsTable({ title, data }: { readonly title: string; readonly data: ChartData }) {
  const [isOpen, setOpen] = useState(false);
  const { at, series, step, unit } = data;
  const rows = at
    .map((time, i) => ({ time, values: series.map(({ values }) => values[i] ?? null) }))
    .filter(({ values }) => values.some((value) => (value ?? 0) > 0))
    .toReversed();
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>As a table</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by the keyboard
        <section class="figures" tabIndex={0} aria-label={`${title} as a table`}>
          <table>
            <thead>
              <tr>
                <th scope="col">{isInUtc(step) ? 'UTC' : 'From'}</th>
                {series.map(({ name }) => (
                  <th scope="col" key={name}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map(({ time, values }) => (
                <tr key={time}>
                  <th scope="row">{stepTime(time, step)}</th>
                  {values.map((value, i) => (
                    <td key={series[i]!.name}>{withUnit(value, unit)}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </section>
      )}
    </details>
  );
}
