import { marksOf } from '#backend/platform/database/conditions.ts';
import { In } from 'typeorm';
import * as z from 'zod/mini';
import {
  type AuditAction,
  KIND_OF_ACTION,
  auditActionSchema,
  auditEntrySchema,
} from '#backend/contract/audit-entry.ts';
import { type AuditQuery, auditQuerySchema } from '#backend/contract/audit-query.ts';
import { ACTION_WORDS } from '#backend/contract/audit-words.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SqlValue } from '#backend/platform/database/dialect.ts';
import { idsBetween, inRange } from '#backend/platform/database/id-times.ts';
import { type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { AuditEntity, type StoredAuditEntry, presentAudit } from './audit-log.ts';

/** The audit trail, newest first: for administrators. */
export function auditRoutes({ database }: { database: Database }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/audit',
      tag: 'audit',
      summary: 'Lists who came in, who was kept out, and who changed accounts and keys, newest first.',
      access: ['admin'],
      isList: true,
      query: auditQuerySchema,
      responses: { 200: z.array(auditEntrySchema) },
      responseHeaders: ['Link'],
      handle: async ({ query }) => {
        const { entries, next } = await readAudit(database, query);
        return ok(entries.map(presentAudit), { headers: next === undefined ? {} : { Link: linkTo(query, next) } });
      },
    }),
  ];
}

const ACTIONS = auditActionSchema.options;
const isOneOf = (actions: readonly AuditAction[]): string => `action IN (${marksOf(actions)})`;

/** One page of the trail, and where the next one begins. Entries are found in the order of their ids, which is that of time. */
async function readAudit(
  { reads, longReads, dialect }: Database,
  { limit, before, kind, q, from, to }: AuditQuery,
): Promise<{ entries: StoredAuditEntry[]; next: string | undefined }> {
  const conditions: { sql: string; values: SqlValue[] }[] = [];
  if (before !== undefined) conditions.push({ sql: 'id < ?', values: [before] });
  if (from !== undefined || to !== undefined) {
    conditions.push(inRange(await idsBetween(reads, { from, to }), 'id', 'created_at'));
  }
  if (kind !== undefined) {
    const actions = ACTIONS.filter((action) => KIND_OF_ACTION[action] === kind);
    conditions.push({ sql: isOneOf(actions), values: actions });
  }
  if (q) {
    const texts = dialect.contains(['actor_name', 'token_name', 'subject', 'detail', 'ip'], [q]);
    const called = ACTIONS.filter((action) => ACTION_WORDS[action].toLowerCase().includes(q.toLowerCase()));
    conditions.push({
      sql: [`(${texts.sql}`, ...(called.length > 0 ? [isOneOf(called)] : [])].join(' OR ') + ')',
      values: [...texts.values, ...called],
    });
  }
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
  // Without a filter the first entries are the page; what few entries have, or none, is looked for through the whole trail.
  const sql = `SELECT id FROM audit_log ${where} ORDER BY id DESC LIMIT ${limit + 1}`;
  const values = conditions.flatMap((condition) => condition.values);
  const isPlain = kind === undefined && !q;
  const found: { id: string }[] = isPlain ? await reads.query(sql, values) : await longReads.query(sql, values);
  const ids = found.slice(0, limit).map(({ id }) => id);
  const entries = await reads.getRepository(AuditEntity).find({ where: { id: In(ids) }, order: { id: 'DESC' } });
  return { entries, next: found.length > limit ? ids.at(-1) : undefined };
}

/** The `Link` header to the next page, with the same filter. */
function linkTo({ limit, kind, q, from, to }: AuditQuery, before: string): string {
  const query = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries({ kind, q, from, to })) if (value) query.set(name, value);
  query.set('before', before);
  return `</api/audit?${query}>; rel="next"`;
}
