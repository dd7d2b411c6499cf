import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const TABLES = ['second_step_rules', 'ceremonies', 'remembered_browsers', 'passkeys', 'recovery_codes', 'totp_keys'];

/** Second steps of sign-in: authenticator apps, recovery codes, passkeys, remembered browsers. Each step may be repeated. */
export class ExpandBySecondStep1764902000000 implements MigrationInterface {
  readonly name = 'ExpandBySecondStep1764902000000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    const create = (name: string, columns: Table['columns'] | object[], indices: [string, string[], boolean?][] = []) =>
      runner.createTable(
        new Table({
          name,
          ...(engine ? { engine } : {}),
          columns: columns as Table['columns'],
          indices: indices.map(
            ([index, columnNames, isUnique = false]) => new TableIndex({ name: index, columnNames, isUnique }),
          ),
        }),
        true,
      );
    await create('totp_keys', [
      { name: 'user_id', ...id(), isPrimary: true },
      { name: 'sealed', ...text(500) },
      { name: 'last_step', type: 'bigint' },
      { name: 'created_at', ...time() },
    ]);
    await create('recovery_codes', [
      { name: 'user_id', ...id(), isPrimary: true },
      { name: 'code_hash', ...text(64), isPrimary: true },
      { name: 'used_at', ...time(), isNullable: true },
    ]);
    await create(
      'passkeys',
      [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'user_id', ...id() },
        { name: 'credential_hash', ...text(64) },
        { name: 'credential_id', ...longText() },
        { name: 'public_key', ...longText() },
        { name: 'sign_count', type: 'bigint' },
        { name: 'transports', ...text(200) },
        { name: 'name', ...text(60) },
        { name: 'is_synced', type: 'boolean' },
        { name: 'created_at', ...time() },
        { name: 'last_used_at', ...time(), isNullable: true },
      ],
      [
        ['passkeys_credential', ['credential_hash'], true],
        ['passkeys_user', ['user_id']],
      ],
    );
    await create(
      'remembered_browsers',
      [
        { name: 'id', ...id(), isPrimary: true },
        { name: 'user_id', ...id() },
        { name: 'token_hash', ...text(64) },
        { name: 'password_changed_at', ...time(), isNullable: true },
        { name: 'user_agent', ...text(200) },
        { name: 'ip', ...text(64) },
        { name: 'created_at', ...time() },
        { name: 'last_used_at', ...time() },
        { name: 'expires_at', ...time() },
      ],
      [
        ['remembered_browsers_token', ['token_hash'], true],
        ['remembered_browsers_user', ['user_id']],
      ],
    );
    await create(
      'ceremonies',
      [
        { name: 'id', ...text(64), isPrimary: true },
        { name: 'kind', ...text(32) },
        { name: 'user_id', ...id(), isNullable: true },
        { name: 'bound_to', ...text(64), isNullable: true },
        { name: 'data', ...text(500), isNullable: true },
        { name: 'expires_at', ...time() },
      ],
      [
        ['ceremonies_user', ['user_id']],
        ['ceremonies_expiry', ['expires_at']],
      ],
    );
    await create('second_step_rules', [
      { name: 'id', type: 'int', isPrimary: true },
      { name: 'required_for', ...text(16) },
    ]);
    const [rule]: unknown[] = await runner.query('SELECT id FROM second_step_rules WHERE id = 1');
    if (!rule) await runner.query("INSERT INTO second_step_rules (id, required_for) VALUES (1, 'nobody')");

    if (!(await runner.hasColumn('sessions', 'proved_at'))) {
      await runner.query('ALTER TABLE sessions ADD COLUMN proved_at bigint NULL');
    }
    if (!(await runner.hasColumn('sessions', 'must_set_up'))) {
      await runner.query('ALTER TABLE sessions ADD COLUMN must_set_up boolean NOT NULL DEFAULT 0');
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    // Who has not passed the second step that is required of them is signed out.
    if (await runner.hasColumn('sessions', 'must_set_up')) {
      await runner.query('DELETE FROM sessions WHERE must_set_up = 1');
      await runner.query('ALTER TABLE sessions DROP COLUMN must_set_up');
    }
    if (await runner.hasColumn('sessions', 'proved_at')) {
      await runner.query('ALTER TABLE sessions DROP COLUMN proved_at');
    }
    for (const name of TABLES) await runner.dropTable(name, true);
  }
}
