import type { Database } from '#backend/platform/database/database.ts';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import { consume, type SharedCounts, createLimiter } from '#backend/platform/cluster/limiter.ts';
import { pageExportSchema } from '#backend/contract/page-export.ts';
import { type Endpoint, endpoint, noContent } from '#backend/platform/endpoint/endpoint.ts';
import { tooMany } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';

/** How many files a member saves, in so many seconds. */
const EXPORTS = 60;
const EXPORTS_SECONDS = 60 * 60;

/**
 * Pages make their files from what they read page by page, which the server cannot distinguish from reading: so they say it
 * before they save one.
 */
export function pageExportRoutes({ database }: { database: Database }, counts: SharedCounts | undefined): Endpoint[] {
  const exports = createLimiter('page-export', EXPORTS, EXPORTS_SECONDS, counts);
  return [
    endpoint({
      method: 'POST',
      path: '/api/exports',
      tag: 'audit',
      summary: 'Writes to the audit trail that a page saves a file: of what, by which filter, with how many rows.',
      access: 'member',
      tokenScope: 'none',
      body: pageExportSchema,
      responses: { 204: 'no content' },
      errors: [429],
      handle: async ({ actor, ip, body: { what, filter, format, rows } }) => {
        const counted = await consume(exports, actor.id);
        if (!(counted instanceof RateLimiterRes)) {
          throw tooMany(`You exported ${EXPORTS} times in an hour. Try again later.`, counted.seconds);
        }
        const author = authorOf(actor, ip);
        const count = `${rows} ${rows === 1 ? 'row' : 'rows'} as ${format.toUpperCase()}`;
        await onBehalfOf(database, author).transaction((tx) =>
          addAudit(tx, author, 'page_exported', what, { detail: filter === '' ? count : `${count}: ${filter}` }),
        );
        return noContent();
      },
    }),
  ];
}
