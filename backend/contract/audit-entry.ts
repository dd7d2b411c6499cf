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
  'passkey_renamed',
  'passkey_counter_regressed',
  'recovery_codes_renewed',
  'browser_remembered',
  'browser_forgotten',
  'identity_linked',
  'identity_unlinked',
  'provider_sign_in_refused',
  'sessions_ended_by_provider',
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
  'email_changed',
  'role_changed',
  'role_kept',
  'api_token_created',
  'api_token_revoked',
  'token_rule_changed',
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
  'alerts_imported',
  'alerts_expired',
  'own_data_exported',
  'member_data_exported',
  'installation_exported',
]);
export type AuditAction = z.infer<typeof auditActionSchema>;

/**
 * One entry of the audit trail. `actorName` is who did it, as they were called then (the e-mail that was tried, for a
 * failed sign-in); `subject` is whom or what it was done to; `detail` is what was changed, or why somebody was
 * kept out, where the action does not say it; `token` is the API token by which they
 * acted, as it was called then, and absent for everybody else; `ip` is null for the command line.
 * `times` is how often it happened: a call that is refused to a member again within a minute is counted in one more entry.
 * Entries are added and, when they are old, deleted; none is changed.
 */
export const auditEntrySchema = z.object({
  id: z.string(),
  action: auditActionSchema,
  actorId: z.nullable(z.string()),
  actorName: z.string(),
  subject: z.nullable(z.string()),
  detail: z.optional(z.string()),
  token: z.optional(z.object({ id: z.string(), name: z.string() })),
  ip: z.nullable(z.string()),
  times: z.int().check(z.minimum(1)),
  createdAt: z.iso.datetime(),
});
export type AuditEntry = z.infer<typeof auditEntrySchema>;

/** What the trail is filtered by. */
export const AUDIT_KINDS = ['sign-in', 'refused', 'accounts', 'keys', 'sources', 'views', 'retention'] as const;
export const auditKindSchema = z.enum(AUDIT_KINDS);
export type AuditKind = z.infer<typeof auditKindSchema>;

/** The kind of each action. */
export const KIND_OF_ACTION: Record<AuditAction, AuditKind> = {
  signed_in: 'sign-in',
  sign_in_failed: 'sign-in',
  sign_in_throttled: 'sign-in',
  signed_out: 'sign-in',
  second_step_failed: 'sign-in',
  second_step_throttled: 'sign-in',
  recovery_code_used: 'sign-in',
  totp_added: 'accounts',
  totp_removed: 'accounts',
  passkey_added: 'accounts',
  passkey_removed: 'accounts',
  passkey_renamed: 'accounts',
  passkey_counter_regressed: 'accounts',
  recovery_codes_renewed: 'accounts',
  browser_remembered: 'accounts',
  browser_forgotten: 'accounts',
  identity_linked: 'accounts',
  identity_unlinked: 'accounts',
  provider_sign_in_refused: 'sign-in',
  sessions_ended_by_provider: 'sign-in',
  second_step_reset: 'accounts',
  second_step_rule_changed: 'accounts',
  refused: 'refused',
  user_created: 'accounts',
  user_enabled: 'accounts',
  user_disabled: 'accounts',
  password_reset: 'accounts',
  password_changed: 'accounts',
  password_check_failed: 'sign-in',
  display_name_changed: 'accounts',
  session_ended: 'sign-in',
  other_sessions_ended: 'sign-in',
  user_invited: 'accounts',
  invitation_accepted: 'accounts',
  reset_link_created: 'accounts',
  reset_requested: 'accounts',
  password_reset_by_link: 'accounts',
  link_renewed: 'accounts',
  link_revoked: 'accounts',
  email_changed: 'accounts',
  role_changed: 'accounts',
  role_kept: 'accounts',
  api_token_created: 'keys',
  api_token_revoked: 'keys',
  token_rule_changed: 'keys',
  service_token_created: 'keys',
  service_token_revoked: 'keys',
  api_key_created: 'keys',
  api_key_deleted: 'keys',
  source_created: 'sources',
  source_changed: 'sources',
  source_paused: 'sources',
  source_resumed: 'sources',
  source_deleted: 'sources',
  source_key_rotated: 'sources',
  source_token_rotated: 'sources',
  signing_secret_added: 'sources',
  source_secret_ended: 'sources',
  source_tested: 'sources',
  deliveries_replayed: 'sources',
  shared_view_created: 'views',
  shared_view_changed: 'views',
  shared_view_deleted: 'views',
  view_shared: 'views',
  view_unshared: 'views',
  alerts_imported: 'sources',
  alerts_expired: 'retention',
  own_data_exported: 'accounts',
  member_data_exported: 'accounts',
  installation_exported: 'accounts',
};

/**
 * Query of `GET /api/audit`: `limit` entries (1–500, else 100) older than the entry `before`; of one `kind`, with a text `q`
 * in who did it, in the token, in what it was done to, in its detail or in the address, at `from` or later and before `to`.
 */
export const auditQuerySchema = z.object({
  limit: z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(500)), 100),
  before: z.optional(z.uuid()),
  kind: z.optional(auditKindSchema),
  q: z.optional(z.string().check(z.trim(), z.maxLength(200))),
  from: z.optional(z.iso.datetime()),
  to: z.optional(z.iso.datetime()),
});
export type AuditQuery = z.infer<typeof auditQuerySchema>;
