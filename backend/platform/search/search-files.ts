import type BetterSqlite3 from 'better-sqlite3';
import { INDEXED_NAMES, type IndexedName } from './search-text.ts';

/** Name of the search index's file in the data folder. It can be deleted at any time: it is built again. */
export const SEARCH_FILE = 'search.sqlite';

/** What the embedded database's worker is started with: paths of the database and of its index. */
export interface SearchWorkerData {
  databaseFile: string;
  searchFile: string;
}

/** What the worker for MySQL is started with, how old alerts are before it indexes them, and as whom it takes the lease. */
export interface SegmentWorkerData {
  databaseUrl: string;
  settledAfterMs: number;
  holder: string;
}

/** The lease of making segments. */
export const SEARCH_LEASE = 'search';

/**
 * What the worker reports: its file can be read, everything that was there when it was sent news `seen` is indexed, or
 * indexing failed for now (or for good: the file is broken).
 */
export type SearchWorkerMessage =
  | { type: 'open' }
  | { type: 'idle'; seen: number }
  | { type: 'failed'; error: Error; isBroken: boolean };

/** True when SQLite says that a file is no database, no longer one, or not the one that it should be. */
export const isBrokenFile = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  /^SQLITE_(?:CORRUPT|NOTADB|ERROR|IOERR_SHORT_READ)/.test(error.code);

/**
 * What the worker is sent: there is news, counted from 1, and alerts may have another title than before; its file is broken, nobody reads it any longer, and it is to
 * be made again; or it is time to go.
 */
export type SearchWorkerCommand =
  | { type: 'look'; news: number; retitled: string[] }
  | { type: 'rebuild' }
  | { type: 'stop' };

/** Raised when other texts are indexed than before: an index of another version is made again. */
const INDEX_VERSION = 3;

/** The index of `documents` by a column. */
export const nameIndex = (column: IndexedName): string => `documents_by_${column}`;

/**
 * Tables of the index. `texts` knows which alerts have which three characters in a row, and nothing more: whoever finds
 * an alert by it looks at the alert itself. Positions follow the order of alert ids. `progress.indexed_to` is the id up
 * to which all alerts are indexed. `documents.title` is the title that was indexed, which later reports may change; by
 * its other columns the few alerts of a name are found among many.
 *
 * @throws when the file is an index of another version
 */
export function createSearchTables(connection: BetterSqlite3.Database): void {
  const isNew = connection.prepare("SELECT 1 FROM sqlite_master WHERE name = 'documents'").get() === undefined;
  if (!isNew && connection.pragma('user_version', { simple: true }) !== INDEX_VERSION) {
    throw new Error('The search index is of another version.');
  }
  connection.pragma(`user_version = ${INDEX_VERSION}`);
  connection.exec(
    "CREATE VIRTUAL TABLE IF NOT EXISTS texts USING fts5(text, content = '', contentless_delete = 1, " +
      "detail = none, tokenize = 'trigram case_sensitive 1');" +
      // What is gathered in memory before it becomes a piece of the index. Pieces are merged when there are 16 of a size
      // (`crisismerge`), not a little with each transaction: that costs a fifth less (https://sqlite.org/fts5.html,
      // sections 6.2, 6.3 and 6.7).
      "INSERT INTO texts (texts, rank) VALUES ('hashsize', 8388608);" +
      "INSERT INTO texts (texts, rank) VALUES ('automerge', 0);" +
      'CREATE TABLE IF NOT EXISTS documents (position INTEGER PRIMARY KEY, alert_id TEXT NOT NULL UNIQUE, title TEXT, ' +
      `${INDEXED_NAMES.map((column) => `${column} TEXT`).join(', ')});` +
      // The position, SQLite's rowid, is the last column of each index.
      `${INDEXED_NAMES.map((column) => `CREATE INDEX IF NOT EXISTS ${nameIndex(column)} ON documents (${column}) WHERE ${column} IS NOT NULL;`).join('')}` +
      'CREATE TABLE IF NOT EXISTS progress (indexed_to TEXT NOT NULL);' +
      "INSERT INTO progress SELECT '' WHERE NOT EXISTS (SELECT 1 FROM progress)",
  );
}
