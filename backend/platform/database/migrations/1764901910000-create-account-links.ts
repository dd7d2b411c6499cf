import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Links that make accounts or reset passwords, and mails that are to be sent. */
export class ExpandByAccountLinks1764901910000 implements MigrationInterface {
  readonly name = 'ExpandByAccountLinks1764901910000';

  async up(runner: QueryRunner): Promise<void> {
    const { engine, id, text, time, longText } = dialectOf(runner);
    const optional = { isNullable: true };
    await runner.createTable(
      new Table({
        name: 'account_links',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'kind', ...text(16) },
          { name: 'token_hash', ...text(64) },
          { name: 'subject_key', ...text(254) },
          { name: 'user_id', ...id(), ...optional },
          { name: 'email', ...text(254) },
          { name: 'display_name', ...text(100) },
          { name: 'role', ...text(16) },
          { name: 'by_name', ...text(254), ...optional },
          { name: 'created_at', ...time() },
          { name: 'expires_at', ...time() },
          { name: 'mail', ...text(8) },
          { name: 'mail_error', ...text(300), ...optional },
        ],
        indices: [
          new TableIndex({ name: 'account_links_token', columnNames: ['token_hash'], isUnique: true }),
          new TableIndex({ name: 'account_links_subject', columnNames: ['kind', 'subject_key'], isUnique: true }),
          new TableIndex({ name: 'account_links_expiry', columnNames: ['expires_at'] }),
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'mails',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'sealed', ...longText() },
          { name: 'link_id', ...id(), ...optional },
          { name: 'attempts', type: 'int' },
          { name: 'next_at', ...time() },
          { name: 'expires_at', ...time() },
          { name: 'created_at', ...time() },
        ],
        indices: [
          new TableIndex({ name: 'mails_next', columnNames: ['next_at', 'id'] }),
          new TableIndex({ name: 'mails_link', columnNames: ['link_id'] }),
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('mails', true);
    await runner.dropTable('account_links', true);
  }
}
