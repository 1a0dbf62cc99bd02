/** The id of the session whose moves this tab stores: small enough to be read before the list is loaded. */

const STORED = 'matchd.movesOf';

export function storedSession(): string | null {
  try {
    return sessionStorage.getItem(STORED);
  } catch {
    // Frames on other sites may be denied their storage.
    return null;
  }
}

/** Throws if storage is not available. */
export function setStoredSession(session: string): void {
  sessionStorage.setItem(STORED, session);
}
