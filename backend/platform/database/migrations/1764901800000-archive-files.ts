import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Files of archived alerts, and how much of each is of alerts that were deleted. */
export class ExpandByArchiveFiles1764901800000 implements MigrationInterface {
  readonly name = 'ExpandByArchiveFiles1764901800000';

  async up(runner: QueryRunner): Promise<void> {
    const { engine, text, time } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'archive_files',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'name', ...text(100), isPrimary: true },
          { name: 'bytes', type: 'bigint' },
          { name: 'alerts', type: 'bigint' },
          { name: 'changed_at', ...time() },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('archive_files', true);
  }
}
