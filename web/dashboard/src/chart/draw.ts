/** The parts of uPlot that charts use. This file is loaded with the first chart. */

import UPlot from 'uplot';
import { duration } from '../words/duration.ts';
import { number } from '../words/number.ts';
import { axisTimes, type ChartData, isInUtc, stepTime, withUnit } from './data.ts';

const HEIGHT = 150;
const HOUR_S = 3_600;
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export interface Drawing {
  update(data: ChartData): void;
  remove(): void;
}

/** Follows the holder's width and the theme. `tip` shows the values below the pointer. */
export function draw(holder: HTMLElement, tip: HTMLElement, first: ChartData): Drawing {
  let data = first;
  let plot: UPlot;
  const make = (): void => {
    plot = new UPlot(optionsOf(data, holder, tip), rowsOf(data), holder);
  };
  make();
  const sized = new ResizeObserver(() => {
    if (holder.clientWidth > 0) plot.setSize({ width: holder.clientWidth, height: HEIGHT });
  });
  sized.observe(holder);
  const theme = matchMedia('(prefers-color-scheme: dark)');
  const redraw = (): void => {
    plot.destroy();
    make();
  };
  theme.addEventListener('change', redraw);
  return {
    update(next) {
      data = next;
      plot.setData(rowsOf(next));
    },
    remove() {
      theme.removeEventListener('change', redraw);
      sized.disconnect();
      plot.destroy();
    },
  };
}

function rowsOf({ at, series }: ChartData): UPlot.AlignedData {
  const seconds = at.map((each) => Date.parse(each) / 1_000);
  return [seconds, ...series.map(({ values }) => [...values])];
}

function optionsOf(data: ChartData, holder: HTMLElement, tip: HTMLElement): UPlot.Options {
  const { series, step, unit, isBars = false, isFromData = false } = data;
  const style = getComputedStyle(holder);
  const color = (name: string): string => style.getPropertyValue(`--${name}`).trim();
  const axis = {
    stroke: color('muted'),
    font: '12px system-ui, sans-serif',
    ticks: { show: false },
  };
  const bars = isBars ? { paths: UPlot.paths.bars!({ size: [0.7, 40] }) } : null;
  return {
    width: Math.max(200, holder.clientWidth),
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    // The service counts days in UTC; everything else is in the reader's time zone.
    ...(isInUtc(step) ? { tzDate: (at: number) => UPlot.tzDate(new Date(at * 1e3), 'UTC') } : null),
    scales: {
      // Bars are centred on their times: half of the first and last would be cut off.
      ...(isBars
        ? { x: { range: (_, min, max) => [min - halfStep(data), max + halfStep(data)] } }
        : null),
      ...(step === 'none' ? { x: { range: (_, min, max) => widened(min, max, HOUR_S) } } : null),
      y: {
        range: (_, min, max) => (isFromData ? widened(min, max, 10) : [0, max > 0 ? max * 1.1 : 1]),
      },
    },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        space: 70,
        values: (_, at) => axisTimes(at, step),
      },
      {
        ...axis,
        size: 52,
        grid: { stroke: color('line'), width: 1 },
        values: (_, values) =>
          values.map((value) => (isFromData ? number(value) : axisText(value, unit))),
      },
    ],
    series: [
      {},
      ...series.map(({ name, color: of }) => ({
        label: name,
        stroke: color(of),
        width: 2,
        // A value without neighbours would draw no line.
        points: { ...pointsOf(data), size: 4, fill: color(of) },
        ...(isBars ? { fill: color(of), ...bars } : null),
      })),
    ],
    hooks: { setCursor: [(plot) => showTip(plot, data, tip)] },
  };
}

/** In seconds. */
function halfStep({ at: [first = '', second = first] }: ChartData): number {
  return (Date.parse(second) - Date.parse(first)) / 2_000;
}

/** With some room at both ends, so that no point stands on the edge. `least`: for values that are all alike. */
function widened(min: number, max: number, least: number): [number, number] {
  const room = Math.max(least, (max - min) * 0.05);
  return [min - room, max + room];
}

/** Without steps they are shown where there is room for them, as uPlot sees it. */
function pointsOf({ step, unit, isBars = false }: ChartData): { show?: boolean } {
  return step === 'none' ? {} : { show: !isBars && unit === 'ms' };
}

function axisText(value: number, unit: ChartData['unit']): string {
  if (unit === 'ms') return value === 0 ? '0' : duration(value);
  return unit === '' ? compact.format(value) : `${compact.format(value)} ${unit}`;
}

/** The values of the step below the pointer, as one line of words. */
function showTip(plot: UPlot, { series, step, unit }: ChartData, tip: HTMLElement): void {
  const { idx } = plot.cursor;
  if (idx === null || idx === undefined) {
    tip.textContent = '';
    return;
  }
  const figures = series.map(
    ({ name }, i) => `${name} ${withUnit(plot.data[i + 1]![idx] ?? null, unit)}`,
  );
  tip.textContent = `${stepTime(plot.data[0]![idx]! * 1_000, step)}: ${figures.join(', ')}`;
}
