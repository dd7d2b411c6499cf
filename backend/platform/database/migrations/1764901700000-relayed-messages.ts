import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Where servers leave messages for each other while Redis is away. Empty otherwise. */
export class ExpandByRelayedMessages1764901700000 implements MigrationInterface {
  readonly name = 'ExpandByRelayedMessages1764901700000';

  async up(runner: QueryRunner): Promise<void> {
    const { engine, id, time, longText } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'relayed_messages',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'server_id', ...id(), isPrimary: true },
          { name: 'number', type: 'int', isPrimary: true },
          { name: 'sent_at', ...time() },
          { name: 'body', ...longText() },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('relayed_messages', true);
  }
}
