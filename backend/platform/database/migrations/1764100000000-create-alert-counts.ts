import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * Indexes of the alert lists: what a list's rows have in common comes first, then the id, which is the order of time. The
 * names that lists are filtered by stand behind the id: a new alert goes to the end of the index all the same, where an
 * index that began with them would touch a page for every name (and did cost more than all else of storing an alert).
 */
const LIST_INDEXES = {
  alerts_queue: ['owner_id', 'folder_id', 'status', 'id'],
  alerts_by_status: ['status', 'id', 'customer', 'alert_type'],
};

/** What they take the place of. */
const OLD_INDEXES = { alerts_owner: ['owner_id', 'folder_id', 'id'], alerts_status: ['status', 'id'] };

const CELL = 'owner_id, folder_id, status, customer, alert_type';
const COUNTED = "COALESCE(owner_id, ''), COALESCE(folder_id, ''), status";

/** Counter rows, and the indexes by which every list is read in its order. Each step may be repeated. */
export class CreateAlertCounts1764100000000 implements MigrationInterface {
  readonly name = 'CreateAlertCounts1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    await exchangeIndexes(runner, OLD_INDEXES, LIST_INDEXES);
    const { id, text, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'alert_counts',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'detail', type: 'int', isPrimary: true },
          { name: 'owner_id', ...id(), isPrimary: true },
          { name: 'folder_id', ...id(), isPrimary: true },
          { name: 'status', ...text(16), isPrimary: true },
          { name: 'customer', ...text(200), isPrimary: true },
          { name: 'alert_type', ...text(200), isPrimary: true },
          { name: 'alerts', type: 'int' },
        ],
      }),
      true,
    );
    // One statement, so that an upgrade that is killed here leaves all counts or none.
    const [{ counted }] = await runner.query('SELECT COUNT(*) AS counted FROM alert_counts');
    if (Number(counted) > 0) return;
    await runner.query(
      `INSERT INTO alert_counts (detail, ${CELL}, alerts) ` +
        `SELECT 0, ${COUNTED}, '', '', COUNT(*) FROM alerts GROUP BY 2, 3, 4 UNION ALL ` +
        `SELECT 1, ${COUNTED}, COALESCE(customer, ''), COALESCE(alert_type, ''), COUNT(*) FROM alerts GROUP BY 2, 3, 4, 5, 6 UNION ALL ` +
        "SELECT 2, '', '', status, COALESCE(customer, ''), COALESCE(alert_type, ''), COUNT(*) FROM alerts " +
        "WHERE status <> 'pending' GROUP BY 4, 5, 6",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('alert_counts', true);
    await exchangeIndexes(runner, LIST_INDEXES, OLD_INDEXES);
  }
}

async function exchangeIndexes(
  runner: QueryRunner,
  old: Record<string, string[]>,
  wanted: Record<string, string[]>,
): Promise<void> {
  for (const [name, columnNames] of Object.entries(wanted)) {
    if (!(await hasIndex(runner, name))) await runner.createIndex('alerts', new TableIndex({ name, columnNames }));
  }
  for (const name of Object.keys(old)) if (await hasIndex(runner, name)) await runner.dropIndex('alerts', name);
}

async function hasIndex(runner: QueryRunner, name: string): Promise<boolean> {
  const table = await runner.getTable('alerts');
  return table?.indices.some((index) => index.name === name) ?? false;
}
