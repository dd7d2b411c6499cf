/**
 * The text of one multi-row `INSERT`, good for both databases and the same for every batch of one size, so that SQLite
 * finds it prepared.
 */
export function insertSql(table: string, columns: readonly string[], rows: number): string {
  const row = `, (${columns.map(() => '?').join(', ')})`;
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES ${row.repeat(rows).slice(2)}`;
}
