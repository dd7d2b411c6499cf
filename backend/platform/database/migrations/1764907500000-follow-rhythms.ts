import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * When problems opened and closed, since when they flap, and what an administrator has decided about that. A server of an
 * earlier release may still run beside this one: what opens again there is not counted.
 */
export class ExpandByRhythms1764907500000 implements MigrationInterface {
  readonly name = 'ExpandByRhythms1764907500000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    const create = (table: Omit<ConstructorParameters<typeof Table>[0] & object, 'engine'>) =>
      runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    await create({
      name: 'flapping_rules',
      columns: [
        { name: 'id', ...text(16), isPrimary: true },
        { name: 'is_on', type: 'boolean' },
        { name: 'times', type: 'int' },
        { name: 'within_minutes', type: 'int' },
        { name: 'changed_by', ...text(100) },
        { name: 'changed_at', ...time() },
      ],
    });
    await create({
      name: 'flapping_ends',
      columns: [
        { name: 'alert_id', ...id(), isPrimary: true },
        { name: 'due_at', ...time() },
      ],
      indices: [new TableIndex({ name: 'flapping_ends_due', columnNames: ['due_at', 'alert_id'] })],
    });
    // As SQL: TypeORM would copy the whole table on SQLite. Columns that may be empty are added without a copy.
    for (const [column, type] of [
      ['flapping_since', 'bigint'],
      ['rhythm', 'text'],
    ]) {
      if (await runner.hasColumn('alerts', column ?? '')) continue;
      await runner.query(`ALTER TABLE alerts ADD COLUMN ${column} ${type} NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM alert_history WHERE action IN ('flapping', 'calmed')");
    for (const column of ['rhythm', 'flapping_since']) await runner.query(`ALTER TABLE alerts DROP COLUMN ${column}`);
    for (const table of ['flapping_ends', 'flapping_rules']) await runner.dropTable(table, true);
  }
}
