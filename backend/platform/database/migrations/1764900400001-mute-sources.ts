import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** The sources that members do not want to be notified of. */
export class MuteSources1764900400001 implements MigrationInterface {
  readonly name = 'MuteSources1764900400001';

  async up(runner: QueryRunner): Promise<void> {
    const { id, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'source_mutes',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'user_id', ...id(), isPrimary: true },
          { name: 'source_id', ...id(), isPrimary: true },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('source_mutes', true);
  }
}
