import { In } from 'typeorm';
import type { Database } from '#backend/platform/database/database.ts';
import { findDisplayNames } from '#backend/identity/users/user.ts';
import { AlertEntity, canSee, seesEverything } from '#backend/alerts/alert/alert.ts';
import { nameSources } from '#backend/alerts/lists/facets.ts';
import {
  type Insight,
  type InsightName,
  type InsightProblem,
  insightQuerySchema,
  insightSchema,
} from '#backend/contract/insight.ts';
import { type Actor, type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { notAllowed } from '#backend/platform/endpoint/errors.ts';
import type { NamedFigures } from './aggregate.ts';
import type { ProblemFigures } from './problems.ts';
import type { InsightKeeper } from './insight.ts';

/** Dependencies of the calls about Insight. */
export interface InsightDeps {
  database: Database;
  insight: InsightKeeper;
  /** Names of rules by their ids; those that are deleted have none. */
  nameRules: (ids: readonly string[]) => Promise<RuleNames>;
}

/** What is known of all alerts together. Figures of a person are their own and the administrators'. */
export function insightRoutes({ database, insight, nameRules }: InsightDeps): Endpoint[] {
  const { reads } = database;
  return [
    endpoint({
      method: 'GET',
      path: '/api/insight',
      tag: 'alerts',
      summary:
        'Counts the alerts that arrived in some days, and says how long they took: by day, hour of the week, customer, ' +
        'type, source, person, maintenance window and outgoing rule; with the problems that were delivered most.',
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
        const {
          before,
          hours,
          week,
          criticalByHour: _,
          groups,
          problems,
          ...figures
        } = await insight.ask({
          query,
          person,
          now: Date.now(),
        });
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
            window: groups.window.map((row) => named(row, row.id)),
            rule: await withRuleNames(groups.rule, nameRules),
          },
          problems: await presentProblems(database, actor, problems),
        } satisfies Insight);
      },
    }),
  ];
}

/** Problems as a member may see them: the headline of what a colleague has is not shown to others. */
async function presentProblems(
  database: Pick<Database, 'reads' | 'dialect'>,
  actor: Actor,
  problems: readonly ProblemFigures[],
): Promise<InsightProblem[]> {
  if (problems.length === 0) return [];
  const alerts = await database.reads.getRepository(AlertEntity).find({
    select: { id: true, title: true, status: true, ownerId: true },
    where: { id: In(problems.map(({ alertId }) => alertId)) },
  });
  const known = new Map(alerts.map((alert) => [alert.id, alert]));
  const sourceIds = problems.flatMap(({ sourceId }) => sourceId ?? []);
  const sources = await nameSources(database, { list: 'all' }, sourceIds);
  return problems.map(({ alertId, ...problem }) => {
    const alert = known.get(alertId);
    const visible = alert && canSee(actor, alert) ? alert : undefined;
    const source = sources.get(problem.sourceId ?? '');
    return {
      ...problem,
      ...(visible && { alertId }),
      title: visible?.title ?? null,
      ...(!alert && { isDeleted: true }),
      source: source?.name ?? null,
      ...(isDeletedSource(problem.sourceId, source) && { isSourceDeleted: true }),
    };
  });
}

/** Names of rules by their ids: of those that send, and of those that judge what arrives. */
export interface RuleNames {
  outgoing: ReadonlyMap<string, string>;
  onArrival: ReadonlyMap<string, string>;
}

/** Rules with their names, and what they are; one without a name was deleted. */
async function withRuleNames(
  rows: readonly NamedFigures[],
  nameRules: InsightDeps['nameRules'],
): Promise<InsightName[]> {
  const { outgoing, onArrival } = await nameRules(rows.flatMap(({ id }) => id ?? []));
  return rows.map((row) => {
    const id = row.id ?? '';
    const name = outgoing.get(id) ?? onArrival.get(id) ?? null;
    return Object.assign(
      named(row, name),
      name === null && { isDeleted: true },
      onArrival.has(id) && { isOnArrival: true },
    );
  });
}

const named = (figures: NamedFigures, name: string | null): InsightName => ({ ...figures, name });

async function withNames(
  rows: readonly NamedFigures[],
  findNames: (ids: string[]) => Promise<ReadonlyMap<string, string>>,
): Promise<InsightName[]> {
  const names = await findNames(rows.flatMap(({ id }) => id ?? []));
  return rows.map((row) => named(row, names.get(row.id ?? '') ?? null));
}

/** Whether there is no source of this id any more; `known` is what is known of it. */
const isDeletedSource = (id: string | null, known: { isDeleted?: true } | undefined): boolean =>
  id !== null && (known === undefined || known.isDeleted === true);

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
    return { ...named(row, source?.name ?? null), ...(isDeletedSource(row.id, source) && { isDeleted: true }) };
  });
}
