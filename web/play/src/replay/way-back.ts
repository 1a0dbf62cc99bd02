/** The browser's Back button leaves a replay and returns to the previous view instead of leaving the page. */

/** Returns the action of the page's own button; `leave` is called once, whichever button is used. */
export function makeWayBack(leave: () => void): () => void {
  // A frame shares the history of its host page, so a step back could navigate the host.
  if (window.parent !== window) return leave;
  const follow = (): void => {
    window.removeEventListener('popstate', follow);
    leave();
  };
  history.pushState(history.state, '');
  window.addEventListener('popstate', follow);
  return () => history.back();
}
