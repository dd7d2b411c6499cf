import { marksOf } from '#backend/platform/database/conditions.ts';
import { prune } from '#backend/platform/database/prune.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { RULE_HIT_DAYS } from '#backend/contract/rule.ts';
import { RuleHitsEntity, type StoredRuleHits } from './rule-entities.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** The beginning of a moment's day in UTC. */
const dayOf = (at: number): number => at - (((at % DAY_MS) + DAY_MS) % DAY_MS);

const COLUMNS = ['rule_id', 'day', 'hits', 'last_hit_at'];

/**
 * Counts what rules were applied to, in the transaction that stores it: exactly, with one row a rule for the whole transaction. In
 * the order of the rules' ids, so that two servers do not wait for each other.
 *
 * @param hits reports by the ids of rules
 */
export async function countHits(tx: Transaction, hits: ReadonlyMap<string, number>, now: number): Promise<void> {
  if (hits.size === 0) return;
  const day = dayOf(now);
  const sorted = [...hits].toSorted(([one], [other]) => (one < other ? -1 : 1));
  await tx.runRows(
    (rows) => tx.dialect.upsertSum(insertSql('alert_rule_hits', COLUMNS, rows), 'rule_id, day', 'hits'),
    sorted.map(([ruleId, count]) => [ruleId, day, count, now]),
  );
  const ids = sorted.map(([ruleId]) => ruleId);
  await tx.query(
    `UPDATE alert_rule_hits SET last_hit_at = ? WHERE day = ? AND last_hit_at < ? AND rule_id IN (${marksOf(ids)})`,
    [now, day, now, ...ids],
  );
}

/** Hits of a rule by day, the newest day last, and when it was applied last. */
export interface HitsOfRule {
  days: number[];
  lastHitAt: number | undefined;
}

/** The hits of all rules that have any, by their ids. */
export async function readHits({ reads }: Pick<Database, 'reads'>, now: number): Promise<Map<string, HitsOfRule>> {
  const rows: StoredRuleHits[] = await reads.getRepository(RuleHitsEntity).find();
  const first = dayOf(now) - (RULE_HIT_DAYS - 1) * DAY_MS;
  const byRule = new Map<string, HitsOfRule>();
  for (const { ruleId, day, hits, lastHitAt } of rows) {
    const found = byRule.get(ruleId) ?? { days: noHits(), lastHitAt: undefined };
    byRule.set(ruleId, found);
    found.lastHitAt = Math.max(found.lastHitAt ?? 0, lastHitAt);
    const at = Math.round((day - first) / DAY_MS);
    if (at >= 0 && at < RULE_HIT_DAYS) found.days[at] = hits;
  }
  return byRule;
}

/** Of a rule that was not applied yet. */
export const noHits = (): number[] => Array.from({ length: RULE_HIT_DAYS }, () => 0);

/** How often old hits are deleted, in milliseconds, and for how many days they are kept. */
export const RULE_HITS_PRUNE_MS = 6 * 60 * 60_000;
const KEPT_DAYS = 90;

/** Deletes hits of long ago, also those of rules that are gone. @param now by a clock that no jump can hurry */
export const pruneRuleHits = (database: Database, stopping: AbortSignal, now: number): Promise<unknown> =>
  prune(
    database,
    { table: 'alert_rule_hits', column: 'day', index: 'alert_rule_hits_day' },
    now - KEPT_DAYS * DAY_MS,
    stopping,
  );
