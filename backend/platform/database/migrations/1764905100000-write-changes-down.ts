import { type MigrationInterface, type QueryRunner, Table, type TableOptions } from 'typeorm';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/**
 * What changed is written down with the change, for whoever has to know of it: other servers, pages that were away, pushes.
 * A server of an earlier release writes nothing here.
 */
export class ExpandByChanges1764905100000 implements MigrationInterface {
  readonly name = 'ExpandByChanges1764905100000';

  async up(runner: QueryRunner): Promise<void> {
    const { engine, name, id, text, time, longText } = dialectOf(runner);
    const int = name === 'sqlite' ? 'integer' : 'int';
    const tables: TableOptions[] = [
      {
        name: 'change_writers',
        columns: [
          { name: 'id', type: int, isPrimary: true, isGenerated: true, generationStrategy: 'increment' },
          { name: 'server_id', ...id() },
          { name: 'pruned_to', type: int, default: 0 },
        ],
      },
      {
        name: 'changes',
        columns: [
          { name: 'writer', type: int, isPrimary: true },
          { name: 'number', type: int, isPrimary: true },
          { name: 'settled', type: int },
          { name: 'at', ...time() },
          { name: 'facts', ...longText() },
        ],
      },
      {
        name: 'change_places',
        columns: [
          { name: 'consumer', ...text(20), isPrimary: true },
          { name: 'writer', type: int, isPrimary: true },
          { name: 'number', type: int },
        ],
      },
    ];
    for (const table of tables) {
      await runner.createTable(new Table({ ...table, ...(engine ? { engine } : {}) }), true);
    }
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ['change_places', 'changes', 'change_writers']) await runner.dropTable(table, true);
  }
}
