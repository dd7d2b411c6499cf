import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** For how long API tokens work at most: one row, for the whole installation. */
export class ExpandByTokenRule1764903200000 implements MigrationInterface {
  readonly name = 'ExpandByTokenRule1764903200000';

  async up(runner: QueryRunner): Promise<void> {
    const { engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'token_rules',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', type: 'int', isPrimary: true },
          { name: 'max_days', type: 'int', isNullable: true },
        ],
      }),
      true,
    );
    const [rule]: unknown[] = await runner.query('SELECT id FROM token_rules WHERE id = 1');
    if (!rule) await runner.query('INSERT INTO token_rules (id, max_days) VALUES (1, NULL)');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('token_rules', true);
  }
}
