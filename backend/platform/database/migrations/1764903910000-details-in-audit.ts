import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** What was changed, or why somebody was kept out. Each step may be repeated. */
export class ExpandByAuditDetails1764903910000 implements MigrationInterface {
  readonly name = 'ExpandByAuditDetails1764903910000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('audit_log', 'detail')) return;
    const { type, length, charset, collation } = dialectOf(runner).text(1000);
    const encoding = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
    await runner.query(`ALTER TABLE audit_log ADD COLUMN detail ${type}(${length})${encoding} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('audit_log', 'detail')) await runner.query('ALTER TABLE audit_log DROP COLUMN detail');
  }
}
