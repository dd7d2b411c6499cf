import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Whose alerts still fire at the end of a maintenance window: they are notified of it. */
export class ExpandByOwnersOfQuiet1764907410000 implements MigrationInterface {
  readonly name = 'ExpandByOwnersOfQuiet1764907410000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('maintenance_occurrences', 'owner_ids')) return;
    const { type } = dialectOf(runner).longText();
    await runner.query(`ALTER TABLE maintenance_occurrences ADD COLUMN owner_ids ${type} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('maintenance_occurrences', 'owner_ids'))) return;
    await runner.query('ALTER TABLE maintenance_occurrences DROP COLUMN owner_ids');
  }
}
