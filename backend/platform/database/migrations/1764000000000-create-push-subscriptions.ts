import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** The browsers that want to be notified of new alerts. */
export class CreatePushSubscriptions1764000000000 implements MigrationInterface {
  readonly name = 'CreatePushSubscriptions1764000000000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'push_subscriptions',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'user_id', ...id() },
          { name: 'session_id', ...text(64) },
          { name: 'endpoint', ...longText() },
          { name: 'endpoint_hash', ...text(64) },
          { name: 'p256dh', ...text(87) },
          { name: 'auth', ...text(22) },
          { name: 'user_agent', ...text(200) },
          { name: 'created_at', ...time() },
          { name: 'last_success_at', ...time(), isNullable: true },
          { name: 'failures', type: 'int' },
          { name: 'failing_since', ...time(), isNullable: true },
        ],
        indices: [
          new TableIndex({ name: 'push_subscriptions_endpoint', columnNames: ['endpoint_hash'], isUnique: true }),
          new TableIndex({ name: 'push_subscriptions_user', columnNames: ['user_id'] }),
          new TableIndex({ name: 'push_subscriptions_session', columnNames: ['session_id'] }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('push_subscriptions', true);
  }
}
