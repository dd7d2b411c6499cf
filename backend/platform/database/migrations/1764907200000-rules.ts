import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * Rules on what arrives, and how often each was applied. A server of an earlier release, which knows none of them, may still run
 * beside this one: what arrives there is stored as its sender says.
 */
export class ExpandByRules1764907200000 implements MigrationInterface {
  readonly name = 'ExpandByRules1764907200000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const create = (table: Omit<ConstructorParameters<typeof Table>[0] & object, 'engine'>) =>
      runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    await create({
      name: 'alert_rules',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'place', type: 'int' },
        { name: 'name', ...text(100) },
        { name: 'search', ...longText() },
        { name: 'actions', ...longText() },
        { name: 'is_on', type: 'boolean' },
        { name: 'owner_id', ...id() },
        { name: 'off_at', ...time(), isNullable: true },
        { name: 'off_reason', ...text(300), isNullable: true },
        { name: 'changed_by', ...text(100) },
        { name: 'changed_at', ...time() },
        { name: 'created_at', ...time() },
        { name: 'version', type: 'int' },
      ],
    });
    await create({
      name: 'alert_rule_hits',
      columns: [
        { name: 'rule_id', ...id(), isPrimary: true },
        { name: 'day', ...time(), isPrimary: true },
        { name: 'hits', type: 'int' },
        { name: 'last_hit_at', ...time() },
      ],
      indices: [new TableIndex({ name: 'alert_rule_hits_day', columnNames: ['day'] })],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query("DELETE FROM alert_history WHERE action = 'rule_applied'");
    // What a rule keeps quiet, no window will release; a rule that was deleted has left its marks.
    await runner.query(
      'UPDATE alerts SET quiet_by_id = NULL, quiet_by_name = NULL ' +
        'WHERE quiet_by_id IS NOT NULL AND quiet_by_id NOT IN (SELECT id FROM maintenance_occurrences)',
    );
    for (const table of ['alert_rule_hits', 'alert_rules']) await runner.dropTable(table, true);
  }
}
