import * as z from 'zod/mini';

/**
 * What the audit trail remembers: who came in or was kept out, who changed accounts, keys and shared views, what age
 * deleted.
 */
export const auditActionSchema = z.enum([
  'signed_in',
  'sign_in_failed',
  'sign_in_throttled',
  'signed_out',
  'second_step_failed',
  'second_step_throttled',
  'recovery_code_used',
  'totp_added',
  'totp_removed',
  'passkey_added',
  'passkey_removed',
  'passkey_counter_regressed',
  'recovery_codes_renewed',
  'browser_remembered',
  'browser_forgotten',
  'second_step_reset',
  'second_step_rule_changed',
  'refused',
  'user_created',
  'user_enabled',
  'user_disabled',
  'password_reset',
  'password_changed',
  'password_check_failed',
  'display_name_changed',
  'session_ended',
  'other_sessions_ended',
  'user_invited',
  'invitation_accepted',
  'reset_link_created',
  'reset_requested',
  'password_reset_by_link',
  'link_renewed',
  'link_revoked',
  'role_changed',
  'api_token_created',
  'api_token_revoked',
  'service_token_created',
  'service_token_revoked',
  'api_key_created',
  'api_key_deleted',
  'source_created',
  'source_changed',
  'source_paused',
  'source_resumed',
  'source_deleted',
  'source_key_rotated',
  'source_token_rotated',
  'signing_secret_added',
  'source_secret_ended',
  'source_tested',
  'deliveries_replayed',
  'shared_view_created',
  'shared_view_changed',
  'shared_view_deleted',
  'view_shared',
  'view_unshared',
  'alerts_expired',
]);
export type AuditAction = z.infer<typeof auditActionSchema>;

/**
 * One entry of the audit trail. `actorName` is who did it, as they were called then (the e-mail that was tried, for a
 * failed sign-in); `subject` is whom or what it was done to; `ip` is null for the command line.
 * `times` is how often it happened: a call that is refused to a member again within a minute is counted in its first entry.
 */
export const auditEntrySchema = z.object({
  id: z.string(),
  action: auditActionSchema,
  actorId: z.nullable(z.string()),
  actorName: z.string(),
  subject: z.nullable(z.string()),
  ip: z.nullable(z.string()),
  times: z.int().check(z.minimum(1)),
  createdAt: z.iso.datetime(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** Query of `GET /api/audit`: `limit` entries (1–500, else 100) older than the entry `before`. */
export const auditQuerySchema = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 100),
  before: z.optional(z.uuid()),
});
