/** The row of an act that is remembered without limit. */

/** Who did what to which object. */
export interface AuditRow {
  readonly tenant: string;
  /** `key:<id>`, `cli` or, later, a member. */
  readonly actor: string;
  readonly act: string;
  readonly object: string;
  readonly at: number;
}
