import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** The address from which a session was last used. Each step may be repeated. */
export class ExpandBySessionAddresses1764902400000 implements MigrationInterface {
  readonly name = 'ExpandBySessionAddresses1764902400000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('sessions', 'last_ip')) return;
    const text = dialectOf(runner).text(64);
    const encoding = text.charset ? ` CHARACTER SET ${text.charset} COLLATE ${text.collation}` : '';
    await runner.query(`ALTER TABLE sessions ADD COLUMN last_ip ${text.type}(64)${encoding} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('sessions', 'last_ip')) await runner.query('ALTER TABLE sessions DROP COLUMN last_ip');
  }
}
