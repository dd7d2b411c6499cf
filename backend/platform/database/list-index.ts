import type { QueryRunner } from 'typeorm';
import { dialectOf } from './dialect.ts';

/** An index of alerts that lists are read by. */
export interface ListIndex {
  columns: string;
  /** On SQLite only rows that meet this are in the index. */
  where?: string;
}

/** Makes an index of alerts, or replaces it where it has other columns; on MySQL there is no moment without it. */
export async function makeIndex(runner: QueryRunner, name: string, { columns, where }: ListIndex): Promise<void> {
  const table = await runner.getTable('alerts');
  const found = table?.indices.find((index) => index.name === name);
  if (found?.columnNames.join(', ') === columns) return;
  if (dialectOf(runner).name === 'mysql') {
    await runner.query(`ALTER TABLE alerts ${found ? `DROP INDEX ${name}, ` : ''}ADD INDEX ${name} (${columns})`);
    return;
  }
  await runner.query(`DROP INDEX IF EXISTS ${name}`);
  await runner.query(`CREATE INDEX ${name} ON alerts (${columns})${where ? ` WHERE ${where}` : ''}`);
}
