import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Length of the orders of a member's lists, as JSON, in characters. */
const LENGTH = 2_000;

/** In which order a member wants to see each list. A server of an earlier release, which leaves them, may still run beside this one. */
export class ExpandByListOrders1764905220000 implements MigrationInterface {
  readonly name = 'ExpandByListOrders1764905220000';

  async up(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('users', 'list_orders')) return;
    const text = dialectOf(runner).text(LENGTH);
    const encoding = text.charset ? ` CHARACTER SET ${text.charset} COLLATE ${text.collation}` : '';
    await runner.query(`ALTER TABLE users ADD COLUMN list_orders ${text.type}(${LENGTH})${encoding} NULL`);
  }

  async down(runner: QueryRunner): Promise<void> {
    if (await runner.hasColumn('users', 'list_orders')) await runner.query('ALTER TABLE users DROP COLUMN list_orders');
  }
}
