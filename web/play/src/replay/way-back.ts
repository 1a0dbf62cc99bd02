/** The browser's Back leaves a replay for what was there before it, and not the page. */

/** Returns what the page's own button does; `leave` is called once, whichever way is taken. */
export function makeWayBack(leave: () => void): () => void {
  // In a frame the history is the host page's, too: a step back could lead that one elsewhere.
  if (window.parent !== window) return leave;
  const follow = (): void => {
    window.removeEventListener('popstate', follow);
    leave();
  };
  history.pushState(history.state, '');
  window.addEventListener('popstate', follow);
  return () => history.back();
}
