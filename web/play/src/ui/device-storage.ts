/** The player's choices on this device. Frames on other sites may have no storage: accessing it throws then. */

/** Null where nothing is stored, or storage is forbidden. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Without storage nothing is remembered: a choice lasts until the page is left. */
export function store(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {}
}
