import { open } from 'node:fs/promises';
import BetterSqlite3 from 'better-sqlite3';

/** Overwrites all pages of a table in a database file but its newest, as a failing disk would. No server may run on it. */
export async function overwriteTable(file: string, table: string): Promise<void> {
  const database = new BetterSqlite3(file);
  const pageSize = Number(database.pragma('page_size', { simple: true }));
  const pages = database
    .prepare<[string], number>("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY path")
    .pluck()
    .all(table);
  database.close();
  const handle = await open(file, 'r+');
  for (const page of pages.slice(0, -1))
    await handle.write(Buffer.alloc(pageSize, 0xff), 0, pageSize, (page - 1) * pageSize);
  await handle.close();
}
