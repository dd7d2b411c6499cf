import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Length of the names of a member's lists whose completed alerts are shown, as JSON, in characters. */
const LENGTH = 2_000;

/** In which lists a member has opened the group of completed alerts. A server of an earlier release may still run beside this one. */
export class ExpandByOpenGroups1764905410000 implements MigrationInterface {
  readonly name = 'ExpandByOpenGroups1764905410000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('users', 'open_groups')) return;
    const text = dialectOf(runner).text(LENGTH);
    const encoding = text.charset ? ` CHARACTER SET ${text.charset} COLLATE ${text.collation}` : '';
    await runner.query(`ALTER TABLE users ADD COLUMN open_groups ${text.type}(${LENGTH})${encoding} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('users', 'open_groups')) await runner.query('ALTER TABLE users DROP COLUMN open_groups');
  }
}
