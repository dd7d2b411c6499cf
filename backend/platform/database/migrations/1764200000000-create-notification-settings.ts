import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** When members want quiet, and which alert types make which sound. */
export class CreateNotificationSettings1764200000000 implements MigrationInterface {
  readonly name = 'CreateNotificationSettings1764200000000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    const options = engine ? { engine } : {};
    await runner.createTable(
      new Table({
        name: 'notification_settings',
        ...options,
        columns: [
          { name: 'user_id', ...id(), isPrimary: true },
          { name: 'quiet_is_on', type: 'boolean' },
          { name: 'quiet_days', ...text(40) },
          { name: 'quiet_from', ...text(5) },
          { name: 'quiet_to', ...text(5) },
          { name: 'time_zone', ...text(64) },
          { name: 'paused_until', ...time(), isNullable: true },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'alert_sounds',
        ...options,
        columns: [
          { name: 'user_id', ...id(), isPrimary: true },
          { name: 'alert_type', ...text(200), isPrimary: true },
          { name: 'sound', ...text(16) },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['alert_sounds', 'notification_settings']) await runner.dropTable(table, true);
  }
}
