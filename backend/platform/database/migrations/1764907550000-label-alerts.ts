import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';
import { makeIndex } from '#backend/platform/database/list-index.ts';

/** What rules have labelled, by label and status. On SQLite alerts without a label cost it nothing. */
const BY_LABEL = {
  columns: 'label, status, id, severity, state',
  where: 'label IS NOT NULL',
};

/**
 * What rules file alerts under. A server of an earlier release may still run beside this one: what it stores has no label.
 */
export class ExpandByLabels1764907550000 implements MigrationInterface {
  readonly name = 'ExpandByLabels1764907550000';

  async up(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasColumn('alerts', 'label'))) {
      const { type, length, charset, collation } = dialectOf(runner).text(60);
      const encoding = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
      // As SQL: TypeORM would copy the whole table on SQLite. A column that may be empty is added without a copy.
      await runner.query(`ALTER TABLE alerts ADD COLUMN label ${type}(${length})${encoding} NULL`);
    }
    await makeIndex(runner, 'alerts_by_label', BY_LABEL);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`DROP INDEX alerts_by_label${dialectOf(runner).name === 'mysql' ? ' ON alerts' : ''}`);
    await runner.query('ALTER TABLE alerts DROP COLUMN label');
  }
}
