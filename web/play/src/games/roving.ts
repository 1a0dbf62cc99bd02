/** A grid with one tab stop: arrow keys move over its cells, Enter and Space press one. */

export interface Roving {
  /** Moves the tab stop, and the focus if it is in the grid. */
  select(index: number): void;
}

/** Cells are in row order, `columns` per row. */
export function makeRoving(
  all: readonly (SVGElement | HTMLElement)[],
  columns: number,
  press: (index: number) => void,
): Roving {
  // The code uses what both events have in common; they share no type.
  const cells = all as readonly HTMLElement[];
  let selected = 0;
  const select = (index: number): void => {
    cells[selected]!.setAttribute('tabindex', '-1');
    selected = index;
    cells[selected]!.setAttribute('tabindex', '0');
  };
  for (const [index, cell] of cells.entries()) {
    cell.setAttribute('tabindex', index === selected ? '0' : '-1');
    cell.addEventListener('focus', () => select(index));
    cell.addEventListener('click', () => press(index));
    cell.addEventListener('keydown', (event) => {
      const target = targetOf(event, index, cells.length, columns);
      if (target === null) return;
      event.preventDefault();
      if (target === 'press') press(index);
      else cells[target]!.focus();
    });
  }
  return { select };
}

/** The cell to which a key leads, `press`, or null for any other key. */
function targetOf(
  event: KeyboardEvent,
  index: number,
  count: number,
  columns: number,
): number | 'press' | null {
  if (event.altKey || event.ctrlKey || event.metaKey) return null;
  const column = index % columns;
  const within = (target: number): number => (target >= 0 && target < count ? target : index);
  switch (event.key) {
    case 'ArrowLeft':
      return column > 0 ? index - 1 : index;
    case 'ArrowRight':
      return column < columns - 1 ? within(index + 1) : index;
    case 'ArrowUp':
      return within(index - columns);
    case 'ArrowDown':
      return within(index + columns);
    case 'Home':
      return event.shiftKey ? 0 : index - column;
    case 'End':
      return event.shiftKey ? count - 1 : within(index - column + columns - 1);
    case 'Enter':
    case ' ':
      return event.repeat ? index : 'press';
    default:
      return null;
  }
}
