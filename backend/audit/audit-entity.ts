import { EntitySchema } from 'typeorm';
import type { AuditAction } from '#backend/contract/audit-entry.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** One stored entry of the audit trail. Names are as they were at the time. */
export interface StoredAuditEntry {
  id: string;
  action: AuditAction;
  actorId: string | null;
  actorName: string;
  subject: string | null;
  ip: string | null;
  /** How often it happened: more than once only for a call that was refused again and again. */
  times: number;
  createdAt: number;
}

export const AuditEntity = new EntitySchema<StoredAuditEntry>({
  name: 'AuditEntry',
  tableName: 'audit_log',
  columns: {
    id: primary(idColumn('id')),
    action: textColumn('action', 32),
    actorId: nullable(idColumn('actor_id')),
    actorName: textColumn('actor_name', 254),
    subject: nullable(textColumn('subject', 254)),
    ip: nullable(textColumn('ip', 64)),
    times: { type: 'int', default: 1 },
    createdAt: timeColumn('created_at'),
  },
});
