import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Times in which ids were ahead of the clock, because it had run ahead and was set back. */
export class ExpandByLeadsOfIds1764904100000 implements MigrationInterface {
  readonly name = 'ExpandByLeadsOfIds1764904100000';

  async up(runner: QueryRunner): Promise<void> {
    const { engine, time } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'id_leads',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'shown_from', ...time(), isPrimary: true },
          { name: 'ids_until', ...time() },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('id_leads', true);
  }
}
