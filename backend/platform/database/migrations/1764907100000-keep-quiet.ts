import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * Maintenance windows, their occurrences, and which alerts one keeps quiet. A server of an earlier release, which knows none of
 * them, may still run beside this one: what arrives there notifies as before.
 */
export class ExpandByMaintenance1764907100000 implements MigrationInterface {
  readonly name = 'ExpandByMaintenance1764907100000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const create = (table: Omit<ConstructorParameters<typeof Table>[0] & object, 'engine'>) =>
      runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    await create({
      name: 'maintenance_windows',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'name', ...text(100) },
        { name: 'search', ...longText() },
        { name: 'starts_at', ...time() },
        { name: 'minutes', type: 'int' },
        { name: 'time_zone', ...text(64) },
        { name: 'rrule', ...text(300), isNullable: true },
        { name: 'created_by', ...text(100) },
        { name: 'changed_by', ...text(100) },
        { name: 'changed_at', ...time() },
        { name: 'created_at', ...time() },
        { name: 'version', type: 'int' },
      ],
    });
    await create({
      name: 'maintenance_occurrences',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'window_id', ...id() },
        { name: 'name', ...text(100) },
        { name: 'search', ...longText() },
        { name: 'planned_at', ...time() },
        { name: 'starts_at', ...time() },
        { name: 'ends_at', ...time() },
        { name: 'state', ...text(8) },
        { name: 'is_marked', type: 'boolean' },
        { name: 'kept', type: 'int' },
        { name: 'still_firing', type: 'int' },
        { name: 'worst', ...text(8) },
        { name: 'ended_by', ...text(100), isNullable: true },
        { name: 'ended_from', ...time(), isNullable: true },
        { name: 'extended_minutes', type: 'int' },
        { name: 'created_at', ...time() },
      ],
      indices: [
        // However many servers plan the next occurrence of a window, it is one.
        new TableIndex({
          name: 'maintenance_occurrences_planned',
          columnNames: ['window_id', 'planned_at'],
          isUnique: true,
        }),
        new TableIndex({ name: 'maintenance_occurrences_state', columnNames: ['state', 'ends_at'] }),
        new TableIndex({ name: 'maintenance_occurrences_ended', columnNames: ['ends_at'] }),
      ],
    });
    await create({
      name: 'quiet_alerts',
      columns: [
        { name: 'occurrence_id', ...id(), isPrimary: true },
        { name: 'alert_id', ...id(), isPrimary: true },
      ],
    });
    // As SQL: TypeORM would copy the whole table on SQLite. A column that may be empty is added without a copy.
    for (const [name, column] of Object.entries({ quiet_by_id: id(), quiet_by_name: text(100) })) {
      const encoding = column.charset ? ` CHARACTER SET ${column.charset} COLLATE ${column.collation}` : '';
      if (await runner.hasColumn('alerts', name)) continue;
      await runner.query(`ALTER TABLE alerts ADD COLUMN ${name} ${column.type}(${column.length})${encoding} NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM alert_history WHERE action = 'kept_quiet'");
    for (const column of ['quiet_by_id', 'quiet_by_name']) {
      if (await runner.hasColumn('alerts', column)) await runner.query(`ALTER TABLE alerts DROP COLUMN ${column}`);
    }
    for (const table of ['quiet_alerts', 'maintenance_occurrences', 'maintenance_windows']) {
      await runner.dropTable(table, true);
    }
  }
}
