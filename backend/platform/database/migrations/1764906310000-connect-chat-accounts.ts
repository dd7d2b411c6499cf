import { type MigrationInterface, type QueryRunner, Table, TableColumn, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Which accounts of chat services members act by, and what is known of a destination's connection and further secrets. */
export class ExpandByChatAccounts1764906310000 implements MigrationInterface {
  readonly name = 'ExpandByChatAccounts1764906310000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    await runner.addColumns('outgoing_destinations', [
      new TableColumn({ name: 'other_hints', ...text(100), isNullable: true }),
      new TableColumn({ name: 'connection', ...text(400), isNullable: true }),
    ]);
    const table = new Table({
      name: 'chat_accounts',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'user_id', ...id() },
        { name: 'service', ...text(16) },
        { name: 'place', ...text(255) },
        { name: 'account', ...text(100) },
        { name: 'account_name', ...text(100) },
        { name: 'is_by_email', type: 'boolean' },
        { name: 'created_at', ...time() },
      ],
      indices: [
        // Nobody acts as two members, and no member by two accounts of one workspace.
        new TableIndex({ name: 'chat_accounts_account', columnNames: ['service', 'place', 'account'], isUnique: true }),
        new TableIndex({ name: 'chat_accounts_user', columnNames: ['user_id', 'service', 'place'], isUnique: true }),
      ],
      ...(engine ? { engine } : {}),
    });
    await runner.createTable(table, true);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('chat_accounts', true);
    await runner.dropColumns('outgoing_destinations', ['other_hints', 'connection']);
  }
}
