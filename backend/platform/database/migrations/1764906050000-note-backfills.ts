import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** How far work on stored rows has come that goes on beside the server, so that no upgrade waits for it. */
export class ExpandByBackfills1764906050000 implements MigrationInterface {
  readonly name = 'ExpandByBackfills1764906050000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'backfills',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'name', ...id(), isPrimary: true },
          { name: 'before_id', ...id() },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('backfills', true);
  }
}
