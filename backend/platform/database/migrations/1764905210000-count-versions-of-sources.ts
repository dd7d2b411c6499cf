import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Each source has a number that grows by one with each change of an administrator, so that none is made on what is no longer
 * there. A server of an earlier release, which leaves it as it is, may still run beside this one.
 */
export class ExpandBySourceVersions1764905210000 implements MigrationInterface {
  readonly name = 'ExpandBySourceVersions1764905210000';

  async up(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable('sources');
    if (table?.findColumnByName('version')) return;
    await runner.query('ALTER TABLE sources ADD COLUMN version int NOT NULL DEFAULT 1');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('ALTER TABLE sources DROP COLUMN version');
  }
}
