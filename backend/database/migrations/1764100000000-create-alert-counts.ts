import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/database/dialect-of.ts';

/** Indexes of the alert lists: what a list's rows have in common comes first, then the id, which is the order of time. */
const LIST_INDEXES = {
  alerts_queue: ['owner_id', 'folder_id', 'status', 'id'],
  alerts_customer: ['customer', 'status', 'id'],
  alerts_type: ['alert_type', 'status', 'id'],
};

/** What `alerts_queue` takes the place of. */
const OLD_QUEUE_INDEX = 'alerts_owner';

const CELL = 'owner_id, folder_id, status, customer, alert_type';
const COUNTED = "COALESCE(owner_id, ''), COALESCE(folder_id, ''), status";

/** Counter rows, and the indexes by which every list is read in its order. Each step may be repeated. */
export class CreateAlertCounts1764100000000 implements MigrationInterface {
  readonly name = 'CreateAlertCounts1764100000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [name, columnNames] of Object.entries(LIST_INDEXES)) await createIndex(runner, name, columnNames);
    await dropIndex(runner, OLD_QUEUE_INDEX);
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
    await createIndex(runner, OLD_QUEUE_INDEX, ['owner_id', 'folder_id', 'id']);
    for (const name of Object.keys(LIST_INDEXES)) await dropIndex(runner, name);
  }
}

async function createIndex(runner: QueryRunner, name: string, columnNames: string[]): Promise<void> {
  if (!(await hasIndex(runner, name))) await runner.createIndex('alerts', new TableIndex({ name, columnNames }));
}

async function dropIndex(runner: QueryRunner, name: string): Promise<void> {
  if (await hasIndex(runner, name)) await runner.dropIndex('alerts', name);
}

async function hasIndex(runner: QueryRunner, name: string): Promise<boolean> {
  const table = await runner.getTable('alerts');
  return table?.indices.some((index) => index.name === name) ?? false;
}
