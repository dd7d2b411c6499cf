import { DestinationEntity, readSettings } from '#backend/outgoing/destinations/destination-entity.ts';
import { findOfDisabled } from '#backend/outgoing/destinations/open-target.ts';
import { KINDS } from '#backend/outgoing/destinations/kinds/all-kinds.ts';
import { type CompiledRule, compileRule } from '#backend/outgoing/rules/compile-rule.ts';
import {
  OutgoingRuleEntity,
  type StoredOutgoingRule,
  destinationsOfRule,
  ladderOfRule,
} from '#backend/outgoing/rules/rule-entity.ts';
import type { SilencedSources } from '#backend/outgoing/silences/schedule-silences.ts';
import { SilencingEntity } from '#backend/outgoing/silences/silence-entities.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { KnownDestination, OutgoingPlan } from './make-messages.ts';

/** Names of customers, members and sources may stand for others after this, in milliseconds. */
const NAMES_MS = 15_000;

/** What rules send to whom, which senders are silenced, and since when. */
export type ActivePlan = OutgoingPlan & {
  /** Sources at whose senders accepted alerts are silenced. */
  silenced: SilencedSources;
  /** When the first of its rules began to send, or silencing was switched on, in milliseconds since the epoch: nothing before that is sent. */
  activeSince: number;
};

/** Reads rules and destinations, and compiles them again when they or the names in them may have changed. */
export interface PlanKeeper {
  /** Undefined while no rule leads to a destination or has a ladder, and no sender is silenced. */
  current(): Promise<ActivePlan | undefined>;
}

export function createPlanKeeper(database: Pick<Database, 'reads' | 'dialect'>, logger: Logger): PlanKeeper {
  let known: { mark: string; at: number; plan: ActivePlan | undefined } | undefined;
  const notAhead = createNotAhead();
  return {
    async current() {
      const mark = await readMark(database);
      const now = Date.now();
      // Not after the clock was set back: then rules begin by the clock as it is now.
      if (known && known.mark === mark && now >= known.at && now < known.at + NAMES_MS) return known.plan;
      known = { mark, at: now, plan: await loadPlan(database, logger, notAhead) };
      return known.plan;
    },
  };
}

/** Rules as they were stored, except that none begins later than it was first read, by the clock as it is now. */
type NotAhead = (rules: readonly StoredOutgoingRule[]) => StoredOutgoingRule[];

/** A rule that was stored by a clock ahead would send nothing until that time. */
function createNotAhead(): NotAhead {
  let seen = new Map<string, { activeSince: number; at: number }>();
  return (rules) => {
    const before = seen;
    seen = new Map();
    return rules.map((rule) => {
      const { id, activeSince } = rule;
      const known = before.get(id);
      const first = known?.activeSince === activeSince ? known : { activeSince, at: performance.now() };
      seen.set(id, first);
      const firstAt = Date.now() - Math.ceil(performance.now() - first.at);
      return { ...rule, activeSince: Math.min(activeSince, firstAt) };
    });
  };
}

/** A text that is another one after each change of a rule or a destination. */
async function readMark({ reads }: Pick<Database, 'reads'>): Promise<string> {
  const rows: Record<string, unknown>[] = await reads.query(
    'SELECT COUNT(*) AS found, SUM(version) AS versions, MAX(id) AS newest FROM outgoing_rules UNION ALL ' +
      'SELECT COUNT(*) AS found, SUM(version) AS versions, MAX(id) AS newest FROM outgoing_destinations UNION ALL ' +
      'SELECT COUNT(*) AS found, SUM(version) AS versions, MAX(id) AS newest FROM silencing',
  );
  return rows.map(({ found, versions, newest }) => `${String(found)} ${String(versions)} ${String(newest)}`).join(', ');
}

/** Reads and compiles what rules send to whom; undefined where no rule leads anywhere and no sender is silenced. */
export async function loadPlan(
  database: Pick<Database, 'reads' | 'dialect'>,
  logger: Logger,
  notAhead: NotAhead,
): Promise<ActivePlan | undefined> {
  const stored = await database.reads.getRepository(DestinationEntity).find();
  const ofDisabled = await findOfDisabled(database.reads);
  const destinations = new Map<string, KnownDestination>(
    stored.map((one) => [
      one.id,
      {
        id: one.id,
        customers: readSettings(one).customers,
        isPaused: one.pausedAt !== null || ofDisabled.has(one.id),
        isForPeople: KINDS[one.kind].isForPeople,
        isLive: KINDS[one.kind].live !== undefined,
      },
    ]),
  );
  const rules = notAhead(await database.reads.getRepository(OutgoingRuleEntity).findBy({ isOn: true })).filter(
    (rule) => ladderOfRule(rule) !== null || destinationsOfRule(rule).some((id) => destinations.has(id)),
  );
  const silencing = await database.reads.getRepository(SilencingEntity).findBy({ isOn: true });
  if (rules.length === 0 && silencing.length === 0) return undefined;
  return {
    rules: await compileAll(database, rules, destinations, logger),
    destinations,
    silenced: {
      sourceIds: silencing.map(({ id }) => id),
      resolving: silencing.filter(({ resolvesCompleted }) => resolvesCompleted).map(({ id }) => id),
    },
    activeSince: Math.min(...[...rules, ...silencing].map(({ activeSince }) => activeSince)),
  };
}

/** Rules that can be compiled, and have a ladder or lead to a destination that is not paused. */
async function compileAll(
  database: Pick<Database, 'reads' | 'dialect'>,
  rules: readonly StoredOutgoingRule[],
  destinations: ReadonlyMap<string, KnownDestination>,
  logger: Logger,
): Promise<CompiledRule[]> {
  const compiled: CompiledRule[] = [];
  for (const rule of rules) {
    const leadsNowhere = destinationsOfRule(rule).every((id) => destinations.get(id)?.isPaused ?? true);
    if (leadsNowhere && ladderOfRule(rule) === null) continue;
    try {
      compiled.push(await compileRule(database, rule));
    } catch (error) {
      // Its page says so, too.
      logger.warn({ err: error, rule: rule.id }, 'a rule sends nothing, because its search is not understood any more');
    }
  }
  return compiled;
}
