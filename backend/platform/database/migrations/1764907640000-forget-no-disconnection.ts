import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Accounts of chats that members disconnected: their email connects them no more. */
export class ExpandByDisconnectedChats1764907640000 implements MigrationInterface {
  readonly name = 'ExpandByDisconnectedChats1764907640000';

  async up(runner: QueryRunner): Promise<void> {
    const { text, time, engine } = dialectOf(runner);
    const table = new Table({
      name: 'disconnected_chats',
      columns: [
        { name: 'service', ...text(16), isPrimary: true },
        { name: 'place', ...text(255), isPrimary: true },
        { name: 'account', ...text(100), isPrimary: true },
        { name: 'disconnected_at', ...time() },
      ],
      ...(engine ? { engine } : {}),
    });
    await runner.createTable(table, true);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('disconnected_chats', true);
  }
}
