import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * The search index of MySQL and MariaDB: segments of alerts, which alert stands where in them, and the positions of the
 * alerts that have a trigram. All of it is derived. The embedded database has a file of its own for that.
 */
export class CreateSearchSegments1764901000000 implements MigrationInterface {
  readonly name = 'CreateSearchSegments1764901000000';

  async up(runner: QueryRunner): Promise<void> {
    const { name, id, time, engine } = dialectOf(runner);
    if (name !== 'mysql') return;
    const shared = engine ? { engine } : {};
    await runner.createTable(
      new Table({
        name: 'search_segments',
        ...shared,
        columns: [
          { name: 'number', type: 'int', isPrimary: true },
          { name: 'after_id', ...id() },
          { name: 'last_id', ...id() },
          { name: 'built_at', ...time() },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'search_alerts',
        ...shared,
        columns: [
          { name: 'position', type: 'bigint', isPrimary: true },
          { name: 'alert_id', ...id() },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'search_postings',
        ...shared,
        columns: [
          { name: 'segment', type: 'int', isPrimary: true },
          { name: 'gram', type: 'int', isPrimary: true },
          { name: 'positions', type: 'varbinary', length: '512' },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['search_postings', 'search_alerts', 'search_segments']) await runner.dropTable(table, true);
  }
}
