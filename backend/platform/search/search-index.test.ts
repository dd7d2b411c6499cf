import { STORED } from '#backend/server/entities.ts';
import { mkdir, mkdtemp, rm, rmdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '#backend/platform/database/database.ts';
import { SQLITE_FILE, openDatabase } from '#backend/platform/database/open-database.ts';
import { jsonText } from '#backend/platform/endpoint/json-text.ts';
import { type EventBus, createEventBus } from '#backend/platform/live/event-bus.ts';
import { insertAlerts } from '#tests/support/insert-alerts.ts';
import { SEARCH_FILE, type SearchWorkerCommand } from './search-files.ts';
import { type SearchIndex, openSearchIndex } from './search-index.ts';
import { waitFor } from '#tests/support/wait-for.ts';

let dataDir: string;
let database: Database;
let events: EventBus;
let index: SearchIndex;
let threads: Worker[];
let failures: Error[];

const noteThread = (worker: Worker) => threads.push(worker);

beforeEach(async () => {
  threads = [];
  failures = [];
  dataDir = await mkdtemp(join(tmpdir(), 'alertdesk-search-'));
  database = await openDatabase({ dataDir, databaseUrl: undefined }, STORED);
  // The thread of reads is none of the index.
  await database.longReads.query('SELECT 1');
  process.on('worker', noteThread);
  events = createEventBus((error) => failures.push(error as Error));
  index = open();
});

const open = () =>
  openSearchIndex(
    { databaseFile: join(dataDir, SQLITE_FILE), dataDir, reads: database.longReads, events },
    (error) => failures.push(error),
    20,
  );

afterEach(async () => {
  await index.close();
  await database.close();
  process.off('worker', noteThread);
  await rm(dataDir, { recursive: true, force: true });
});

/** A busy machine takes seconds to start a thread. */
const THREAD_STARTS = { timeout: 20_000 };

const add = (word: string) =>
  insertAlerts(database, [{ payload: JSON.stringify({ word, more: 'x'.repeat(3_000) }), customer: null }]);
const find = (word: string) =>
  index.candidates({ texts: [[word]], names: [] }, undefined, 'DESC', 10).then(({ ids }) => ids);

const isCannotOpen = ({ message }: Error): boolean => message === 'unable to open database file';

/** An alert as an event has it. */
const alertOf = (id = '') => ({
  id,
  customer: null,
  alertType: null,
  sourceId: null,
  ownerId: null,
  status: 'pending' as const,
  isSnoozed: false,
  isQuiet: false,
  content: {
    folderId: null,
    isTest: false,
    label: null,
    isFlapping: false,
    severity: 'none' as const,
    title: null,
    url: '',
    payload: '{}',
  },
  json: jsonText('{}'),
});

test('A search leaves the event loop to others.', async () => {
  const [id] = await add('zebrafish');
  await index.settled();
  const onThisThread = vi.spyOn(database.reads, 'query');
  expect(await find('zebrafish')).toEqual([id]);
  expect(await index.indexedTo()).toBe(id);
  expect(onThisThread).not.toHaveBeenCalled();
});

test('A thread that dies is replaced, and its successor indexes what came meanwhile.', async () => {
  const [before] = await add('zebrafish');
  await index.settled();
  expect(await find('zebrafish')).toEqual([before]);

  await threads[0]?.terminate();
  const [meanwhile] = await add('nightjar');
  await waitFor(async () => expect(await find('nightjar')).toEqual([meanwhile]), THREAD_STARTS);
  expect(await find('zebrafish')).toEqual([before]);
  expect(threads).toHaveLength(2);
  expect(failures.map(({ message }) => message)).toEqual(['The search thread ended with code 1.']);
});

test('A file that is no index any longer is made again while the server runs.', async () => {
  const [first] = await add('zebrafish');
  await index.settled();
  expect(await index.indexedTo()).toBe(first);
  const { size } = await stat(join(dataDir, SEARCH_FILE));
  await writeFile(join(dataDir, SEARCH_FILE), Buffer.alloc(size, 'no index'));
  await writeFile(`${join(dataDir, SEARCH_FILE)}-wal`, '');

  await expect(find('zebrafish')).rejects.toThrow('The search index cannot be read.');
  expect(await index.indexedTo()).toBeUndefined();
  const [second] = await add('nightjar');
  events.publish({ type: 'new_alert', alert: alertOf(second) });
  await waitFor(async () => expect(await find('nightjar')).toEqual([second]), THREAD_STARTS);
  expect(await find('zebrafish')).toEqual([first]);
  expect(threads).toHaveLength(1);
});

test('A file that was broken before the first search is made again.', async () => {
  const [first] = await add('zebrafish');
  await index.settled();
  const { size } = await stat(join(dataDir, SEARCH_FILE));
  await writeFile(join(dataDir, SEARCH_FILE), Buffer.alloc(size, 'no index'));
  await writeFile(`${join(dataDir, SEARCH_FILE)}-wal`, '');

  expect(await index.indexedTo()).toBeUndefined();
  await waitFor(async () => expect(await find('zebrafish')).toEqual([first]), THREAD_STARTS);
  expect(await index.indexedTo()).toBe(first);
  expect(threads).toHaveLength(1);
});

test('An index that cannot be made again at first is made once that is possible.', async () => {
  const [first] = await add('zebrafish');
  await index.settled();
  expect(await index.indexedTo()).toBe(first);
  const file = join(dataDir, SEARCH_FILE);
  const { size } = await stat(file);
  await writeFile(file, Buffer.alloc(size, 'no index'));
  await writeFile(`${file}-wal`, '');
  // No new file can be opened beside it.
  await mkdir(`${file}-journal`);

  await expect(find('zebrafish')).rejects.toThrow('The search index cannot be read.');
  await waitFor(() => expect(failures.some(isCannotOpen)).toBe(true), THREAD_STARTS);
  await rmdir(`${file}-journal`);
  // It would try again half a minute later.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  threads[0]?.postMessage({ type: 'look', news: 1_000, retitled: [] } satisfies SearchWorkerCommand);
  await waitFor(async () => expect(await find('zebrafish')).toEqual([first]), THREAD_STARTS);
  expect(failures.filter(isCannotOpen)).toHaveLength(1);
  expect(threads).toHaveLength(1);
});

test('An index that an earlier version made is made again, with the titles.', async () => {
  const [id] = await insertAlerts(database, [{ title: 'Zebrafish tank leaks' }]);
  await index.settled();
  await index.close();
  await database.close();
  const older = new BetterSqlite3(join(dataDir, SEARCH_FILE));
  older.exec('DELETE FROM texts; ALTER TABLE documents DROP COLUMN title; PRAGMA user_version = 0');
  older.close();
  database = await openDatabase({ dataDir, databaseUrl: undefined }, STORED);
  index = open();
  await index.settled();
  await waitFor(async () => expect(await find('tank leaks')).toEqual([id]), THREAD_STARTS);
});

test('The title of a later report is indexed.', async () => {
  const [id = ''] = await insertAlerts(database, [{ title: 'Zebrafish tank leaks' }]);
  await index.settled();
  await database.transaction((tx) => tx.query("UPDATE alerts SET title = 'Nightjar'"));
  events.publish({ type: 'alert_updated', alert: alertOf(id), reason: 'repeated' });
  await waitFor(async () => expect(await find('nightjar')).toEqual([id]), THREAD_STARTS);
  expect(await find('zebrafish')).toEqual([]);
});
