import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * Empties the segments of the search index of MySQL and MariaDB: they are made again, and know names beside texts. The
 * embedded database's index is a file that has a version of its own.
 */
export class IndexNamesForSearch1764901400000 implements MigrationInterface {
  readonly name = 'IndexNamesForSearch1764901400000';

  async up(runner: QueryRunner): Promise<void> {
    await emptySegments(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    await emptySegments(runner);
  }
}

async function emptySegments(runner: QueryRunner): Promise<void> {
  if (dialectOf(runner).name !== 'mysql') return;
  for (const table of ['search_segments', 'search_postings', 'search_alerts']) {
    await runner.query(`TRUNCATE TABLE ${table}`);
  }
}
