import type { Database } from '#backend/platform/database/database.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import { seesEverything } from '#backend/alerts/alert/alert.ts';
import { nameSources } from '#backend/alerts/lists/facets.ts';
import { type Insight, type InsightName, insightQuerySchema, insightSchema } from '#backend/contract/insight.ts';
import { type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notAllowed } from '#backend/platform/endpoint/errors.ts';
import type { NamedFigures } from './aggregate.ts';
import type { InsightKeeper } from './insight.ts';

/** What is known of all alerts together. Figures of a person are their own and the administrators'. */
export function insightRoutes({ database, insight }: { database: Database } & { insight: InsightKeeper }): Endpoint[] {
  const { reads } = database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/insight',
      tag: 'alerts',
      summary:
        'Counts the alerts that arrived in some days, and says how long they took: by day, hour of the week, customer, ' +
        'type, source and person.',
      access: 'member',
      query: insightQuerySchema,
      responses: { 200: insightSchema },
      errors: [403],
      handle: async ({ actor, query }) => {
        const seesAll = seesEverything(actor);
        if (!seesAll && query.personId !== undefined && query.personId !== actor.id) {
          throw notAllowed('Only administrators see figures of others.');
        }
        const person = seesAll ? 'everybody' : { only: actor.id };
        const { before, hours, week, groups, ...figures } = await insight.ask({ query, person, now: Date.now() });
        return ok({
          from: query.from,
          to: query.to,
          timeZone: query.timeZone ?? 'UTC',
          ...figures,
          before,
          week: { arrived: week, hours },
          groups: {
            customer: groups.customer.map((row) => named(row, row.id)),
            alertType: groups.alertType.map((row) => named(row, row.id)),
            source: await withSourceNames(database, groups.source),
            person: await withNames(groups.person, (ids) => findDisplayNames(reads, ids)),
          },
        } satisfies Insight);
      },
    }),
  ];
}

const named = (figures: NamedFigures, name: string | null): InsightName => ({ ...figures, name });

async function withNames(
  rows: readonly NamedFigures[],
  findNames: (ids: string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<InsightName[]> {
  const names = await findNames(rows.flatMap(({ id }) => id ?? []));
  return rows.map((row) => named(row, names.get(row.id ?? '') ?? null));
}

/** Sources with their names, and whether they were deleted. */
async function withSourceNames(
  database: Pick<Database, 'reads' | 'dialect'>,
  rows: readonly NamedFigures[],
): Promise<InsightName[]> {
  const names = await nameSources(
    database,
    { list: 'all' },
    rows.flatMap(({ id }) => id ?? []),
  );
  return rows.map((row) => {
    const source = names.get(row.id ?? '');
    const isDeleted = row.id !== null && (source === undefined || source.isDeleted === true);
    return { ...named(row, source?.name ?? null), ...(isDeleted && { isDeleted }) };
  });
}
