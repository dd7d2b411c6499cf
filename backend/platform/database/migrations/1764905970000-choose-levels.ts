import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Length of a level's name, in characters. */
const LENGTH = 8;

/** What is in the tables is a mute, and who has decided something is notified of everything. */
const DEFAULTS = {
  customer_mutes: 'never',
  alert_type_mutes: 'never',
  source_mutes: 'never',
  notification_settings: 'always',
} as const;

/**
 * How much members are notified of, and of what otherwise: mutes are exceptions with the level `never`. A server of the
 * release before, which may still run beside this one, writes mutes, and takes every exception for one. Each step may be
 * repeated.
 */
export class ExpandByLevels1764905970000 implements MigrationInterface {
  readonly name = 'ExpandByLevels1764905970000';

  async up(runner: QueryRunner): Promise<void> {
    const text = dialectOf(runner).text(LENGTH);
    const encoding = text.charset ? ` CHARACTER SET ${text.charset} COLLATE ${text.collation}` : '';
    for (const [table, level] of Object.entries(DEFAULTS)) {
      if (await runner.hasColumn(table, 'level')) continue;
      await runner.query(
        `ALTER TABLE ${table} ADD COLUMN level ${text.type}(${LENGTH})${encoding} NOT NULL DEFAULT '${level}'`,
      );
    }
  }

  /** The release before knows mutes alone: what is no mute is no exception any more, rather than silent. */
  async down(runner: QueryRunner): Promise<void> {
    for (const [table, level] of Object.entries(DEFAULTS)) {
      if (!(await runner.hasColumn(table, 'level'))) continue;
      if (level === 'never') await runner.query(`DELETE FROM ${table} WHERE level <> 'never'`);
      await runner.query(`ALTER TABLE ${table} DROP COLUMN level`);
    }
    await runner.query("DELETE FROM view_notices WHERE notify NOT IN ('always', 'never')");
  }
}
