import type BetterSqlite3 from 'better-sqlite3';
import { SQLITE_MATCHES } from './dialect.ts';

/** Adds the functions that our statements call to a connection of SQLite. */
export function addFunctions(connection: BetterSqlite3.Database): void {
  let pattern = /(?:)/iu;
  let source: unknown;
  connection.function(SQLITE_MATCHES, { deterministic: true, varargs: true }, (sought, ...texts) => {
    // The same for every row of a statement.
    if (sought !== source) {
      pattern = new RegExp(String(sought), 'iu');
      source = sought;
    }
    return texts.some((text) => typeof text === 'string' && pattern.test(text)) ? 1 : 0;
  });
}
