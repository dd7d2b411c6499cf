import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** When a member chose the time of their digest. What a server of an earlier release stores has none. */
export class ExpandByDigestChoices1764907658000 implements MigrationInterface {
  readonly name = 'ExpandByDigestChoices1764907658000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('notification_settings', 'digest_from')) return;
    const { type } = dialectOf(runner).time();
    await runner.query(`ALTER TABLE notification_settings ADD COLUMN digest_from ${type} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('notification_settings', 'digest_from'))) return;
    await runner.query('ALTER TABLE notification_settings DROP COLUMN digest_from');
  }
}
