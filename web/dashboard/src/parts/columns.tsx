/** Which columns of a table the reader wants: kept in the browser, by the table's name. */

import { useState } from 'preact/hooks';

type SetHidden = (hidden: readonly string[]) => void;

/** The titles of the columns that are not shown. */
export function useHidden(label: string): readonly [readonly string[], SetHidden] {
  const name = `matchd-hidden-columns ${label}`;
  const [hidden, setHidden] = useState(() => read(name));
  return [
    hidden,
    (next) => {
      setHidden(next);
      try {
        localStorage.setItem(name, JSON.stringify(next));
      } catch {
        // Without a store the choice holds until the page is left.
      }
    },
  ];
}

function read(name: string): readonly string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(name) ?? '[]');
    return Array.isArray(found) ? found.map(String) : [];
  } catch {
    return [];
  }
}

export function ColumnChoice({
  label,
  titles,
  hidden,
  setHidden,
}: {
  readonly label: string;
  readonly titles: readonly string[];
  readonly hidden: readonly string[];
  readonly setHidden: SetHidden;
}) {
  const [isOpen, setOpen] = useState(false);
  const shown = titles.filter((title) => !hidden.includes(title));
  return (
    <details class="columns" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        Columns<span class="unseen"> of {label}</span>
        {shown.length < titles.length && ` (${shown.length} of ${titles.length})`}
      </summary>
      {isOpen && (
        <fieldset aria-label={`Columns of ${label}`}>
          {titles.map((title) => {
            const isShown = shown.includes(title);
            return (
              <label class="check" key={title}>
                <input
                  type="checkbox"
                  checked={isShown}
                  // One column stays.
                  disabled={isShown && shown.length === 1}
                  onChange={() =>
                    setHidden(
                      isShown ? [...hidden, title] : hidden.filter((each) => each !== title),
                    )
                  }
                />
                {title}
              </label>
            );
          })}
        </fieldset>
      )}
    </details>
  );
}
