import * as z from 'zod/mini';
import type { AppContext } from '#backend/context.ts';
import { type AuditEntry, auditEntrySchema, auditQuerySchema } from '#backend/contract/audit-entry.ts';
import { readIdPage } from '#backend/database/id-pages.ts';
import { type Endpoint, endpoint, ok } from '#backend/endpoint/endpoint.ts';
import { AuditEntity, type StoredAuditEntry } from './audit-log.ts';

const present = (entry: StoredAuditEntry): AuditEntry => ({
  ...entry,
  createdAt: new Date(entry.createdAt).toISOString(),
});

/** The audit trail, newest first: for administrators. */
export function auditRoutes({ database }: Pick<AppContext, 'database'>): Endpoint[] {
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
        const { rows, headers } = await readIdPage(database.reads, AuditEntity, {}, query, '/api/audit');
        return ok(rows.map(present), { headers });
      },
    }),
  ];
}
