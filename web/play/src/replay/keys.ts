/** The keyboard on a replay: space, arrows, home and end, unless another control uses them. */

import type { Film } from './film.ts';

/** Listens until the returned function is called. */
export function listenForKeys(film: Film): () => void {
  const press = (event: KeyboardEvent): void => {
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return;
    if (document.querySelector('dialog[open]') !== null) return;
    const { target } = event;
    const isSlider = target instanceof HTMLInputElement;
    const isButton = target instanceof HTMLButtonElement;
    const toggle = (): void => (film.isPlaying ? film.pause() : film.play());
    switch (event.key) {
      case ' ':
        // A button has its own meaning for it.
        if (isButton) return;
        toggle();
        break;
      case 'k':
        toggle();
        break;
      case 'ArrowLeft':
      case 'ArrowRight':
        if (isSlider) return;
        film.step(event.key === 'ArrowLeft' ? -1 : 1);
        break;
      case 'Home':
        film.seek(0);
        break;
      case 'End':
        film.seek(film.last);
        break;
      default:
        return;
    }
    event.preventDefault();
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}
