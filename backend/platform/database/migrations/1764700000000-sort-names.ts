import { type MigrationInterface, type QueryRunner, Table, TableColumn, TableIndex } from 'typeorm';
import { SORT_KEY_LENGTH, nameSortKey } from '#backend/contract/name.ts';
import { dialectOf } from '#backend/platform/database/dialect.ts';

/** Names that are given their sort key by one statement. */
const ROWS_AT_ONCE = 500;

const NAMED = ['customers', 'alert_types'] as const;
const MUTES = { customer_mutes: 'customer_id', alert_type_mutes: 'alert_type' } as const;

/**
 * What lists of many names need: the order in which they are paged through, an index by which a name's mutes are found
 * before it expires, and the bulk changes of mutes that run. Each step may be repeated.
 */
export class SortNames1764700000000 implements MigrationInterface {
  readonly name = 'SortNames1764700000000';

  async up(runner: QueryRunner): Promise<void> {
    const { id, text, engine } = dialectOf(runner);
    for (const table of NAMED) {
      if (!(await runner.hasColumn(table, 'sort_key'))) {
        await runner.addColumn(
          table,
          new TableColumn({ name: 'sort_key', ...text(SORT_KEY_LENGTH), isNullable: true }),
        );
      }
      await writeSortKeys(runner, table);
      await createIndex(runner, table, `${table}_by_name`, ['sort_key', 'name']);
    }
    for (const [table, column] of Object.entries(MUTES)) await createIndex(runner, table, `${table}_of`, [column]);
    await runner.createTable(
      new Table({
        name: 'bulk_mutes',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'user_id', ...id(), isPrimary: true },
          { name: 'kind', ...text(16), isPrimary: true },
          { name: 'token', ...id() },
        ],
      }),
      true,
    );
    // The row that `hold-names` locks.
    const [turn] = await runner.query("SELECT token FROM bulk_mutes WHERE user_id = '' AND kind = 'turn'");
    if (!turn) await runner.query("INSERT INTO bulk_mutes (user_id, kind, token) VALUES ('', 'turn', '')");
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable('bulk_mutes', true);
    for (const table of Object.keys(MUTES)) await dropIndex(runner, table, `${table}_of`);
    for (const table of NAMED) {
      await dropIndex(runner, table, `${table}_by_name`);
      if (await runner.hasColumn(table, 'sort_key')) await runner.dropColumn(table, 'sort_key');
    }
  }
}

async function writeSortKeys(runner: QueryRunner, table: string): Promise<void> {
  for (;;) {
    const rows: { name: string }[] = await runner.query(
      `SELECT name FROM ${table} WHERE sort_key IS NULL LIMIT ${ROWS_AT_ONCE}`,
    );
    if (rows.length === 0) return;
    const names = rows.map(({ name }) => name);
    await runner.query(
      `UPDATE ${table} SET sort_key = CASE name ${names.map(() => 'WHEN ? THEN ?').join(' ')} END ` +
        `WHERE name IN (${names.map(() => '?').join(', ')})`,
      [...names.flatMap((name) => [name, nameSortKey(name)]), ...names],
    );
  }
}

async function createIndex(runner: QueryRunner, table: string, name: string, columnNames: string[]): Promise<void> {
  if (!(await hasIndex(runner, table, name))) await runner.createIndex(table, new TableIndex({ name, columnNames }));
}

async function dropIndex(runner: QueryRunner, table: string, name: string): Promise<void> {
  if (await hasIndex(runner, table, name)) await runner.dropIndex(table, name);
}

async function hasIndex(runner: QueryRunner, table: string, name: string): Promise<boolean> {
  return (await runner.getTable(table))?.indices.some((index) => index.name === name) ?? false;
}
