import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';
import { makeIndex } from '#backend/platform/database/list-index.ts';

/** The alerts of a group. On SQLite alerts without a group cost it nothing. */
const BY_GROUP = { columns: 'group_id', where: 'group_id IS NOT NULL' };

/**
 * Rules by which alerts become one card, and the groups that they made. A server of an earlier release may still run beside
 * this one: what arrives there stands by itself.
 */
export class ExpandByGroups1764907300000 implements MigrationInterface {
  readonly name = 'ExpandByGroups1764907300000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    const create = (table: Omit<ConstructorParameters<typeof Table>[0] & object, 'engine'>) =>
      runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    await create({
      name: 'grouping_rules',
      columns: [
        { name: 'kind', ...text(16), isPrimary: true },
        { name: 'is_on', type: 'boolean' },
        { name: 'within_minutes', type: 'int' },
        { name: 'changed_by', ...text(100) },
        { name: 'changed_at', ...time() },
      ],
    });
    await create({
      name: 'alert_groups',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'kind', ...text(16) },
        { name: 'within_minutes', type: 'int' },
        { name: 'shared', ...text(500) },
        { name: 'open_key', ...text(64), isNullable: true },
        { name: 'alerts', type: 'int' },
        { name: 'announced_id', ...id(), isNullable: true },
        { name: 'critical_id', ...id(), isNullable: true },
        { name: 'began_at', ...time() },
        { name: 'last_at', ...time() },
      ],
      indices: [
        // However many servers begin a group at the same moment, it is one.
        new TableIndex({ name: 'alert_groups_open', columnNames: ['open_key'], isUnique: true }),
        new TableIndex({ name: 'alert_groups_last', columnNames: ['last_at'] }),
      ],
    });
    if (!(await runner.hasColumn('alerts', 'group_id'))) {
      const { type, length, charset, collation } = id();
      const encoding = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
      // As SQL: TypeORM would copy the whole table on SQLite. A column that may be empty is added without a copy.
      await runner.query(`ALTER TABLE alerts ADD COLUMN group_id ${type}(${length})${encoding} NULL`);
    }
    await makeIndex(runner, 'alerts_by_group', BY_GROUP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM alert_history WHERE action IN ('ungrouped', 'regrouped')");
    await runner.query(`DROP INDEX alerts_by_group${dialectOf(runner).name === 'mysql' ? ' ON alerts' : ''}`);
    await runner.query('ALTER TABLE alerts DROP COLUMN group_id');
    for (const table of ['alert_groups', 'grouping_rules']) await runner.dropTable(table, true);
  }
}
