import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';

/** Entries that are older than this are found with their alerts, which are all counted again after this step. */
const OVERLAP_MS = 2 * 60 * 60 * 1000;

/**
 * What Insight counts of noise: which alerts rules were about, and up to where repeats were counted. All alerts are counted
 * again, for their repeats, problems, and windows; what is known of deleted ones stays. A server of an earlier release that runs
 * beside this one cannot read what is counted then, and says that Insight cannot be read.
 */
export class ExpandByNoise1764907400000 implements MigrationInterface {
  readonly name = 'ExpandByNoise1764907400000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'rule_hits',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'alert_id', ...id(), isPrimary: true },
          { name: 'rule_id', ...id(), isPrimary: true },
        ],
      }),
      true,
    );
    if (!(await runner.hasColumn('insight_progress', 'repeat_id'))) {
      const column = id();
      const encoding = column.charset ? ` CHARACTER SET ${column.charset} COLLATE ${column.collation}` : '';
      await runner.query(
        `ALTER TABLE insight_progress ADD COLUMN repeat_id ${column.type}(${column.length})${encoding} NOT NULL DEFAULT ''`,
      );
      await runner.query("UPDATE insight_progress SET version = version + 1, alert_id = '', repeat_id = ?", [
        firstIdAt(Date.now() - OVERLAP_MS),
      ]);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    // An earlier release reads no chunks of this one: it counts from the beginning.
    await runner.query('DELETE FROM insight_chunks');
    await runner.query("UPDATE insight_progress SET version = version + 1, alert_id = ''");
    if (await runner.hasColumn('insight_progress', 'repeat_id')) {
      await runner.query('ALTER TABLE insight_progress DROP COLUMN repeat_id');
    }
    await runner.dropTable('rule_hits', true);
  }
}
