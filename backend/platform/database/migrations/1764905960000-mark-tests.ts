import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each alert says whether it is a test. Those of before say no: nothing but their contents would say otherwise. A server of
 * an earlier release, which leaves it as it is, may still run beside this one.
 */
export class ExpandByTests1764905960000 implements MigrationInterface {
  readonly name = 'ExpandByTests1764905960000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('alerts', 'is_test')) return;
    // As SQL: TypeORM would copy the whole table on SQLite. A column with a constant default is added without a copy.
    await runner.query('ALTER TABLE alerts ADD COLUMN is_test tinyint NOT NULL DEFAULT 0');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('alerts', 'is_test')) await runner.query('ALTER TABLE alerts DROP COLUMN is_test');
  }
}
