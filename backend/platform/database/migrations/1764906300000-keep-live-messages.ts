import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** What chat services call the messages of problems, which are changed in place. */
export class ExpandByLiveMessages1764906300000 implements MigrationInterface {
  readonly name = 'ExpandByLiveMessages1764906300000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    const table = new Table({
      name: 'outgoing_live',
      columns: [
        { name: 'destination_id', ...id(), isPrimary: true },
        { name: 'alert_id', ...id(), isPrimary: true },
        { name: 'remote', ...text(255) },
        { name: 'updated_at', ...time() },
      ],
      indices: [
        new TableIndex({ name: 'outgoing_live_alert', columnNames: ['alert_id'] }),
        new TableIndex({ name: 'outgoing_live_updated', columnNames: ['updated_at'] }),
      ],
      ...(engine ? { engine } : {}),
    });
    await runner.createTable(table, true);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('outgoing_live', true);
  }
}
