import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';

/** Entries of histories that are older than this are found with their alerts, which are all counted after this step. */
const OVERLAP_MS = 60 * 60 * 1000;

/**
 * What insight counts with: chunks of alerts in columns, and up to where alerts and histories are counted. Histories get
 * an index in the order in which they are written, by which changes of known alerts are found. Each step may be repeated.
 */
export class CreateInsight1764901200000 implements MigrationInterface {
  readonly name = 'CreateInsight1764901200000';

  async up(runner: QueryRunner): Promise<void> {
    const { name, id, time, engine } = dialectOf(runner);
    const shared = engine ? { engine } : {};
    await runner.createTable(
      new Table({
        name: 'insight_chunks',
        ...shared,
        columns: [
          { name: 'first_id', ...id(), isPrimary: true },
          { name: 'version', type: 'bigint' },
          { name: 'received_from', ...time() },
          { name: 'received_to', ...time() },
          { name: 'data', type: name === 'mysql' ? 'mediumblob' : 'blob' },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'insight_progress',
        ...shared,
        columns: [
          { name: 'id', type: 'int', isPrimary: true },
          { name: 'version', type: 'bigint' },
          { name: 'alert_id', ...id() },
          { name: 'history_id', ...id() },
        ],
      }),
      true,
    );
    const [progress]: unknown[] = await runner.query('SELECT id FROM insight_progress');
    if (!progress) {
      await runner.query("INSERT INTO insight_progress (id, version, alert_id, history_id) VALUES (1, 0, '', ?)", [
        firstIdAt(Date.now() - OVERLAP_MS),
      ]);
    }
    const table = await runner.getTable('alert_history');
    if (table?.indices.some((index) => index.name === 'alert_history_written')) return;
    await runner.query('CREATE INDEX alert_history_written ON alert_history (id)');
  }

  async down(runner: QueryRunner): Promise<void> {
    const table = await runner.getTable('alert_history');
    if (table?.indices.some((index) => index.name === 'alert_history_written')) {
      await runner.query(
        dialectOf(runner).name === 'mysql'
          ? 'DROP INDEX alert_history_written ON alert_history'
          : 'DROP INDEX alert_history_written',
      );
    }
    for (const name of ['insight_progress', 'insight_chunks']) await runner.dropTable(name, true);
  }
}
