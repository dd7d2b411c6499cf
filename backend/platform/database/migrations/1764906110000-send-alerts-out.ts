import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const TABLES = ['outgoing_destinations', 'outgoing_rules', 'outgoing_messages', 'outgoing_counts'];

/**
 * Destinations, rules, and the messages that rules make for destinations. A server of an earlier release, which knows none of
 * them, may still run beside this one: it leads nothing that sends.
 */
export class ExpandByOutgoing1764906110000 implements MigrationInterface {
  readonly name = 'ExpandByOutgoing1764906110000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const create = (table: Omit<ConstructorParameters<typeof Table>[0] & object, 'engine'>) =>
      runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    await create({
      name: 'outgoing_destinations',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'kind', ...text(16) },
        { name: 'name', ...text(100) },
        { name: 'name_key', ...text(200) },
        { name: 'settings', ...longText() },
        { name: 'sealed', ...longText(), isNullable: true },
        { name: 'secret_hint', ...text(8), isNullable: true },
        { name: 'old_secret_until', ...time(), isNullable: true },
        { name: 'paused_at', ...time(), isNullable: true },
        { name: 'paused_by', ...text(100), isNullable: true },
        { name: 'failures', type: 'int' },
        { name: 'failing_since', ...time(), isNullable: true },
        { name: 'retry_at', ...time(), isNullable: true },
        { name: 'reason', ...text(300), isNullable: true },
        { name: 'last_sent_at', ...time(), isNullable: true },
        { name: 'alarmed_at', ...time(), isNullable: true },
        { name: 'created_at', ...time() },
        { name: 'version', type: 'int' },
      ],
      indices: [new TableIndex({ name: 'outgoing_destinations_name', columnNames: ['name_key'], isUnique: true })],
    });
    await create({
      name: 'outgoing_rules',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'name', ...text(100) },
        { name: 'name_key', ...text(200) },
        { name: 'search', ...longText() },
        { name: 'events', ...text(100) },
        { name: 'destination_ids', ...longText() },
        { name: 'is_on', type: 'boolean' },
        { name: 'active_since', ...time() },
        { name: 'changed_by', ...text(100) },
        { name: 'changed_at', ...time() },
        { name: 'created_at', ...time() },
        { name: 'version', type: 'int' },
      ],
      indices: [new TableIndex({ name: 'outgoing_rules_name', columnNames: ['name_key'], isUnique: true })],
    });
    await create({
      name: 'outgoing_messages',
      columns: [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'destination_id', ...id() },
        { name: 'alert_id', ...id() },
        { name: 'event', ...text(16) },
        { name: 'event_key', ...text(64) },
        { name: 'state', ...text(16) },
        { name: 'content', ...longText() },
        { name: 'attempts', type: 'int' },
        { name: 'next_at', ...time() },
        { name: 'claimed_until', ...time() },
        { name: 'attempt_log', ...longText() },
        { name: 'created_at', ...time() },
        { name: 'give_up_at', ...time() },
        { name: 'finished_at', ...time(), isNullable: true },
      ],
      indices: [
        // What happened once is sent once to each destination, however often the feed is read.
        new TableIndex({
          name: 'outgoing_messages_event',
          columnNames: ['alert_id', 'destination_id', 'event_key'],
          isUnique: true,
        }),
        new TableIndex({ name: 'outgoing_messages_queue', columnNames: ['destination_id', 'state', 'id'] }),
        new TableIndex({ name: 'outgoing_messages_finished', columnNames: ['finished_at'] }),
      ],
    });
    await create({
      name: 'outgoing_counts',
      columns: [
        { name: 'destination_id', ...id(), isPrimary: true },
        { name: 'hour', type: 'int', isPrimary: true },
        { name: 'sent', type: 'int' },
      ],
    });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES) await runner.dropTable(table, true);
  }
}
