import { type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** The audit trail: sign-ins, denied requests, changes of accounts and keys. */
export class CreateAuditLog1763900000000 implements MigrationInterface {
  readonly name = 'CreateAuditLog1763900000000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'audit_log',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'action', ...text(32) },
          { name: 'actor_id', ...id(), isNullable: true },
          { name: 'actor_name', ...text(254) },
          { name: 'subject', ...text(254), isNullable: true },
          { name: 'ip', ...text(64), isNullable: true },
          { name: 'created_at', ...time() },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('audit_log', true);
  }
}
