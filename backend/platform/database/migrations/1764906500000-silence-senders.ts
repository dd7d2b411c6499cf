import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * Silences at the senders of alerts, and where their APIs are. A server of an earlier release, which knows none of them, may
 * still run beside this one: it leads nothing that asks senders.
 */
export class ExpandBySilences1764906500000 implements MigrationInterface {
  readonly name = 'ExpandBySilences1764906500000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const create = (table: Omit<ConstructorParameters<typeof Table>[0] & object, 'engine'>) =>
      runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    await create({
      name: 'silencing',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'is_on', type: 'boolean' },
        { name: 'url', ...longText() },
        { name: 'auth', ...text(8) },
        { name: 'user_name', ...text(200) },
        { name: 'sealed', ...longText(), isNullable: true },
        { name: 'secret_hint', ...text(8), isNullable: true },
        { name: 'minutes', type: 'int' },
        { name: 'active_since', ...time() },
        { name: 'version', type: 'int' },
      ],
    });
    await create({
      name: 'silences',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'source_id', ...id() },
        { name: 'alert_id', ...id() },
        { name: 'labels', ...longText(), isNullable: true },
        { name: 'silence_id', ...text(100), isNullable: true },
        { name: 'state', ...text(16) },
        { name: 'end_reason', ...text(16), isNullable: true },
        { name: 'owner_name', ...text(100), isNullable: true },
        { name: 'ends_at', ...time(), isNullable: true },
        { name: 'is_stopped', type: 'boolean' },
        { name: 'revision', type: 'int' },
        { name: 'failures', type: 'int' },
        { name: 'fault', ...text(300), isNullable: true },
        { name: 'missing_since', ...time(), isNullable: true },
        { name: 'next_at', ...time(), isNullable: true },
        { name: 'claimed_until', ...time() },
        { name: 'created_at', ...time() },
        { name: 'finished_at', ...time(), isNullable: true },
      ],
      indices: [
        // An alert has one silence, however often the feed is read.
        new TableIndex({ name: 'silences_alert', columnNames: ['alert_id'], isUnique: true }),
        new TableIndex({ name: 'silences_due', columnNames: ['next_at'] }),
        new TableIndex({ name: 'silences_source', columnNames: ['source_id', 'id'] }),
        new TableIndex({ name: 'silences_finished', columnNames: ['finished_at'] }),
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['silencing', 'silences']) await runner.dropTable(table, true);
  }
}
