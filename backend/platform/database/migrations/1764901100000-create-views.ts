import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Views: filters that are saved under a name. The owner is empty where a view is everybody's, so that names stay unique. */
export class CreateViews1764901100000 implements MigrationInterface {
  readonly name = 'CreateViews1764901100000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, longText, time, engine } = dialectOf(runner);
    await runner.createTable(
      new Table({
        name: 'views',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'id', ...id(), isPrimary: true },
          { name: 'owner_id', ...id() },
          { name: 'name', ...text(60) },
          { name: 'name_key', ...text(180) },
          { name: 'list', ...text(8) },
          { name: 'search', ...longText() },
          { name: 'sort', ...text(16) },
          { name: 'position', type: 'int' },
          { name: 'version', type: 'int' },
          { name: 'changed_at', ...time() },
        ],
        indices: [new TableIndex({ name: 'views_name', columnNames: ['owner_id', 'name_key'], isUnique: true })],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('views', true);
  }
}
