import { LessThan } from 'typeorm';
import { type AuditEntry, auditEntrySchema, auditQuerySchema } from '#backend/contract/audit-entry.ts';
import type { Database } from '#backend/database/database.ts';
import { type Endpoint, endpoint, ok } from '#backend/endpoint/endpoint.ts';
import { AuditEntity, type StoredAuditEntry } from './audit-entity.ts';

const present = (entry: StoredAuditEntry): AuditEntry => ({
  ...entry,
  createdAt: new Date(entry.createdAt).toISOString(),
});

/** The audit trail, newest first: for administrators. */
export function auditRoutes({ database }: { database: Database }): Endpoint[] {
  return [
    endpoint({
      method: 'GET',
      path: '/api/audit',
      tag: 'audit',
      summary: 'Lists who came in, who was kept out, and who changed accounts and keys, newest first.',
      who: ['admin'],
      query: auditQuerySchema,
      responses: { 200: auditEntrySchema.array() },
      responseHeaders: ['Link'],
      handle: async ({ query: { limit, before } }) => {
        const entries = await database.reads.getRepository(AuditEntity).find({
          where: before ? { id: LessThan(before) } : {},
          order: { id: 'DESC' },
          take: limit + 1,
        });
        const page = entries.slice(0, limit);
        const next = entries.length > limit ? page.at(-1)?.id : undefined;
        return ok(page.map(present), {
          headers: next ? { Link: `</api/audit?limit=${limit}&before=${next}>; rel="next"` } : {},
        });
      },
    }),
  ];
}
