/** The audit row of an act. Audit rows are kept without limit. */

/** Who did what to which object. */
export interface AuditRow {
  readonly tenant: string;
  /** `key:<id>`, `cli`, or a member. */
  readonly actor: string;
  readonly act: string;
  readonly object: string;
  readonly at: number;
}
