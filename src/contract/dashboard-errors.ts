/** Errors that only the dashboard answers with: code, status and message. */

export const DASHBOARD_ERRORS = {
  cross_site: { status: 403, message: 'The request comes from another site' },
  not_signed_in: { status: 401, message: 'Not signed in' },
  wrong_login: { status: 401, message: 'Wrong e-mail address or password' },
  code_required: { status: 401, message: 'The code of the second factor is required' },
  wrong_code: { status: 401, message: 'Wrong code, or one that was used before' },
  too_many_tries: { status: 429, message: 'Too many tries: wait a while' },
  login_busy: { status: 503, message: 'Too many people sign in at once: try again' },
  role_not_allowed: { status: 403, message: 'Your role may not do this' },
  tenant_suspended: { status: 403, message: 'The tenant is suspended: it can only be looked at' },
  live_read_only: { status: 403, message: 'In the live world this is left to your backend' },
  weak_password: {
    status: 400,
    message: 'The password is too weak: 12 to 128 characters, at least 5 different ones',
  },
  common_password: {
    status: 400,
    message: 'The password is a common one, or little more than a name that others know',
  },
  link_gone: { status: 404, message: 'The link is over or was used' },
  other_account: { status: 409, message: 'The invitation is for another e-mail address' },
  email_taken: { status: 409, message: 'There is an account with this address: sign in first' },
  has_second_factor: { status: 409, message: 'There is a second factor already' },
  no_second_factor: { status: 409, message: 'There is no second factor' },
  login_not_found: { status: 404, message: 'Session of the dashboard not found' },
  tenant_not_found: { status: 404, message: 'Tenant not found' },
  member_not_found: { status: 404, message: 'Member not found' },
  invitation_not_found: { status: 404, message: 'Invitation not found' },
  last_owner: { status: 409, message: 'A tenant keeps at least one owner' },
  too_many_invitations: { status: 409, message: 'Too many invitations wait: withdraw some' },
  too_many_keys: { status: 409, message: 'Too many keys: revoke some' },
  key_not_found: { status: 404, message: 'Key not found' },
  key_not_active: { status: 409, message: 'The key is revoked or has expired' },
  slug_taken: { status: 409, message: 'There is a tenant of this slug' },
  event_not_found: { status: 404, message: 'Event not found, or no longer kept' },
  request_not_found: { status: 404, message: 'Request not found' },
} as const;

export type DashboardErrorCode = keyof typeof DASHBOARD_ERRORS;
