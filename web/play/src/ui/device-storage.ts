/** What this device remembers of the player's choices. Frames on other sites may be denied it: asking for it throws then. */

/** Null where nothing is stored, or storage is forbidden. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Where storage is forbidden nothing is remembered: a choice holds until the page is left. */
export function store(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {}
}
