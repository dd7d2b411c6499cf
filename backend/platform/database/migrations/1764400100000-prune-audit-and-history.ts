import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** How often a denied request was repeated; and when alerts were deleted, by which their history is found. Each step may be repeated. */
export class PruneAuditAndHistory1764400100000 implements MigrationInterface {
  readonly name = 'PruneAuditAndHistory1764400100000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, time, engine } = dialectOf(runner);
    const audit = await runner.getTable('audit_log');
    if (!audit?.findColumnByName('times')) {
      // As SQL: TypeORM would copy the whole table on SQLite.
      await runner.query('ALTER TABLE audit_log ADD COLUMN times INT NOT NULL DEFAULT 1');
    }
    await runner.createTable(
      new Table({
        name: 'deleted_alerts',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'deleted_at', ...time(), isPrimary: true },
          { name: 'alert_id', ...id(), isPrimary: true },
        ],
      }),
      true,
    );
    await runner.query('DELETE FROM deleted_alerts');
    await runner.query(
      'INSERT INTO deleted_alerts (deleted_at, alert_id) ' +
        "SELECT MAX(created_at), alert_id FROM alert_history WHERE action = 'deleted' GROUP BY alert_id",
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('deleted_alerts', true);
    await runner.query('ALTER TABLE audit_log DROP COLUMN times');
  }
}
