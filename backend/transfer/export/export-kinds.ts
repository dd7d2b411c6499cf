import { ALERT_KINDS } from './alert-kinds.ts';
import { GROUP_KINDS } from './group-kinds.ts';
import type { ExportKind } from './export-kind.ts';
import { RULE_KINDS } from './rule-kinds.ts';
import { MAINTENANCE_KINDS } from './maintenance-kinds.ts';
import { HEARTBEAT_KINDS } from './heartbeat-kinds.ts';
import { MEMBER_KINDS } from './member-kinds.ts';
import { OUTGOING_KINDS } from './outgoing-kinds.ts';

/** Every kind of line, in the order of an export: what others name comes before them. The audit trail is last. */
export const EXPORT_KINDS: readonly ExportKind[] = [
  ...MEMBER_KINDS.filter(({ kind }) => kind !== 'audit'),
  ...MAINTENANCE_KINDS,
  ...RULE_KINDS,
  ...GROUP_KINDS,
  ...ALERT_KINDS,
  ...OUTGOING_KINDS,
  ...HEARTBEAT_KINDS,
  ...MEMBER_KINDS.filter(({ kind }) => kind === 'audit'),
];

const COUNTED = 'Counts what is in other tables.';
const IN_FLIGHT = 'Work that servers do at this moment.';
const SEARCHED = 'A search index, made from the alerts.';

/** Tables that are in no export, each with the reason. A table is here or has a kind; a test holds every table to that. */
export const TABLES_LEFT_OUT: Readonly<Record<string, string>> = {
  alert_counts: COUNTED,
  alert_wakes: 'Follows from `snoozedUntil` of alerts.',
  awaited_reports: 'When the next report of a problem is due; each report says it.',
  backfills: IN_FLIGHT,
  bulk_mutes: IN_FLIGHT,
  chat_accounts: 'By which accounts of chats members act; they connect again where that is another server.',
  ceremonies: 'Sign-ins that have begun; they hold secrets and last for minutes.',
  clock_looks: IN_FLIGHT,
  delivery_hours: COUNTED,
  delivery_totals: COUNTED,
  disconnected_chats: 'Accounts of chats by which nobody acts.',
  heartbeat_watch: IN_FLIGHT,
  id_leads: 'Times in which ids were ahead of the clock; what is imported has ids of its own.',
  insight_chunks: COUNTED,
  insight_progress: COUNTED,
  ladder_calls: IN_FLIGHT,
  leases: IN_FLIGHT,
  mail_threads: 'Hashes by which emails of one thread are recognized.',
  mails: 'Mails that wait to be sent; they hold links.',
  outgoing_counts: COUNTED,
  flapping_ends: 'Follows from `rhythm` of alerts.',
  quiet_alerts: 'Follows from `quietById` of alerts.',
  outgoing_live:
    'What chat services call the messages of problems, of which an import posts new ones, and what ticket systems call their tickets, which are found by their markers.',
  migrations: 'How the tables were made.',
  change_places: IN_FLIGHT,
  change_writers: IN_FLIGHT,
  changes: IN_FLIGHT,
  relayed_messages: IN_FLIGHT,
  report_scans: IN_FLIGHT,
  report_watch: IN_FLIGHT,
  rule_hits: 'Which alerts outgoing rules were about; Insight counts them from the import on.',
  search_alerts: SEARCHED,
  search_postings: SEARCHED,
  search_segments: SEARCHED,
  secrets: 'Keys of the servers.',
  servers: IN_FLIGHT,
  webhook_deliveries: 'Hashes by which redeliveries of the last days are recognized.',
};
