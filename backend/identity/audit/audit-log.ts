import { EntitySchema } from 'typeorm';
import type { AuditAction, AuditEntry } from '#backend/contract/audit-entry.ts';
import { onOneLine } from '#backend/contract/name.ts';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import { idsBetween, timedCondition } from '#backend/platform/database/id-times.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { prune } from '#backend/platform/database/prune.ts';

/** One stored entry of the audit trail. Names are as they were at the time. */
export interface StoredAuditEntry {
  id: string;
  action: AuditAction;
  actorId: string | null;
  actorName: string;
  subject: string | null;
  /** What was changed, or why somebody was kept out; null where the action says it all. */
  detail: string | null;
  /** The API token by which they acted; null for a session, the command line and entries of earlier releases. */
  tokenId: string | null;
  tokenName: string | null;
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
    detail: nullable(textColumn('detail', 1000)),
    tokenId: nullable(idColumn('token_id')),
    tokenName: nullable(textColumn('token_name', 100)),
    ip: nullable(textColumn('ip', 64)),
    times: { type: 'int', default: 1 },
    createdAt: timeColumn('created_at'),
  },
});

/** An entry as administrators read it. */
export const presentAudit = ({ tokenId, tokenName, detail, createdAt, ...entry }: StoredAuditEntry): AuditEntry => ({
  ...entry,
  ...(tokenId !== null && { token: { id: tokenId, name: tokenName ?? '' } }),
  ...(detail !== null && { detail }),
  createdAt: new Date(createdAt).toISOString(),
});

/** The API token by which somebody asks: its id and what it is called. */
export interface ActingToken {
  id: string;
  name: string;
}

/** Who does something, for the audit trail. */
export interface Author {
  id: string | null;
  name: string;
  ip: string | null;
  /** The session by which they ask (its stored hash); null for the command line and who is not signed in. */
  sessionId: string | null;
  /** The API token by which they ask; absent for everybody else. */
  token?: ActingToken | undefined;
}

/** Whoever sits at the server's own command line. */
export const COMMAND_LINE: Author = { id: null, name: 'command line', ip: null, sessionId: null };

/** A member at work, from where they ask. */
export const authorOf = (actor: Actor, ip: string): Author => ({
  id: actor.id,
  name: actor.email,
  ip,
  sessionId: actor.sessionId,
  ...(actor.tokenScope && { token: { id: actor.sessionId, name: actor.tokenName ?? '' } }),
});

/** Longest name that is kept, in characters: as long as an e-mail may be. */
const MAX_NAME = 254;

/** Longest detail that is kept, in characters. */
const MAX_DETAIL = 1000;

/**
 * The beginning of a token's or link's hash, by which the audit trail brings together where it was made, ended and tried.
 * Of 256 random bits it says nothing.
 */
export const fingerprintOf = (tokenHash: string): string => `fingerprint ${tokenHash.slice(0, 8)}`;

/** What not every entry has. */
interface AuditExtras {
  /** What was changed, or why somebody was kept out: for administrators, never for who was. */
  detail?: string | undefined;
  /** How often it happened; 1 when absent. */
  times?: number;
  /** Of an entry that is written again because its first commit was not answered. */
  id?: string;
}

/**
 * Writes down what `author` did, in the transaction in which they did it. Entries are never changed, so that the database
 * may keep this server from it.
 */
export async function addAudit(
  tx: Transaction,
  author: Omit<Author, 'sessionId'>,
  action: AuditAction,
  subject: string | null = null,
  { detail, times = 1, id = newId() }: AuditExtras = {},
): Promise<void> {
  const entry: StoredAuditEntry = {
    id,
    action,
    actorId: author.id,
    // A name may be what somebody typed on the sign-in page: it begins no line of a file.
    actorName: onOneLine(author.name.slice(0, MAX_NAME)),
    subject: subject === null ? null : onOneLine(subject.slice(0, MAX_NAME)),
    detail: detail?.slice(0, MAX_DETAIL).toWellFormed() ?? null,
    tokenId: author.token?.id ?? null,
    tokenName: author.token?.name ?? null,
    ip: author.ip,
    times,
    createdAt: Date.now(),
  };
  await tx.getRepository(AuditEntity).insert(entry);
  tx.toReport.push({ type: 'audit', ...presentAudit(entry) });
}

/** How often old entries are looked for, in milliseconds. */
export const AUDIT_PRUNE_MS = 60 * 60 * 1000;

/** Deletes entries of the audit trail from before a moment, in milliseconds since the epoch. */
export async function pruneAudit(
  database: Pick<Database, 'dialect' | 'reads' | 'transaction'>,
  before: number,
  stopping: AbortSignal,
): Promise<void> {
  const { below = '', ...range } = await idsBetween(database.reads, { to: before });
  const only = timedCondition(range, 'id', 'created_at');
  await prune(database, { table: 'audit_log', column: 'id' }, below, stopping, only);
}

/**
 * Writes what a transaction reports as a line of JSON to standard output: `"type":"audit"` and the fields of
 * `GET /api/audit`, for a collector that keeps it where this server cannot change it.
 */
export function streamAudit(reported: object): void {
  process.stdout.write(`${JSON.stringify(reported)}\n`);
}
