import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const TABLES = ['deliveries', 'delivery_hours', 'delivery_totals'];

/** The log of what sources sent, counts of it by hour, and its size. Each step may be repeated. */
export class CreateDeliveries1764900200000 implements MigrationInterface {
  readonly name = 'CreateDeliveries1764900200000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const key = { isPrimary: true };
    const optional = { isNullable: true };
    const options = engine ? { engine } : {};
    await runner.createTable(
      new Table({
        name: 'deliveries',
        ...options,
        columns: [
          { name: 'id', ...id(), ...key },
          { name: 'source_id', ...id(), ...optional },
          { name: 'received_at', ...time() },
          { name: 'outcome', ...text(16) },
          { name: 'way', ...text(16) },
          { name: 'summary', ...text(500) },
          { name: 'alert_id', ...id(), ...optional },
          { name: 'body', ...longText(), ...optional },
          { name: 'results', ...longText() },
          { name: 'facts', ...longText() },
          { name: 'bytes', type: 'int' },
        ],
        // Counts of a source's deliveries are read from the index alone.
        indices: [
          new TableIndex({ name: 'deliveries_source', columnNames: ['source_id', 'id', 'outcome', 'received_at'] }),
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'delivery_hours',
        ...options,
        columns: [
          { name: 'source_id', ...id(), ...key },
          { name: 'hour', ...time(), ...key },
          { name: 'outcome', ...text(16), ...key },
          { name: 'way', ...text(16), ...key },
          { name: 'deliveries', type: 'int' },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'delivery_totals',
        ...options,
        columns: [
          { name: 'source_id', ...id(), ...key },
          { name: 'kind', ...text(16), ...key },
          { name: 'amount', type: 'bigint' },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropTable(table, true);
  }
}
