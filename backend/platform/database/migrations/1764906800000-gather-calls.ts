import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * What ladders notify somebody of together in a storm. A server of an earlier release, which knows none of it, may still run
 * beside this one, and notifies of each alert by itself.
 */
export class ExpandByGatheredCalls1764906800000 implements MigrationInterface {
  readonly name = 'ExpandByGatheredCalls1764906800000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    const create = (table: Omit<ConstructorParameters<typeof Table>[0] & object, 'engine'>) =>
      runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    await create({
      name: 'ladder_calls',
      columns: [
        { name: 'rule_id', ...id(), isPrimary: true },
        { name: 'target_id', ...id(), isPrimary: true },
        { name: 'alert_id', ...id() },
        { name: 'quiet_until', ...time() },
      ],
    });
    await create({
      name: 'ladder_gathered',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'rule_id', ...id() },
        { name: 'target_id', ...id() },
        { name: 'target_kind', ...text(12) },
        { name: 'run_id', ...id() },
        { name: 'position', type: 'int' },
        { name: 'alert_id', ...id() },
        { name: 'is_urgent', type: 'boolean' },
        { name: 'is_end', type: 'boolean' },
        { name: 'state', ...text(8) },
        { name: 'message_id', ...id(), isNullable: true },
        { name: 'alerts', type: 'int' },
        { name: 'gathered_at', ...time() },
        { name: 'done_at', ...time(), isNullable: true },
      ],
      indices: [
        new TableIndex({ name: 'ladder_gathered_target', columnNames: ['rule_id', 'target_id', 'state'] }),
        new TableIndex({ name: 'ladder_gathered_alert', columnNames: ['alert_id'] }),
        new TableIndex({ name: 'ladder_gathered_message', columnNames: ['message_id'] }),
        new TableIndex({ name: 'ladder_gathered_at', columnNames: ['gathered_at'] }),
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('ladder_gathered', true);
    await runner.dropTable('ladder_calls', true);
  }
}
