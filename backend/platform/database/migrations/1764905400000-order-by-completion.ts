import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';
import { makeIndex } from '#backend/platform/database/list-index.ts';

/** What is completed in a member's queue and folders, by the time of its completion. On SQLite open alerts cost it nothing. */
const COMPLETED = {
  columns: 'owner_id, folder_id, status, completed_at, id, severity, source_id, state',
  where: "status = 'completed'",
};

/** Reads completed alerts apart from open ones, the last completion first. */
export class ExpandByCompletionOrder1764905400000 implements MigrationInterface {
  readonly name = 'ExpandByCompletionOrder1764905400000';

  async up(runner: QueryRunner): Promise<void> {
    await makeIndex(runner, 'alerts_completed', COMPLETED);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX alerts_completed${dialectOf(runner).name === 'mysql' ? ' ON alerts' : ''}`);
  }
}
