import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Notes on alerts. */
export class CreateNotes1764900600000 implements MigrationInterface {
  readonly name = 'CreateNotes1764900600000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'alert_notes',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'alert_id', ...id() },
          { name: 'author_id', ...id() },
          { name: 'author_name', ...text(100) },
          { name: 'text', ...longText() },
          { name: 'mentions', ...longText() },
          { name: 'notified', ...longText() },
          { name: 'created_at', ...time() },
          { name: 'edited_at', ...time(), isNullable: true },
        ],
        indices: [new TableIndex({ name: 'alert_notes_alert', columnNames: ['alert_id', 'id'] })],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('alert_notes', true);
  }
}
