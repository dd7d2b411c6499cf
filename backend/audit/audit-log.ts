import { EntitySchema } from 'typeorm';
import type { AuditAction } from '#backend/contract/audit-entry.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';
import { newId, firstIdAt } from '#backend/database/ids.ts';
import type { Transaction } from '#backend/database/transaction.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { deleteHistoryBefore } from '#backend/alerts/history.ts';
import type { Database } from '#backend/database/database.ts';
import { prune } from '#backend/database/prune.ts';

/** One stored entry of the audit trail. Names are as they were at the time. */
export interface StoredAuditEntry {
  id: string;
  action: AuditAction;
  actorId: string | null;
  actorName: string;
  subject: string | null;
  ip: string | null;
  /** How often it happened: more than once only for the repetitions of a refused call. */
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

/** Who does something, for the audit trail. */
export interface Author {
  id: string | null;
  name: string;
  ip: string | null;
  /** The session by which they ask (its stored hash); null for the command line and who is not signed in. */
  sessionId: string | null;
}

/** Whoever sits at the server's own command line. */
export const COMMAND_LINE: Author = { id: null, name: 'command line', ip: null, sessionId: null };

/** A member at work, from where they ask. */
export const authorOf = (actor: Actor, ip: string): Author => ({
  id: actor.id,
  name: actor.email,
  ip,
  sessionId: actor.sessionId,
});

/** Longest name that is kept, in characters: as long as an e-mail may be. */
const MAX_NAME = 254;

/**
 * Writes down what `author` did, in the transaction in which they did it. Entries are never changed, so that the database
 * may keep this server from it.
 */
export async function addAudit(
  tx: Transaction,
  author: Omit<Author, 'sessionId'>,
  action: AuditAction,
  subject: string | null = null,
  times = 1,
): Promise<void> {
  await tx.getRepository(AuditEntity).insert({
    id: newId(),
    action,
    actorId: author.id,
    actorName: author.name.slice(0, MAX_NAME).toWellFormed(),
    subject: subject?.slice(0, MAX_NAME).toWellFormed() ?? null,
    ip: author.ip,
    times,
    createdAt: Date.now(),
  });
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** How often old entries are looked for, in milliseconds. */
export const AUDIT_PRUNE_MS = 60 * 60 * 1000;

/** Deletes entries of the audit trail, and the history of alerts that were deleted, when they are so many days old. */
export async function pruneAudit(
  database: Pick<Database, 'dialect' | 'reads' | 'transaction'>,
  days: number,
  stopping: AbortSignal,
): Promise<void> {
  const before = Date.now() - days * DAY_MS;
  await prune(database, { table: 'audit_log', column: 'id' }, firstIdAt(before), stopping);
  await deleteHistoryBefore(database, before, stopping);
}
