import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * The API key that an alert came with, by its name then: the first entry of its history, which is no row of its own
 * before the first change. Alerts that are there already have that row. On SQLite the index of queues leaves out
 * alerts of the inbox, which are in nobody's. Each step may be repeated.
 */
export class KeepSourceInAlerts1764800000000 implements MigrationInterface {
  readonly name = 'KeepSourceInAlerts1764800000000';

  async up(runner: QueryRunner): Promise<void> {
    const { name, text } = dialectOf(runner);
    const table = await runner.getTable('alerts');
    if (!table?.findColumnByName('source_name')) {
      const { type, length, charset, collation } = text(100);
      const encoding = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
      // As SQL: TypeORM would copy the whole table on SQLite.
      await runner.query(`ALTER TABLE alerts ADD COLUMN source_name ${type}(${length})${encoding} NULL`);
    }
    if (name === 'sqlite') {
      await runner.query('DROP INDEX IF EXISTS alerts_queue');
      await runner.query(`${QUEUE_INDEX} WHERE owner_id IS NOT NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      'INSERT INTO alert_history (alert_id, id, action, user_display_name, created_at) ' +
        "SELECT id, id, 'received', source_name, received_at FROM alerts WHERE source_name IS NOT NULL " +
        'AND NOT EXISTS (SELECT 1 FROM alert_history WHERE alert_history.alert_id = alerts.id)',
    );
    await runner.query('ALTER TABLE alerts DROP COLUMN source_name');
    if (dialectOf(runner).name === 'sqlite') {
      await runner.query('DROP INDEX alerts_queue');
      await runner.query(QUEUE_INDEX);
    }
  }
}

const QUEUE_INDEX = 'CREATE INDEX alerts_queue ON alerts (owner_id, folder_id, status, id)';
