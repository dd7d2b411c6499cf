import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * Which API a sender has, whether it is resolved with its alerts, how it fares, and how a silence is recognised there. A server
 * of an earlier release writes rows without these; it knows Alertmanager alone.
 */
export class ExpandByKindsOfSenders1764906700000 implements MigrationInterface {
  readonly name = 'ExpandByKindsOfSenders1764906700000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time } = dialectOf(runner);
    const add = async (table: string, columns: readonly TableColumn[]): Promise<void> => {
      const missing: TableColumn[] = [];
      for (const column of columns) {
        // Where an upgrade was interrupted, the column is there.
        if (!(await runner.hasColumn(table, column.name))) missing.push(column);
      }
      if (missing.length > 0) await runner.addColumns(table, missing);
    };
    await add('silencing', [
      new TableColumn({ name: 'kind', ...text(16), default: "'alertmanager'" }),
      new TableColumn({ name: 'resolves_completed', type: 'boolean', default: 0 }),
      new TableColumn({ name: 'catch_up_before', ...id(), isNullable: true }),
      new TableColumn({ name: 'failures', type: 'int', default: 0 }),
      new TableColumn({ name: 'reason', ...text(300), isNullable: true }),
      new TableColumn({ name: 'alarmed_at', ...time(), isNullable: true }),
    ]);
    await add('silences', [
      new TableColumn({ name: 'mark', ...id(), isNullable: true }),
      new TableColumn({ name: 'asked_until', ...time(), isNullable: true }),
    ]);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropColumns('silencing', [
      'kind',
      'resolves_completed',
      'catch_up_before',
      'failures',
      'reason',
      'alarmed_at',
    ]);
    await runner.dropColumns('silences', ['mark', 'asked_until']);
  }
}
