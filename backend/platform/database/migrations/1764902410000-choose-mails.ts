import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** New columns by table, with their lengths in characters. */
const COLUMNS = {
  notification_settings: { digest_at: 5, digest_zone: 64, digest_day: 10 },
  mails: { user_id: 36 },
} as const;

const MENTIONS = 'mail_mentions';

/** What members want mailed, and to whom a queued mail goes. Each step may be repeated. */
export class ExpandByMailChoices1764902410000 implements MigrationInterface {
  readonly name = 'ExpandByMailChoices1764902410000';

  async up(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(COLUMNS)) {
      for (const [column, length] of Object.entries(columns)) {
        if (await runner.hasColumn(table, column)) continue;
        const { id, text: textOf } = dialectOf(runner);
        const text = column === 'user_id' ? id() : textOf(length);
        const encoding = text.charset ? ` CHARACTER SET ${text.charset} COLLATE ${text.collation}` : '';
        await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${text.type}(${length})${encoding} NULL`);
      }
    }
    if (!(await runner.hasColumn('notification_settings', MENTIONS))) {
      await runner.query(`ALTER TABLE notification_settings ADD COLUMN ${MENTIONS} boolean NOT NULL DEFAULT 0`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, columns] of Object.entries(COLUMNS)) {
      for (const column of Object.keys(columns)) {
        if (await runner.hasColumn(table, column)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
      }
    }
    if (await runner.hasColumn('notification_settings', MENTIONS)) {
      await runner.query(`ALTER TABLE notification_settings DROP COLUMN ${MENTIONS}`);
    }
  }
}
