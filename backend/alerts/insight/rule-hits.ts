import { marksOf } from '#backend/platform/database/conditions.ts';
import { type Chunk, idAt } from './chunk.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { prune } from '#backend/platform/database/prune.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { ReadRows } from './reader.ts';

/** A rule, and an alert that it was about. */
export interface RuleHit {
  ruleId: string;
  alertId: string;
}

/**
 * Remembers which alerts a rule was about, each once, in the transaction in which it acts. Ids of rules are unique, so rules of
 * every kind are kept in one table; Insight asks for their names (`InsightDeps.nameRules`).
 */
export const addRuleHits = (tx: Transaction, hits: readonly RuleHit[]): Promise<void> =>
  tx.runRows(
    (rows) => tx.dialect.ignoreExisting(insertSql('rule_hits', ['alert_id', 'rule_id'], rows), 'rule_id'),
    hits.map(({ alertId, ruleId }) => [alertId, ruleId]),
  );

/** Of these hits, those that are not remembered yet. Read without a lock: of alerts that the transaction has locked. */
export async function findNewHits(tx: Transaction, hits: readonly RuleHit[]): Promise<RuleHit[]> {
  const ids = [...new Set(hits.map(({ alertId }) => alertId))];
  if (ids.length === 0) return [];
  const rows: RuleHit[] = await tx.query(
    `SELECT alert_id AS alertId, rule_id AS ruleId FROM rule_hits WHERE alert_id IN (${marksOf(ids)})`,
    ids,
  );
  const known = new Set(rows.map(({ alertId, ruleId }) => `${alertId} ${ruleId}`));
  return hits.filter(({ alertId, ruleId }) => !known.has(`${alertId} ${ruleId}`));
}

/** Hits are kept for so many days: longer than Insight looks back. */
const KEPT_DAYS = 400;
const DAY_MS = 24 * 60 * 60_000;

/** How often old hits are deleted, in milliseconds. */
export const HITS_PRUNE_MS = 6 * 60 * 60_000;

/** Deletes hits of alerts that arrived long ago, of rules of every kind. @param now by a clock that no jump can hurry */
export const pruneInsightHits = (database: Database, stopping: AbortSignal, now: number): Promise<void> =>
  prune(database, { table: 'rule_hits', column: 'alert_id' }, firstIdAt(now - KEPT_DAYS * DAY_MS), stopping);

/** Hits that one statement reads. */
const HITS_AT_ONCE = 20_000;

/** Reads the hits of chunks that are asked for in order. */
export function createHitReader(read: ReadRows): (chunk: Chunk) => Promise<RuleHit[]> {
  /** What was read, up to an alert; `isEnd` where there is nothing behind. */
  let page: { hits: RuleHit[]; readTo: string; isEnd: boolean } = { hits: [], readTo: '', isEnd: false };
  const readOn = async ({ hits }: typeof page, from: string): Promise<typeof page> => {
    const rows = await read<RuleHit>(
      'SELECT alert_id AS alertId, rule_id AS ruleId FROM rule_hits WHERE alert_id >= ? ORDER BY alert_id, rule_id ' +
        `LIMIT ${HITS_AT_ONCE}`,
      [from],
    );
    const isEnd = rows.length < HITS_AT_ONCE;
    const readTo = rows.at(-1)?.alertId ?? from;
    // The hits of the last alert of a page may go on behind it: they are read with the next one.
    return { hits: hits.concat(isEnd ? rows : rows.filter(({ alertId }) => alertId < readTo)), readTo, isEnd };
  };
  return async (chunk) => {
    const [first, last] = [idAt(chunk, 0), idAt(chunk, chunk.size - 1)];
    page.hits = page.hits.filter(({ alertId }) => alertId >= first);
    while (!page.isEnd && page.readTo <= last) {
      page = await readOn(page, page.readTo > first ? page.readTo : first);
    }
    const end = page.hits.findIndex(({ alertId }) => alertId > last);
    return page.hits.slice(0, end === -1 ? page.hits.length : end);
  };
}
