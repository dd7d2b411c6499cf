import { STORED } from '#backend/server/entities.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { type RowDataPacket, createConnection } from 'mysql2/promise';
import { SQLITE_FILE, openDatabase } from '#backend/platform/database/open-database.ts';
import { prepareDataDir } from '#backend/platform/database/private-files.ts';
import { SEARCH_FILE } from '#backend/platform/search/search-files.ts';
import type { BenchPlace } from './bench-server.ts';
import { indexFile, indexSegments } from './measure-reads.ts';
import { SKIP_INSIGHT, seedAlerts } from './seed-alerts.ts';

/** Alerts of a segment of the search index: what is copied are whole ones. */
const SEGMENT_ALERTS = 4_032;
const SEGMENT_POSITIONS = 4_096;

/** The first stage is one of so many parts; the others are copies of it that lie further back. */
export const PARTS = 10;

/** How long the alerts of one part took to arrive. */
export const PART_DAYS = 10;
const DAY_MS = 24 * 60 * 60 * 1_000;
const PART_MS = PART_DAYS * DAY_MS;

/** Copies that are made at the same time, on MySQL. */
const COPIERS = 3;

/** Alerts that one statement copies. */
const ALERTS_AT_ONCE = 20_000;

/** Ids begin with their time in 48 bits (RFC 9562, section 5.7): the same id so much earlier. */
const OLDER_ON_MYSQL = (id: string, shift: number) => {
  const moment = `LPAD(LOWER(HEX(CONV(CONCAT(LEFT(${id}, 8), SUBSTR(${id}, 10, 4)), 16, 10) - ${shift})), 12, '0')`;
  return `CONCAT(LEFT(${moment}, 8), '-', RIGHT(${moment}, 4), SUBSTR(${id}, 14))`;
};

function olderId(id: string, shift: number): string {
  const moment = (Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) - shift).toString(16).padStart(12, '0');
  return `${moment.slice(0, 8)}-${moment.slice(8)}${id.slice(13)}`;
}

/** Columns that are ids of their time, and times, of the tables that are copied. */
const COPIED: Record<string, { by: string; ids: readonly string[]; times: readonly string[] }> = {
  alerts: { by: 'id', ids: ['id'], times: ['received_at'] },
  alert_history: { by: 'alert_id', ids: ['alert_id', 'id'], times: ['created_at'] },
  alert_notes: { by: 'alert_id', ids: ['alert_id', 'id'], times: ['created_at'] },
};

/** Runs a statement on either database. */
type Run = (sql: string, values?: unknown[]) => Promise<Record<string, unknown>[]>;

/** How many alerts the first stage has of so many in all. */
export const partOf = (alerts: number): number =>
  Math.max(1, Math.round(alerts / PARTS / SEGMENT_ALERTS)) * SEGMENT_ALERTS;

/**
 * The first stage: alerts of the last ten days, with histories, notes, counters and the search index, all as the product
 * makes them. Insight begins behind them: it is measured elsewhere, and would count for an hour.
 *
 * @returns their ids, oldest first
 */
export async function seedPart(place: BenchPlace, alerts: number, report: (line: string) => void): Promise<string[]> {
  await prepareDataDir(place.dataDir);
  const everyMs = Math.floor(PART_MS / alerts);
  const database = await openDatabase(place, STORED);
  let ids: string[];
  try {
    ids = await seedAlerts(database, alerts, { from: Date.now() - alerts * everyMs, everyMs });
  } finally {
    await database.close();
  }
  report(`${alerts.toLocaleString('en')} alerts are stored; indexing them …`);
  const beganAt = performance.now();
  if (place.databaseUrl === undefined) indexFile(place.dataDir);
  else {
    await withRun(place, async (run) => {
      // Copies get the numbers before those of this part.
      await run(`INSERT INTO search_segments VALUES (${((PARTS - 1) * alerts) / SEGMENT_ALERTS}, '', '', 0)`);
    });
    await indexSegments(place.databaseUrl);
    await withRun(place, (run) => run("DELETE FROM search_segments WHERE last_id = ''"));
  }
  report(`indexed for search in ${((performance.now() - beganAt) / 1_000).toFixed(0)} s of work`);
  await withRun(place, async (run) => {
    await settle(run, place);
    // Of the copies: what is stored meanwhile is not copied.
    await run('CREATE TABLE bench_counts AS SELECT * FROM alert_counts');
    await run(`UPDATE bench_counts SET alerts = alerts * ${PARTS - 1}`);
  });
  return ids;
}

/** The other stages: what there is, once more and further back, until there are {@link PARTS}. */
export async function copyPart(
  place: BenchPlace,
  ids: readonly string[],
  report: (line: string) => void,
): Promise<void> {
  let copied = 1;
  const copiers = place.databaseUrl === undefined ? 1 : COPIERS;
  const copyInTurn = async (first: number, run: Run, older: Older): Promise<void> => {
    for (let copy = first; copy < PARTS; copy += copiers) {
      const beganAt = performance.now();
      const shift = copy * PART_MS;
      for (let at = 0; at < ids.length; at += ALERTS_AT_ONCE) {
        const range = [ids[at], ids[Math.min(at + ALERTS_AT_ONCE, ids.length) - 1]];
        for (const table of Object.keys(COPIED)) await copyRows(run, older, table, range, shift);
      }
      if (place.databaseUrl !== undefined) await copySegments(run, older, ids.length / SEGMENT_ALERTS, copy, shift);
      const seconds = ((performance.now() - beganAt) / 1_000).toFixed(0);
      copied += 1;
      report(`${(copied * ids.length).toLocaleString('en')} alerts are stored, the last in ${seconds} s`);
    }
  };
  const firsts = Array.from({ length: copiers }, (_, copier) => copier + 1);
  await Promise.all(firsts.map((first) => withRun(place, (run, older) => copyInTurn(first, run, older))));
  await withRun(place, async (run) => {
    const isOnMysql = place.databaseUrl !== undefined;
    await run(
      `INSERT INTO alert_counts SELECT * FROM bench_counts WHERE true ${isOnMysql ? 'ON DUPLICATE KEY UPDATE' : 'ON CONFLICT DO UPDATE SET'} ` +
        `alerts = alert_counts.alerts + ${isOnMysql ? 'VALUES(alerts)' : 'excluded.alerts'}`,
    );
    await run('DROP TABLE bench_counts');
    if (isOnMysql) {
      await run(
        'UPDATE search_segments AS segment JOIN search_segments AS older ON older.number = segment.number - 1 ' +
          'SET segment.after_id = older.last_id',
      );
    }
    await run('DELETE FROM views');
    await settle(run, place);
  });
  if (place.databaseUrl !== undefined) return;
  report('indexing them …');
  // What is stored late is found by the daily check alone.
  for (const suffix of ['', '-wal', '-shm']) await rm(join(place.dataDir, SEARCH_FILE + suffix), { force: true });
  indexFile(place.dataDir);
}

type Older = (id: string, shift: number) => string;

async function copyRows(run: Run, older: Older, table: string, range: unknown[], shift: number): Promise<void> {
  const { by, ids, times } = COPIED[table] ?? { by: '', ids: [], times: [] };
  const [row = {}] = await run(`SELECT * FROM ${table} WHERE ${by} BETWEEN ? AND ? LIMIT 1`, range);
  const columns = Object.keys(row);
  if (columns.length === 0) return;
  const values = columns.map((column) =>
    ids.includes(column) ? older(column, shift) : times.includes(column) ? `${column} - ${shift}` : column,
  );
  await run(
    `INSERT INTO ${table} (${columns.join(', ')}) SELECT ${values.join(', ')} FROM ${table} ` +
      `WHERE ${by} BETWEEN ? AND ? ORDER BY ${by}`,
    range,
  );
}

async function copySegments(run: Run, older: Older, segments: number, copy: number, shift: number): Promise<void> {
  const [first, less] = [(PARTS - 1) * segments + 1, copy * segments];
  await run(
    `INSERT INTO search_segments SELECT number - ${less}, IF(after_id = '', '', ${older('after_id', shift)}), ` +
      `${older('last_id', shift)}, built_at FROM search_segments WHERE number >= ${first} AND number < ${first + segments}`,
  );
  for (let at = 0; at < segments; at += 8) {
    const [from, to] = [first + at, first + Math.min(at + 8, segments)];
    await run(
      `INSERT INTO search_postings SELECT segment - ${less}, gram, positions FROM search_postings WHERE segment >= ${from} AND segment < ${to}`,
    );
    const position = less * SEGMENT_POSITIONS;
    await run(
      `INSERT INTO search_alerts SELECT position - ${position}, ${older('alert_id', shift)} FROM search_alerts ` +
        `WHERE position >= ${from * SEGMENT_POSITIONS} AND position < ${to * SEGMENT_POSITIONS}`,
    );
  }
}

/** Insight has nothing to count, and the optimiser has seen the tables. */
async function settle(run: Run, { databaseUrl }: BenchPlace): Promise<void> {
  await run(SKIP_INSIGHT);
  await run(databaseUrl === undefined ? 'PRAGMA optimize' : 'ANALYZE TABLE alerts, alert_history, alert_counts');
}

/** Opens a connection of its own, beside no server. */
async function withRun<T>(place: BenchPlace, work: (run: Run, older: Older) => Promise<T>): Promise<T> {
  if (place.databaseUrl !== undefined) {
    const connection = await createConnection({ uri: place.databaseUrl, charset: 'utf8mb4' });
    try {
      await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED');
      return await work(
        async (sql, values) => (await connection.query<RowDataPacket[]>(sql, values))[0],
        OLDER_ON_MYSQL,
      );
    } finally {
      await connection.end();
    }
  }
  const file = new BetterSqlite3(join(place.dataDir, SQLITE_FILE));
  try {
    file.function('older_id', { deterministic: true }, (id, shift) => olderId(String(id), Number(shift)));
    return await work(
      async (sql, values = []) => {
        const statement = file.prepare(sql);
        return statement.reader
          ? (statement.all(...values) as Record<string, unknown>[])
          : (statement.run(...values), []);
      },
      (id, shift) => `older_id(${id}, ${shift})`,
    );
  } finally {
    file.close();
  }
}
