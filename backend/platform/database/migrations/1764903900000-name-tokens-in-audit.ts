import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

const TABLE = 'audit_log';

/** The API token by which somebody acted, as it was called then. Each step may be repeated. */
export class ExpandByTokensInAudit1764903900000 implements MigrationInterface {
  readonly name = 'ExpandByTokensInAudit1764903900000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text } = dialectOf(runner);
    const columns = { token_id: id(), token_name: text(100) };
    for (const [column, { type, length, charset, collation }] of Object.entries(columns)) {
      if (await runner.hasColumn(TABLE, column)) continue;
      const encoding = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
      await runner.query(`ALTER TABLE ${TABLE} ADD COLUMN ${column} ${type}(${length})${encoding} NULL`);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const column of ['token_id', 'token_name']) {
      if (await runner.hasColumn(TABLE, column)) await runner.query(`ALTER TABLE ${TABLE} DROP COLUMN ${column}`);
    }
  }
}
