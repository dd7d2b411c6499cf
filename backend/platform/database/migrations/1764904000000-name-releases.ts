import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which release made a migration, so that an older one can name it. */
export class ExpandByReleases1764904000000 implements MigrationInterface {
  readonly name = 'ExpandByReleases1764904000000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('migrations', 'made_by')) return;
    await runner.query('ALTER TABLE migrations ADD COLUMN made_by varchar(32) NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('migrations', 'made_by'))) return;
    await runner.query('ALTER TABLE migrations DROP COLUMN made_by');
  }
}
