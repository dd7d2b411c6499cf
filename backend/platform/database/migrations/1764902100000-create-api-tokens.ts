import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** API tokens, and accounts that are services: they have tokens, but nobody signs in with them. */
export class ExpandByApiTokens1764902100000 implements MigrationInterface {
  readonly name = 'ExpandByApiTokens1764902100000';

  async up(runner: QueryRunner): Promise<void> {
    const { engine, id, text, time } = dialectOf(runner);
    if (!(await runner.hasColumn('users', 'is_service'))) {
      // As the database does it: TypeORM copies the whole table on SQLite.
      await runner.query('ALTER TABLE users ADD COLUMN is_service BOOLEAN NOT NULL DEFAULT 0');
    }
    const optional = { isNullable: true };
    await runner.createTable(
      new Table({
        name: 'api_tokens',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'user_id', ...id() },
          { name: 'name', ...text(100) },
          { name: 'scope', ...text(16) },
          { name: 'token_hash', ...text(64) },
          { name: 'created_at', ...time() },
          { name: 'expires_at', ...time(), ...optional },
          { name: 'last_used_at', ...time(), ...optional },
        ],
        indices: [
          new TableIndex({ name: 'api_tokens_hash', columnNames: ['token_hash'], isUnique: true }),
          new TableIndex({ name: 'api_tokens_user', columnNames: ['user_id'] }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('api_tokens', true);
    if (!(await runner.hasColumn('users', 'is_service'))) return;
    // An older version takes them for people.
    await runner.query('UPDATE users SET is_active = 0 WHERE is_service = 1');
    await runner.query('ALTER TABLE users DROP COLUMN is_service');
  }
}
