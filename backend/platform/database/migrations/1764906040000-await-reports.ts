import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const COLUMN = 'unreported_minutes';

/**
 * When the next report of an open problem is due at the latest, for sources whose problems end when they are no longer
 * reported. A table beside the alerts: those that wait for no report cost nothing, and nothing is written for what is stored.
 */
export class ExpandByAwaitedReports1764906040000 implements MigrationInterface {
  readonly name = 'ExpandByAwaitedReports1764906040000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    const make = (table: NonNullable<ConstructorParameters<typeof Table>[0]>) =>
      runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    await make({
      name: 'awaited_reports',
      columns: [
        { name: 'alert_id', ...id(), isPrimary: true },
        { name: 'source_id', ...id() },
        { name: 'due_at', ...time() },
      ],
      indices: [new TableIndex({ name: 'awaited_reports_due', columnNames: ['due_at', 'alert_id'] })],
    });
    await make({
      name: 'report_scans',
      columns: [
        { name: 'source_id', ...id(), isPrimary: true },
        { name: 'after_key', ...text(191) },
      ],
    });
    await make({
      name: 'report_watch',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'since_at', ...time() },
        { name: 'seen_at', ...time() },
      ],
    });
    if (await runner.hasColumn('alert_history', COLUMN)) return;
    // As SQL: TypeORM would copy the whole table on SQLite.
    await runner.query(`ALTER TABLE alert_history ADD COLUMN ${COLUMN} int NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['awaited_reports', 'report_scans', 'report_watch']) await runner.dropTable(table, true);
    if (await runner.hasColumn('alert_history', COLUMN)) {
      await runner.query(`ALTER TABLE alert_history DROP COLUMN ${COLUMN}`);
    }
  }
}
