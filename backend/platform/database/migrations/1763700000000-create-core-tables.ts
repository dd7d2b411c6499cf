import { type MigrationInterface, type QueryRunner, Table, type TableColumnOptions, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const TABLES = [
  'users',
  'sessions',
  'api_keys',
  'alerts',
  'alert_history',
  'customers',
  'alert_types',
  'webhook_deliveries',
  'secrets',
];

/** Accounts, keys, alerts with their history, what is derived from them, and what makes redelivery harmless. */
export class CreateCoreTables1763700000000 implements MigrationInterface {
  readonly name = 'CreateCoreTables1763700000000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const table = async (
      name: string,
      columns: Record<string, Omit<TableColumnOptions, 'name'>>,
      indices: { name: string; columns: string[]; unique?: boolean }[] = [],
    ) => {
      await runner.createTable(
        new Table({
          name,
          ...(engine ? { engine } : {}),
          columns: Object.entries(columns).map(([column, options]) => Object.assign({ name: column }, options)),
          indices: indices.map(
            (index) =>
              new TableIndex({ name: index.name, columnNames: index.columns, isUnique: index.unique ?? false }),
          ),
        }),
        true,
      );
    };
    const key = { isPrimary: true };
    const optional = { isNullable: true };

    await table(
      'users',
      {
        id: { ...id(), ...key },
        email: text(254),
        email_key: text(254),
        display_name: text(100),
        role: text(16),
        is_active: { type: 'boolean' },
        password_hash: text(100),
        password_changed_at: { ...time(), ...optional },
        created_at: time(),
      },
      [{ name: 'users_email_key', columns: ['email_key'], unique: true }],
    );
    await table('sessions', { id: { ...text(64), ...key }, user_id: id(), created_at: time(), last_seen_at: time() }, [
      { name: 'sessions_user', columns: ['user_id'] },
      { name: 'sessions_last_seen', columns: ['last_seen_at'] },
    ]);
    await table(
      'api_keys',
      {
        id: { ...id(), ...key },
        name: text(100),
        key_hash: text(64),
        created_at: time(),
        last_used_at: { ...time(), ...optional },
      },
      [{ name: 'api_keys_hash', columns: ['key_hash'], unique: true }],
    );
    await table(
      'alerts',
      {
        id: { ...id(), ...key },
        received_at: time(),
        status: text(16),
        customer: { ...text(200), ...optional },
        alert_type: { ...text(200), ...optional },
        url: longText(),
        payload: longText(),
        extra_data: longText(),
        owner_id: { ...id(), ...optional },
        folder_id: { ...id(), ...optional },
      },
      [
        { name: 'alerts_status', columns: ['status', 'id'] },
        { name: 'alerts_owner', columns: ['owner_id', 'folder_id', 'id'] },
      ],
    );
    await table('alert_history', {
      alert_id: { ...id(), ...key },
      id: { ...id(), ...key },
      action: text(16),
      previous_status: { ...text(16), ...optional },
      new_status: { ...text(16), ...optional },
      previous_folder_name: { ...text(100), ...optional },
      new_folder_name: { ...text(100), ...optional },
      user_display_name: text(100),
      created_at: time(),
    });
    await table('customers', { id: { ...id(), ...key }, name: text(200), last_seen_at: time() }, [
      { name: 'customers_name', columns: ['name'], unique: true },
    ]);
    await table('alert_types', { name: { ...text(200), ...key }, last_seen_at: time() });
    await table(
      'webhook_deliveries',
      {
        api_key_id: { ...id(), ...key },
        key_hash: { ...text(64), ...key },
        body_hash: text(64),
        alert_id: id(),
        received_at: time(),
      },
      [{ name: 'webhook_deliveries_received', columns: ['received_at'] }],
    );
    await table('secrets', { name: { ...text(64), ...key }, value: text(500) });
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of TABLES.toReversed()) await runner.dropTable(table, true);
  }
}
