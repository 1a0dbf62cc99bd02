/** The player's settings on this device. Frames on other sites may have no storage: accessing it throws then. */

/** Null if nothing is stored, or if storage is not available. */
export function readStored(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Without storage a choice lasts until the page is left. */
export function store(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {}
}
