import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';
import { type ListIndex, makeIndex } from '#backend/platform/database/list-index.ts';

/**
 * Severity stands before the id because there are few: new alerts go to the ends of five ranges, not all over the index.
 * Alerts without one are found by the index of their status; on SQLite this one costs them nothing.
 */
const NEW_INDEX: ListIndex = {
  columns: 'status, severity, id, source_id, customer, alert_type',
  where: 'severity IS NOT NULL',
};

/** What lists are filtered by stands behind the id of the other indexes, so that it is looked for in them alone. */
const WIDER: Record<string, ListIndex> = {
  alerts_by_status: { columns: 'status, id, customer, alert_type, severity, source_id' },
  alerts_queue: { columns: 'owner_id, folder_id, status, id, severity, source_id', where: 'owner_id IS NOT NULL' },
};

/** The same before. */
const NARROWER: Record<string, ListIndex> = {
  alerts_by_status: { columns: 'status, id, customer, alert_type' },
  alerts_queue: { columns: 'owner_id, folder_id, status, id', where: 'owner_id IS NOT NULL' },
};

const COUNTED = "COALESCE(owner_id, ''), COALESCE(folder_id, ''), status";
const ORIGIN = "COALESCE(source_id, ''), COALESCE(severity, '')";

/**
 * Lists by severity and source: their index, the other lists' indexes with what they are filtered by, and counters by
 * source and severity (details 3 and 4), in which these stand in the columns of customer and type. Each step may be
 * repeated.
 */
export class FilterBySeverityAndSource1764900300000 implements MigrationInterface {
  readonly name = 'FilterBySeverityAndSource1764900300000';

  async up(runner: QueryRunner): Promise<void> {
    await makeIndex(runner, 'alerts_by_severity', NEW_INDEX);
    for (const [name, index] of Object.entries(WIDER)) await makeIndex(runner, name, index);
    // One statement, so that an upgrade that is killed here leaves all counts or none.
    const [{ counted }] = await runner.query('SELECT COUNT(*) AS counted FROM alert_counts WHERE detail IN (3, 4)');
    if (Number(counted) > 0) return;
    await runner.query(
      'INSERT INTO alert_counts (detail, owner_id, folder_id, status, customer, alert_type, alerts) ' +
        `SELECT 3, ${COUNTED}, ${ORIGIN}, COUNT(*) FROM alerts GROUP BY 2, 3, 4, 5, 6 UNION ALL ` +
        `SELECT 4, '', '', status, ${ORIGIN}, COUNT(*) FROM alerts WHERE status <> 'pending' GROUP BY 4, 5, 6`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM alert_counts WHERE detail IN (3, 4)');
    for (const [name, index] of Object.entries(NARROWER)) await makeIndex(runner, name, index);
    await runner.query(`DROP INDEX alerts_by_severity${dialectOf(runner).name === 'mysql' ? ' ON alerts' : ''}`);
  }
}
