import { type MigrationInterface, type QueryRunner, Table, TableIndex } from 'typeorm';
import { type Dialect, dialectOf } from '#backend/platform/database/dialect.ts';

type ColumnType = ReturnType<Dialect['text']>;

/**
 * What a sender reports of an alert's problem, and for each problem its newest alert. Alerts that are there already keep
 * empty columns: no title, no severity, no lifecycle, one occurrence. Each step may be repeated.
 */
export class KeepProblems1764900100000 implements MigrationInterface {
  readonly name = 'KeepProblems1764900100000';

  async up(runner: QueryRunner): Promise<void> {
    const dialect = dialectOf(runner);
    for (const [table, columns] of Object.entries(columnsOf(dialect))) await addColumns(runner, table, columns);
    const { id, text, engine } = dialect;
    await runner.createTable(
      new Table({
        name: 'problems',
        ...(engine ? { engine } : {}),
        columns: [
          { name: 'source_id', ...id(), isPrimary: true },
          { name: 'dedup_key', ...text(191), isPrimary: true },
          { name: 'alert_id', ...id() },
        ],
        indices: [new TableIndex({ name: 'problems_alert', columnNames: ['alert_id'] })],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    const dialect = dialectOf(runner);
    await runner.dropTable('problems', true);
    for (const [table, columns] of Object.entries(columnsOf(dialect))) {
      for (const name of Object.keys(columns)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
    }
  }
}

/** Adds what is missing, as SQL: TypeORM would copy the whole table on SQLite. */
async function addColumns(runner: QueryRunner, table: string, columns: Record<string, string>): Promise<void> {
  const existing = await runner.getTable(table);
  const additions = Object.entries(columns)
    .filter(([name]) => !existing?.findColumnByName(name))
    .map(([name, type]) => `ADD COLUMN ${name} ${type}`);
  if (additions.length === 0) return;
  // SQLite takes one column in a statement; MySQL takes them all, and may rebuild the table only once.
  const statements = dialectOf(runner).name === 'mysql' ? [additions.join(', ')] : additions;
  for (const statement of statements) await runner.query(`ALTER TABLE ${table} ${statement}`);
}

function columnsOf({ id, text, longText, time }: Dialect): Record<string, Record<string, string>> {
  return {
    alerts: {
      source_id: nullable(id()),
      sender: nullable(text(32)),
      title: nullable(text(300)),
      severity: nullable(text(8)),
      state: nullable(text(12)),
      occurrences: 'int NOT NULL DEFAULT 1',
      last_seen_at: nullable(time()),
      resolved_at: nullable(time()),
      completed_at: nullable(time()),
      dedup_key: nullable(text(191)),
      group_key: nullable(text(191)),
      group_title: nullable(text(300)),
      previous_alert_id: nullable(id()),
      latest_payload: nullable(longText()),
      repeat_entry_id: nullable(id()),
    },
    alert_history: {
      occurrences: 'int NULL',
      previous_severity: nullable(text(8)),
      new_severity: nullable(text(8)),
    },
  };
}

function nullable({ type, length, charset, collation }: ColumnType): string {
  const encoding = charset ? ` CHARACTER SET ${charset} COLLATE ${collation}` : '';
  return `${type}${length ? `(${length})` : ''}${encoding} NULL`;
}
