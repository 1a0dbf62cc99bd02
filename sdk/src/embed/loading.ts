/** Watches whether a frame starts to show a match, and shows a message while it does not. */

import { makeRefusal } from './refusal.ts';

/** A frame without a greeting after this time was not loaded. */
const HELLO_WAIT_MS = 15_000;
/** A match greets before its frame has loaded: without a greeting this long after it, the page may not frame it. */
const LOADED_WAIT_MS = 1_000;

export interface Loading {
  /** The match has greeted, or the wait was cancelled. */
  done(): void;
}

/** `refused` is called once, when the message is put into `element`. */
export function watchLoading(
  frame: HTMLIFrameElement,
  element: Element,
  locale: string | undefined,
  refused: () => void,
): Loading {
  let refusal: HTMLElement | null = null;
  const stop = (): void => {
    clearTimeout(timer);
    frame.removeEventListener('load', follow);
  };
  const giveUp = (): void => {
    stop();
    frame.style.display = 'none';
    refusal = makeRefusal(locale);
    element.append(refusal);
    refused();
  };
  const follow = (): void => {
    clearTimeout(timer);
    timer = setTimeout(giveUp, LOADED_WAIT_MS);
  };
  let timer = setTimeout(giveUp, HELLO_WAIT_MS);
  frame.addEventListener('load', follow);
  return {
    done() {
      stop();
      frame.style.display = 'block';
      refusal?.remove();
    },
  };
}
