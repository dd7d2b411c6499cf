import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each alert has a number that grows by one with each change, so that of two answers the newer is known. A server of an
 * earlier release, which leaves it as it is, may still run beside this one.
 */
export class ExpandByVersions1764905000000 implements MigrationInterface {
  readonly name = 'ExpandByVersions1764905000000';

  async up(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable('alerts');
    if (table?.findColumnByName('version')) return;
    // As SQL: TypeORM would copy the whole table on SQLite. A column with a constant default is added without a copy.
    await runner.query('ALTER TABLE alerts ADD COLUMN version int NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE alerts DROP COLUMN version');
  }
}
