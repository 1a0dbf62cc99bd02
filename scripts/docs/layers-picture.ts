/**
 * docs/layers.svg: the table of layers as a picture, one box per folder, with its permitted imports
 * below it.
 */

import { FLOORS, type Floor, PURE_FOLDERS } from '../layers/table.ts';

const BOX_HEIGHT = 26;
const BOX_GAP = 10;
const ROW_GAP = 44;
const CHAR_WIDTH = 7.3;
const PADDING = 12;
const WIDTH = 1_180;
const LEFT = 16;

/** The kind of a folder, by the table alone; the order is that of the legend. */
const KINDS = {
  pure: 'pure functions',
  port: 'ports and contract',
  behind: 'behind a port',
  shell: 'the shell: effects',
  browser: 'browsers and SDK',
  wiring: 'tools, wiring, tests',
} as const;
type Kind = keyof typeof KINDS;

function kindOf({ path, imports }: Floor): Kind {
  if (imports === 'everything' || path === 'game/src/testing') return 'wiring';
  if (PURE_FOLDERS.includes(path)) return 'pure';
  if (/^(?:sdk|web|examples)(?:\/|$)/.test(path)) return 'browser';
  if (/^src\/(?:store|bus|platform|contract)$/.test(path)) return 'port';
  if (/^src\/(?:store|bus|platform)\//.test(path)) return 'behind';
  return 'shell';
}

/** Floors of folders; single files are shown with those that wire them. */
const drawn = FLOORS.filter(
  (floor, index) =>
    !/\.ts$/.test(floor.path) && FLOORS.findIndex(({ path }) => path === floor.path) === index,
);

function importsOf({ imports }: Floor): readonly Floor[] {
  if (imports === 'everything') return drawn.filter((floor) => floor.imports !== 'everything');
  return drawn.filter(({ path }) => imports.includes(path));
}

/** The longest chain of imports below a folder: its row, counted from the bottom. */
function levels(): ReadonlyMap<Floor, number> {
  const known = new Map<Floor, number>();
  const levelOf = (floor: Floor): number => {
    const before = known.get(floor);
    if (before !== undefined) return before;
    known.set(floor, 0);
    const level = Math.max(-1, ...importsOf(floor).map(levelOf)) + 1;
    known.set(floor, level);
    return level;
  };
  for (const floor of drawn) levelOf(floor);
  return known;
}

/** Imports that no other import implies: the lines that are drawn. */
function directImports(floor: Floor): readonly Floor[] {
  const below = importsOf(floor);
  const reach = (from: Floor, seen: Set<Floor>): void => {
    for (const next of importsOf(from)) {
      if (seen.has(next)) continue;
      seen.add(next);
      reach(next, seen);
    }
  };
  const indirect = new Set<Floor>();
  for (const next of below) reach(next, indirect);
  return below.filter((next) => !indirect.has(next));
}

interface Box {
  readonly floor: Floor;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

const widthOf = ({ path }: Floor): number => Math.round(path.length * CHAR_WIDTH) + 2 * PADDING;

/** Boxes row by row from the top; a row too wide for the picture takes several lines. */
function place(): { readonly boxes: readonly Box[]; readonly height: number } {
  const level = levels();
  const boxes: Box[] = [];
  let y = 56;
  for (let row = Math.max(...level.values()); row >= 0; row -= 1) {
    const lines: Floor[][] = [[]];
    let width = 0;
    for (const floor of drawn.filter((one) => level.get(one) === row)) {
      if (width + widthOf(floor) > WIDTH - 2 * LEFT) {
        lines.push([]);
        width = 0;
      }
      lines.at(-1)!.push(floor);
      width += widthOf(floor) + BOX_GAP;
    }
    for (const line of lines) {
      const total = line.reduce((sum, floor) => sum + widthOf(floor) + BOX_GAP, -BOX_GAP);
      let x = Math.round((WIDTH - total) / 2);
      for (const floor of line) {
        boxes.push({ floor, x, y, width: widthOf(floor) });
        x += widthOf(floor) + BOX_GAP;
      }
      y += BOX_HEIGHT + BOX_GAP;
    }
    y += ROW_GAP - BOX_GAP;
  }
  return { boxes, height: y - ROW_GAP + 16 };
}

function drawLine(from: Box, to: Box): string {
  const [x1, y1] = [Math.round(from.x + from.width / 2), from.y + BOX_HEIGHT];
  const [x2, y2] = [Math.round(to.x + to.width / 2), to.y];
  const middle = Math.round((y1 + y2) / 2);
  return `<path d="M${x1} ${y1}C${x1} ${middle} ${x2} ${middle} ${x2} ${y2}"/>`;
}

function drawBox({ floor, x, y, width }: Box): string {
  const names = floor.imports === 'everything' ? 'everything' : floor.imports.join(', ');
  return (
    `<g class="${kindOf(floor)}"><title>${floor.path} may import: ${names || 'nothing of ours'}</title>` +
    `<rect x="${x}" y="${y}" width="${width}" height="${BOX_HEIGHT}" rx="5"/>` +
    `<text x="${x + width / 2}" y="${y + 17}" text-anchor="middle">${floor.path}</text></g>`
  );
}

function drawLegend(): string {
  let x = LEFT;
  return Object.entries(KINDS)
    .map(([kind, words]) => {
      const box =
        `<g class="${kind}"><rect x="${x}" y="14" width="16" height="16" rx="3"/>` +
        `<text x="${x + 22}" y="26">${words}</text></g>`;
      x += Math.round(words.length * CHAR_WIDTH) + 44;
      return box;
    })
    .join('\n');
}

const STYLE = [
  'svg{background:#fff}text{font:12px ui-monospace,Menlo,Consolas,monospace;fill:#1b1f24}',
  'path{fill:none;stroke:#8b949e;stroke-opacity:.45}rect{stroke:#57606a;stroke-width:1}',
  '.pure rect{fill:#d2f4d9}.port rect{fill:#fff3c4}.behind rect{fill:#ffe0c2}',
  '.shell rect{fill:#d6e8ff}.browser rect{fill:#e9dcff}.wiring rect{fill:#eceff2}',
  '@media(prefers-color-scheme:dark){svg{background:#0d1117}text{fill:#e6edf3}rect{stroke:#8b949e}',
  '.pure rect{fill:#14402a}.port rect{fill:#4a3d0c}.behind rect{fill:#532f13}',
  '.shell rect{fill:#13355e}.browser rect{fill:#3a2a5e}.wiring rect{fill:#2a3038}}',
].join('');

export function drawLayers(): string {
  const { boxes, height } = place();
  const boxOf = new Map(boxes.map((box) => [box.floor, box]));
  // A folder that may import everything has no lines: they would mean nothing.
  const lines = boxes
    .filter(({ floor }) => floor.imports !== 'everything')
    .flatMap((box) => directImports(box.floor).map((to) => drawLine(box, boxOf.get(to)!)));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    '<title>Layers of matchd: a folder imports those below it that its lines lead to</title>',
    `<style>${STYLE}</style>`,
    drawLegend(),
    ...lines,
    ...boxes.map(drawBox),
    '</svg>',
    '',
  ].join('\n');
}
