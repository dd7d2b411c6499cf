import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** What the clock showed lately, by which a jump ahead is recognised. */
export class ExpandByClockLooks1764903500000 implements MigrationInterface {
  readonly name = 'ExpandByClockLooks1764903500000';

  async up(runner: QueryRunner): Promise<void> {
    const { engine, time } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'clock_looks',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'ran_ms', ...time(), isPrimary: true },
          { name: 'shown_at', ...time() },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('clock_looks', true);
  }
}
