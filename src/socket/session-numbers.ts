/** What sessions are called on one socket with `matchd.v2` (rule P12). */

/** So many are looked through: mostly it is one, which needs no map. */
const FEW = 8;

/** Sessions by their numbers, and back; a lobby may have thousands. */
export class SessionNumbers {
  private readonly sessions: string[] = [];
  private byName: Map<string, number> | null = null;

  /** Empty where it is not shown any more; undefined for a number that none was given. */
  sessionAt(n: number): string | undefined {
    return this.sessions[n];
  }

  /** The number that it has, or the next. */
  of(session: string): number {
    const known = this.find(session);
    if (known >= 0) return known;
    const next = this.sessions.push(session) - 1;
    if (this.sessions.length > FEW) {
      this.byName ??= new Map(this.sessions.map((each, n) => [each, n]));
      this.byName.set(session, next);
    }
    return next;
  }

  /** The session is not shown any more; its number is given to no other. */
  drop(session: string): void {
    const known = this.find(session);
    if (known < 0) return;
    this.sessions[known] = '';
    this.byName?.delete(session);
  }

  private find(session: string): number {
    return this.byName === null ? this.sessions.indexOf(session) : (this.byName.get(session) ?? -1);
  }
}
