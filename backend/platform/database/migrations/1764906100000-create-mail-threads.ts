import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Emails of one thread are one problem, also where their subjects differ. A server of an earlier release takes no emails. */
export class ExpandByMailThreads1764906100000 implements MigrationInterface {
  readonly name = 'ExpandByMailThreads1764906100000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'mail_threads',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'source_id', ...id(), isPrimary: true },
          { name: 'mark', ...text(64), isPrimary: true },
          { name: 'problem', ...text(191) },
          { name: 'received_at', ...time() },
        ],
        indices: [new TableIndex({ name: 'mail_threads_received', columnNames: ['received_at'] })],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('mail_threads', true);
  }
}
