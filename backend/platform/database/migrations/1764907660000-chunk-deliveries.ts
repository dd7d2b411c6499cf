import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * Deliveries of one source that each made one new alert, many in a row. A server of an earlier release may still run beside this
 * one: its log shows those in rows of their own, and stores all like that.
 */
export class ExpandByDeliveryChunks1764907660000 implements MigrationInterface {
  readonly name = 'ExpandByDeliveryChunks1764907660000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const table = new Table({
      name: 'delivery_chunks',
      ...(engine ? { engine } : {}),
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'first_id', ...id() },
        { name: 'source_id', ...id() },
        { name: 'received_at', ...time() },
        { name: 'deliveries', type: 'int' },
        { name: 'way', ...text(16) },
        { name: 'request_id', ...id() },
        { name: 'members', ...longText() },
        { name: 'bytes', type: 'int' },
      ],
      // Counts and times of a source's deliveries are read from the index alone.
      indices: [
        new TableIndex({
          name: 'delivery_chunks_source',
          columnNames: ['source_id', 'id', 'first_id', 'received_at', 'deliveries'],
        }),
      ],
    });
    await runner.createTable(table, true);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (!(await runner.hasTable('delivery_chunks'))) return;
    const chunked: { source_id: string; deliveries: number | string; bytes: number | string }[] = await runner.query(
      'SELECT source_id, SUM(deliveries) AS deliveries, SUM(bytes) AS bytes FROM delivery_chunks GROUP BY source_id',
    );
    for (const { source_id: source, deliveries, bytes } of chunked) {
      for (const [kind, amount] of [
        ['rows', Number(deliveries)],
        ['bytes', Number(bytes)],
      ])
        await runner.query('UPDATE delivery_totals SET amount = amount - ? WHERE source_id = ? AND kind = ?', [
          amount,
          source,
          kind,
        ]);
    }
    await runner.dropTable('delivery_chunks', true);
  }
}
