import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Members' own folders, and what each has muted. */
export class CreateFoldersAndMutes1763800000000 implements MigrationInterface {
  readonly name = 'CreateFoldersAndMutes1763800000000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, time, engine } = dialectOf(runner);
    const options = engine ? { engine } : {};
    await runner.createTable(
      new Table({
        name: 'folders',
        ...options,
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'owner_id', ...id() },
          { name: 'parent_id', ...id() },
          { name: 'name', ...text(100) },
          { name: 'color', ...text(16) },
          { name: 'icon', ...text(40) },
          { name: 'sort_order', type: 'int' },
          { name: 'created_at', ...time() },
        ],
        indices: [
          new TableIndex({
            name: 'folders_siblings',
            columnNames: ['owner_id', 'parent_id', 'name'],
            isUnique: true,
          }),
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'customer_mutes',
        ...options,
        columns: [
          { name: 'user_id', ...id(), isPrimary: true },
          { name: 'customer_id', ...id(), isPrimary: true },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: 'alert_type_mutes',
        ...options,
        columns: [
          { name: 'user_id', ...id(), isPrimary: true },
          { name: 'alert_type', ...text(200), isPrimary: true },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['alert_type_mutes', 'customer_mutes', 'folders']) await runner.dropTable(table, true);
  }
}
