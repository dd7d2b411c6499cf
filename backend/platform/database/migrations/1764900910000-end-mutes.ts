import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const TABLES = ['customer_mutes', 'alert_type_mutes', 'source_mutes'] as const;

/** When a mute ends; null: never. Each step may be repeated. */
export class EndMutes1764900910000 implements MigrationInterface {
  readonly name = 'EndMutes1764900910000';

  async up(runner: QueryRunner): Promise<void> {
    const { type } = dialectOf(runner).time();
    for (const table of TABLES) {
      if (await runner.hasColumn(table, 'muted_until')) continue;
      await runner.query(`ALTER TABLE ${table} ADD COLUMN muted_until ${type} NULL`);
    }
  }

  /** The release before knows no ends: what was to end is not muted any more, rather than for good. */
  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) {
      await runner.query(`DELETE FROM ${table} WHERE muted_until IS NOT NULL`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN muted_until`);
    }
  }
}
