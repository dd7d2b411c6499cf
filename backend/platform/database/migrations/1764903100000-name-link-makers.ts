import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const TABLE = 'account_links';
const COLUMN = 'by_id';

/** Whose right a link stands on: null of links that a release before has made, and of who asked on the sign-in page. */
export class ExpandByLinkMakers1764903100000 implements MigrationInterface {
  readonly name = 'ExpandByLinkMakers1764903100000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) return;
    const { type, length, charset, collation } = dialectOf(runner).id();
    const encoding = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
    await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${COLUMN} ${type}(${length})${encoding} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn(TABLE, COLUMN)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${COLUMN}`);
  }
}
