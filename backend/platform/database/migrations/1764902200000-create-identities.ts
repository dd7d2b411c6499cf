import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Columns that other tables get, each of which may be empty. */
const COLUMNS: [table: string, column: string, type: string][] = [
  ['sessions', 'provider', 'varchar(32)'],
  ['sessions', 'id_token', 'text'],
  ['ceremonies', 'details', 'text'],
];

/** Who members are at OpenID providers, and what signing out there takes. Each step may be repeated. */
export class ExpandByIdentities1764902200000 implements MigrationInterface {
  readonly name = 'ExpandByIdentities1764902200000';

  async up(runner: QueryRunner): Promise<void> {
    const { engine, id, text, time } = dialectOf(runner);
    const optional = { isNullable: true };
    await runner.createTable(
      new Table({
        name: 'identities',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'user_id', ...id() },
          { name: 'provider', ...text(32) },
          { name: 'issuer', ...text(500) },
          { name: 'subject_hash', ...text(64) },
          { name: 'email', ...text(254), ...optional },
          { name: 'created_at', ...time() },
          { name: 'last_used_at', ...time(), ...optional },
        ],
        indices: [
          new TableIndex({ name: 'identities_subject', columnNames: ['subject_hash'], isUnique: true }),
          new TableIndex({ name: 'identities_user', columnNames: ['user_id'] }),
        ],
      }),
      true,
    );
    for (const [table, column, type] of COLUMNS) {
      if (await runner.hasColumn(table, column)) continue;
      // As the database does it: TypeORM copies the whole table on SQLite.
      await runner.query(`ALTER TABLE ${table} ADD COLUMN ${column} ${type} NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const [table, column] of COLUMNS) {
      if (await runner.hasColumn(table, column)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${column}`);
    }
    await runner.dropTable('identities', true);
  }
}
