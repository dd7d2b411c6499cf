import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * What members are notified of is kept for them. A server of an earlier release, which notifies and keeps nothing, may
 * still run beside this one.
 */
export class ExpandByNotices1764905300000 implements MigrationInterface {
  readonly name = 'ExpandByNotices1764905300000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'notices',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'user_id', ...id() },
          { name: 'kind', ...text(16) },
          { name: 'by_name', ...text(100) },
          { name: 'to_name', ...text(100), isNullable: true },
          { name: 'note_id', ...id(), isNullable: true },
          { name: 'text', ...longText() },
          { name: 'alerts', type: 'int' },
          { name: 'alert_id', ...id() },
          { name: 'alert_title', ...text(300), isNullable: true },
          { name: 'customer', ...text(200), isNullable: true },
          { name: 'severity', ...text(8), isNullable: true },
          { name: 'state', ...text(12), isNullable: true },
          { name: 'was_signed_out', type: 'boolean' },
          { name: 'created_at', ...time() },
          { name: 'read_at', ...time(), isNullable: true },
        ],
        indices: [
          new TableIndex({ name: 'notices_user', columnNames: ['user_id', 'id'] }),
          new TableIndex({ name: 'notices_unread', columnNames: ['user_id', 'read_at', 'kind'] }),
          new TableIndex({ name: 'notices_note', columnNames: ['note_id'] }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('notices', true);
  }
}
