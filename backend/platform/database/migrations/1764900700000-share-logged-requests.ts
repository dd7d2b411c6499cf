import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * What logged requests of one sender have in common, stored once. Deliveries that are there keep all of theirs. Each step
 * may be repeated.
 */
export class ShareLoggedRequests1764900700000 implements MigrationInterface {
  readonly name = 'ShareLoggedRequests1764900700000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, longText, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'delivery_requests',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'source_id', ...id() },
          { name: 'facts', ...longText() },
        ],
        indices: [new TableIndex({ name: 'delivery_requests_source', columnNames: ['source_id', 'id'] })],
      }),
      true,
    );
    if (await runner.hasColumn('deliveries', 'request_id')) return;
    const { type, length, charset, collation } = id();
    const encoding = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
    // As the database does it: TypeORM copies the whole table on SQLite.
    await runner.query(`ALTER TABLE deliveries ADD COLUMN request_id ${type}(${length})${encoding} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('DELETE FROM deliveries WHERE request_id IS NOT NULL');
    await runner.dropColumn('deliveries', 'request_id');
    await runner.dropTable('delivery_requests', true);
  }
}
