/** Bars by day, with the same figures as a table for those who do not see them. */

import { el, withAttributes } from './dom.ts';
import { number } from './time.ts';

export interface Bar {
  readonly label: string;
  readonly value: number;
}

const WIDTH = 600;
const HEIGHT = 120;
const GAP = 2;

export function barChart(title: string, bars: readonly Bar[]): HTMLElement {
  const max = Math.max(1, ...bars.map(({ value }) => value));
  const total = bars.reduce((sum, { value }) => sum + value, 0);
  const step = WIDTH / bars.length;
  const svg = svgElement('svg', {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
    role: 'img',
    'aria-label': `${title}: ${number(total)} in ${bars.length} days, ${number(max)} on the highest`,
    preserveAspectRatio: 'none',
  });
  bars.forEach(({ label, value }, place) => {
    const height = value === 0 ? 1 : Math.max(3, (value / max) * HEIGHT);
    const bar = svgElement('rect', {
      x: String(place * step + GAP / 2),
      y: String(HEIGHT - height),
      width: String(step - GAP),
      height: String(height),
      class: value === 0 ? 'none' : 'day',
    });
    const tip = svgElement('title', {});
    tip.textContent = `${label}: ${number(value)}`;
    bar.append(tip);
    svg.append(bar);
  });
  const caption = el(
    'figcaption',
    '',
    el('strong', '', title),
    el('span', 'muted', `${number(total)} in ${bars.length} days`),
  );
  const ends = el(
    'div',
    'ends muted',
    el('span', '', bars[0]?.label ?? ''),
    el('span', '', bars.at(-1)?.label ?? ''),
  );
  return el('figure', 'chart', caption, svg as unknown as HTMLElement, ends, asTable(title, bars));
}

function asTable(title: string, bars: readonly Bar[]): HTMLElement {
  const rows = bars
    .filter(({ value }) => value > 0)
    .map(({ label, value }) => el('tr', '', el('td', '', label), el('td', '', number(value))));
  const table = withAttributes(el('table', 'plain', el('tbody', '', ...rows)), {
    'aria-label': `${title} by day`,
  });
  return el('details', '', el('summary', '', 'As a table'), table);
}

function svgElement(tag: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  return withAttributes(element, attributes);
}

/** How much of a limit is used. Null is no limit. */
export function meter(label: string, used: number, max: number | null): HTMLElement {
  const words = max === null ? `${number(used)}, no limit` : `${number(used)} of ${number(max)}`;
  const bar = withAttributes(el('meter', ''), {
    min: '0',
    max: String(max ?? Math.max(1, used)),
    high: String((max ?? Infinity) === Infinity ? used + 1 : max! * 0.8),
    'aria-label': `${label}: ${words}`,
  });
  bar.value = max === null ? 0 : used;
  return el('div', 'meter', el('span', '', label), el('span', 'muted', words), bar);
}
