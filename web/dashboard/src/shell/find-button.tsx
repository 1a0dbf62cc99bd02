/** Opens the search over everything: by a click, or by ⌘K or Ctrl+K. */

import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { FindProps } from './find-props.ts';

export function FindButton(props: FindProps) {
  const [isOpen, setOpen] = useState(false);
  const [Palette, setPalette] = useState<ComponentType<FindProps & { close: () => void }> | null>(
    null,
  );
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.metaKey || event.ctrlKey)) return;
      event.preventDefault();
      if (document.querySelector('dialog[open]') === null) setOpen(true);
    };
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
  useEffect(() => {
    if (isOpen && Palette === null) {
      void import('./palette.tsx').then(({ Palette: loaded }) => setPalette(() => loaded));
    }
  }, [isOpen, Palette]);
  return (
    <>
      <button type="button" class="find" onClick={() => setOpen(true)}>
        Find <kbd>{navigator.platform.startsWith('Mac') ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      {isOpen && Palette !== null && <Palette {...props} close={() => setOpen(false)} />}
    </>
  );
}
