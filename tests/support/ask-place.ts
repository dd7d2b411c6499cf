import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import mysql from 'mysql2/promise';
import { SQLITE_FILE } from '#backend/platform/database/open-database.ts';
import type { TestPlace } from './test-place.ts';

/**
 * Runs one statement on the database of servers that are other processes, beside them.
 *
 * @returns the rows that it reads; none of a statement that writes
 */
export async function askPlace(
  { databaseUrl, dataDir }: Pick<TestPlace, 'databaseUrl' | 'dataDir'>,
  sql: string,
): Promise<Record<string, unknown>[]> {
  if (databaseUrl === undefined) {
    const database = new BetterSqlite3(join(dataDir, SQLITE_FILE));
    try {
      const statement = database.prepare<[], Record<string, unknown>>(sql);
      if (statement.reader) return statement.all();
      statement.run();
      return [];
    } finally {
      database.close();
    }
  }
  const connection = await mysql.createConnection(databaseUrl);
  try {
    const [rows] = await connection.query<mysql.RowDataPacket[] | mysql.ResultSetHeader>(sql);
    return Array.isArray(rows) ? rows : [];
  } finally {
    await connection.end();
  }
}
