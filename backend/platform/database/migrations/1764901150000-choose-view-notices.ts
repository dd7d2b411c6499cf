import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** How members are notified of the alerts in views: a row for each who decided otherwise than their settings. */
export class ChooseViewNotices1764901150000 implements MigrationInterface {
  readonly name = 'ChooseViewNotices1764901150000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'view_notices',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'user_id', ...id(), isPrimary: true },
          { name: 'view_id', ...id(), isPrimary: true },
          { name: 'notify', ...text(8) },
          { name: 'time_zone', ...text(64) },
        ],
        indices: [new TableIndex({ name: 'view_notices_view', columnNames: ['view_id'] })],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('view_notices', true);
  }
}
