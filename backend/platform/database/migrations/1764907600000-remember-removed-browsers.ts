import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a session's browser was taken off the list of devices with pushes. Each step may be repeated. */
export class ExpandByRemovedBrowsers1764907600000 implements MigrationInterface {
  readonly name = 'ExpandByRemovedBrowsers1764907600000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('sessions', 'push_removed_at')) return;
    // As the database does it: TypeORM copies the whole table on SQLite.
    await runner.query('ALTER TABLE sessions ADD COLUMN push_removed_at bigint NULL');
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('sessions', 'push_removed_at'))) return;
    await runner.query('ALTER TABLE sessions DROP COLUMN push_removed_at');
  }
}
