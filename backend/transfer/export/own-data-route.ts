import { addAudit, authorOf } from '#backend/identity/audit/audit-log.ts';
import { type SharedCounts, createLimiter } from '#backend/platform/cluster/limiter.ts';
import { JSON_LINES } from '#backend/contract/account.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type Endpoint, endpoint, okText } from '#backend/platform/endpoint/endpoint.ts';
import { tooMany } from '#backend/platform/endpoint/errors.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';
import { exportMember } from './export-lines.ts';

/** How often a member downloads their data, in so many seconds. */
export const DOWNLOADS = 10;
const DOWNLOADS_SECONDS = 60 * 60;

/**
 * A member's own data, read while it is sent. Not from a snapshot: whoever takes it slowly would hold a connection of the
 * database.
 */
async function* ownLines({ reads, dialect }: Database, userId: string): AsyncGenerator<string> {
  for await (const { text } of exportMember((sql, values) => reads.query(sql, values), dialect, userId, Date.now())) {
    yield text;
  }
}

/** What is stored of the member, for themselves. */
export function ownDataRoutes({ database }: { database: Database }, counts: SharedCounts | undefined): Endpoint[] {
  const downloads = createLimiter('own-data', DOWNLOADS, DOWNLOADS_SECONDS, counts);
  return [
    endpoint({
      method: 'GET',
      path: '/api/auth/export',
      tag: 'account',
      summary: 'Returns what is stored of the member as JSON lines: account, settings, alerts, notes, own actions.',
      access: 'member',
      proof: 'always',
      isList: true,
      responses: { 200: JSON_LINES },
      errors: [429],
      handle: async ({ actor, ip }) => {
        await downloads.consume(actor.id).catch((refusal: unknown) => {
          const seconds = Math.ceil(((refusal as { msBeforeNext?: number }).msBeforeNext ?? 1_000) / 1_000);
          throw tooMany(`Your data was downloaded ${DOWNLOADS} times in an hour. Try again later.`, seconds);
        });
        const author = authorOf(actor, ip);
        await onBehalfOf(database, author).transaction((tx) => addAudit(tx, author, 'own_data_exported', actor.email));
        return okText(JSON_LINES, ownLines(database, actor.id), {
          'Content-Disposition': 'attachment; filename="alertdesk-my-data.jsonl"',
        });
      },
    }),
  ];
}
