import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * When a report was due by the reports alone, beside when it is judged: that is put off while reports may be missed. A server of
 * an earlier release may still run beside this one: what it stores has none, or one of a report before.
 */
export class ExpandByReportDues1764907650000 implements MigrationInterface {
  readonly name = 'ExpandByReportDues1764907650000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('awaited_reports', 'reported_due_at')) return;
    const { type } = dialectOf(runner).time();
    await runner.query(`ALTER TABLE awaited_reports ADD COLUMN reported_due_at ${type} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('awaited_reports', 'reported_due_at'))) return;
    await runner.query('ALTER TABLE awaited_reports DROP COLUMN reported_due_at');
  }
}
