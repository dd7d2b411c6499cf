import type { MigrationInterface, QueryRunner } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';
import { CREATE_LEASES } from '#backend/platform/database/lease.ts';

/** Which server does what only one of them may do. The embedded database has one server. */
export class ExpandByLeases1764901500000 implements MigrationInterface {
  readonly name = 'ExpandByLeases1764901500000';

  async up(runner: QueryRunner): Promise<void> {
    if (dialectOf(runner).name === 'mysql') await runner.query(CREATE_LEASES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('leases', true);
  }
}
