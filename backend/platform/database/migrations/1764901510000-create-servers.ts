import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Which servers work on this database. The embedded database has one. */
export class ExpandByServers1764901510000 implements MigrationInterface {
  readonly name = 'ExpandByServers1764901510000';

  async up(runner: QueryRunner): Promise<void> {
    const { name, id, text, time, engine } = dialectOf(runner);
    if (name !== 'mysql') return;
    await runner.createTable(
      new Table({
        name: 'servers',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'host', ...text(255) },
          { name: 'version', ...text(32) },
          { name: 'is_shared', type: 'tinyint' },
          { name: 'slot', type: 'smallint' },
          { name: 'started_at', ...time() },
          { name: 'seen_at', ...time() },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('servers', true);
  }
}
