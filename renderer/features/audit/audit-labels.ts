import type { AuditKind } from '#backend/contract/audit-entry.ts';

/** What each kind of entry is called. */
export const KIND_WORDS: Record<AuditKind, string> = {
  'sign-in': 'Sign-ins and sessions',
  refused: 'Refused calls, tokens and links',
  accounts: 'Accounts',
  keys: 'API keys and tokens',
  sources: 'Sources',
  views: 'Shared views',
  alerts: 'Other people’s alerts',
  exports: 'Exports and backups',
  retention: 'Retention',
  outgoing: 'Outgoing',
  maintenance: 'Maintenance windows',
  rules: 'Rules',
};
