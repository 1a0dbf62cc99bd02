/** The name of a checkers square: a number, or letter and number. */

/** Cells are counted in row order from the top; only every other one is played on. */
export function squareName(cell: number, edge: number, variant: string): string {
  const row = Math.floor(cell / edge);
  const column = cell % edge;
  if (variant === 'russian') return `${'abcdefgh'[column]}${edge - row}`;
  // The American board is numbered from the end at which seat 0 sits.
  const counted = variant === 'american' ? edge * edge - 1 - cell : cell;
  const perRow = edge / 2;
  return String(Math.floor(counted / edge) * perRow + Math.floor((counted % edge) / 2) + 1);
}

export function isPlayed(cell: number, edge: number): boolean {
  return (Math.floor(cell / edge) + (cell % edge)) % 2 === 1;
}
