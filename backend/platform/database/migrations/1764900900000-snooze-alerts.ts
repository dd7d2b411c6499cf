import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Columns that may be empty, which both databases add without touching the rows. */
const COLUMNS = [
  ['alerts', 'snoozed_until'],
  ['alerts', 'woken_at'],
  ['alert_history', 'snoozed_until'],
] as const;

/**
 * Alerts that are out of the lists for a time, and when the next of them are due. No index holds the new columns: a
 * snoozed alert has a status of its own, which the present indexes begin with. Each step may be repeated.
 */
export class SnoozeAlerts1764900900000 implements MigrationInterface {
  readonly name = 'SnoozeAlerts1764900900000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, time, engine } = dialectOf(runner);
    for (const [table, column] of COLUMNS) {
      if (await runner.hasColumn(table, column)) continue;
      // As the database does it: TypeORM copies the whole table on SQLite.
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${time().type} NULL`);
    }
    await runner.createTable(
      new Table({
        name: 'alert_wakes',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'alert_id', ...id(), isPrimary: true },
          { name: 'due_at', ...time() },
        ],
        indices: [new TableIndex({ name: 'alert_wakes_due', columnNames: ['due_at', 'alert_id'] })],
      }),
      true,
    );
  }

  /** The release before knows no snoozed alerts: all are in their lists again, and in the counters of those. */
  async down(runner: QueryRunner): Promise<void> {
    for (const [snoozed, status] of STATUSES) {
      await runner.query('UPDATE alerts SET status = ? WHERE status = ?', [status, snoozed]);
      await runner.query(
        'INSERT INTO alert_counts (detail, owner_id, folder_id, status, customer, alert_type, alerts) ' +
          'SELECT c.detail, c.owner_id, c.folder_id, ?, c.customer, c.alert_type, 0 FROM alert_counts c ' +
          'LEFT JOIN alert_counts o ON o.detail = c.detail AND o.owner_id = c.owner_id AND o.folder_id = c.folder_id ' +
          'AND o.status = ? AND o.customer = c.customer AND o.alert_type = c.alert_type ' +
          'WHERE c.status = ? AND o.detail IS NULL',
        [status, status, snoozed],
      );
      const moved: Record<string, unknown>[] = await runner.query('SELECT * FROM alert_counts WHERE status = ?', [
        snoozed,
      ]);
      for (const { detail, owner_id: owner, folder_id: folder, customer, alert_type: type, alerts } of moved) {
        await runner.query(
          'UPDATE alert_counts SET alerts = alerts + ? WHERE detail = ? AND owner_id = ? AND folder_id = ? ' +
            'AND status = ? AND customer = ? AND alert_type = ?',
          [alerts, detail, owner, folder, status, customer, type],
        );
      }
      await runner.query('DELETE FROM alert_counts WHERE status = ?', [snoozed]);
    }
    await runner.query("DELETE FROM alert_counts WHERE status = 'pending' AND detail IN (2, 4)");
    await runner.dropTable('alert_wakes', true);
    for (const [table, column] of COLUMNS) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
  }
}

/** What a snoozed alert's status is stored as, and what it is for the release before. */
const STATUSES = [
  ['snoozed-pending', 'pending'],
  ['snoozed-accepted', 'accepted'],
  ['snoozed-progress', 'in-progress'],
] as const;
