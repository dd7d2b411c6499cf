/**
 * The thread that keeps the search index of the embedded database. Taking alerts must not wait for it (inside their
 * transaction it would cost nine times their price), so it reads what was committed and writes to a file of its own.
 */
import { rmSync, statSync } from 'node:fs';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';
import BetterSqlite3 from 'better-sqlite3';
import { CACHE_KIB, limitCache } from '#backend/platform/database/memory.ts';
import { makePrivateFile } from '#backend/platform/database/private-files.ts';
import {
  type SearchWorkerCommand,
  type SearchWorkerData,
  type SearchWorkerMessage,
  isBrokenFile,
} from './search-files.ts';
import { type SearchIndexer, checkAndIndex, createSearchIndexer } from './search-indexer.ts';

/**
 * It works a quarter of the time. While alerts arrive in a storm, which is to have the processor for itself, a twentieth:
 * as long as it is not too far behind.
 */
const REST_PER_WORK = 3;
const REST_PER_WORK_IN_STORM = 19;
const STORM_ALERTS = 200;
const STORM_IS_OVER_MS = 500;
const MAX_BEHIND_MS = 10_000;

/** Larger than this the write-ahead log of the index is not left, in bytes. */
const WAL_BYTES = 8 * 1024 * 1024;

/** After a failure (a full disk, say) it looks again this much later, or when asked to. */
const RETRY_MS = 30_000;

/** Index and alerts are compared at the start, and then with the first news after this long. */
const CHECK_INTERVAL_MS = 24 * 60 * 60 * 1_000;

if (!parentPort) throw new Error('The search worker was started outside a worker thread.');
const port = parentPort;
const { databaseFile, searchFile }: SearchWorkerData = workerData;
const report = (message: SearchWorkerMessage) => port.postMessage(message);

/** The latest news, and up to which all is indexed; and alerts that may have another title by now. */
const state = { isStopping: false, isBroken: false, latest: 0, seen: 0, retitled: new Set<string>() };
port.on('message', (command: SearchWorkerCommand) => {
  if (command.type === 'stop') state.isStopping = true;
  else if (command.type === 'rebuild') state.isBroken = true;
  else {
    state.latest = command.news;
    for (const id of command.retitled) state.retitled.add(id);
  }
});

/** Waits for something to do, at most until `deadline`. */
async function waitForNews(deadline?: AbortSignal): Promise<void> {
  const isQuiet = () =>
    !state.isStopping && !state.isBroken && state.latest === state.seen && deadline?.aborted !== true;
  while (isQuiet()) {
    await once(port, 'message', deadline && { signal: deadline }).catch(() => undefined);
  }
}

interface OpenIndex {
  indexer: SearchIndexer;
  /** Makes its write-ahead log small again once the pieces of the index were merged, which fills tens of megabytes. */
  shrinkLog(): void;
  close(): void;
}

const throwAway = () => {
  for (const suffix of ['', '-wal', '-shm']) rmSync(searchFile + suffix, { force: true });
};

/** Opens both files; an index that cannot be read is thrown away. */
function open(): OpenIndex {
  const alerts = new BetterSqlite3(databaseFile, { readonly: true });
  limitCache(alerts, CACHE_KIB.thread);
  const openIndex = () => {
    makePrivateFile(searchFile);
    const index = new BetterSqlite3(searchFile);
    try {
      limitCache(index, CACHE_KIB.search);
      index.pragma('journal_mode = WAL');
      index.pragma('synchronous = NORMAL');
      index.pragma(`journal_size_limit = ${WAL_BYTES}`);
      return { index, indexer: createSearchIndexer(alerts, index) };
    } catch (error) {
      index.close();
      throw error;
    }
  };
  const openAnyIndex = () => {
    try {
      return openIndex();
    } catch {
      throwAway();
      return openIndex();
    }
  };
  let opened: ReturnType<typeof openIndex>;
  try {
    opened = openAnyIndex();
  } catch (error) {
    alerts.close();
    throw error;
  }
  return {
    indexer: opened.indexer,
    shrinkLog() {
      const { size = 0 } = statSync(`${searchFile}-wal`, { throwIfNoEntry: false }) ?? {};
      // A search that reads an older state keeps its part of the log; the next turn tries again.
      if (size > WAL_BYTES) opened.index.pragma('wal_checkpoint(TRUNCATE)');
    },
    close() {
      opened.index.close();
      alerts.close();
    },
  };
}

/** Works through `step` after `step` until one has nothing left to do. */
async function workThrough(step: () => { hasMore: boolean; restPerWork: number }): Promise<void> {
  while (!state.isStopping && !state.isBroken) {
    const startedAt = performance.now();
    const { hasMore, restPerWork } = step();
    await rest((performance.now() - startedAt) * restPerWork);
    if (!hasMore) return;
  }
}

/** Until the time is over, or it is time to go. */
async function rest(milliseconds: number): Promise<void> {
  const endsAt = performance.now() + milliseconds;
  while (!state.isStopping && performance.now() < endsAt)
    await wait(Math.max(1, Math.min(100, endsAt - performance.now())));
}

/** Indexes the next alerts, and says how long to rest. */
function indexNext(indexer: SearchIndexer): { hasMore: boolean; restPerWork: number } {
  const { indexed, hasMore } = indexer.indexNext();
  const { newest, indexedTo } = indexer.progress();
  const isStorm =
    indexed >= STORM_ALERTS &&
    Date.now() - timeOf(newest) < STORM_IS_OVER_MS &&
    timeOf(newest) - timeOf(indexedTo) < MAX_BEHIND_MS;
  return { hasMore, restPerWork: isStorm ? REST_PER_WORK_IN_STORM : hasMore ? REST_PER_WORK : 0 };
}

/** Alerts whose titles are looked at in one step. */
const TITLES_AT_ONCE = 200;

function retitleNext(indexer: SearchIndexer): { hasMore: boolean; restPerWork: number } {
  const ids = [...state.retitled].slice(0, TITLES_AT_ONCE);
  indexer.retitle(ids);
  for (const id of ids) state.retitled.delete(id);
  return { hasMore: state.retitled.size > 0, restPerWork: REST_PER_WORK };
}

/** When an id was made, in milliseconds: the first 48 bits of a UUIDv7 (RFC 9562, section 5.7). */
const timeOf = (id: string): number => Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);

/** Undefined after a broken one, until another can be opened. */
let index: OpenIndex | undefined = open();
report({ type: 'open' });
let checkAt = 0;
while (!state.isStopping) {
  const news = state.latest;
  try {
    if (state.isBroken) {
      state.isBroken = false;
      index?.close();
      index = undefined;
      throwAway();
    }
    if (!index) {
      index = open();
      report({ type: 'open' });
    }
    const { indexer } = index;
    await workThrough(() => indexNext(indexer));
    if (state.retitled.size > 0) await workThrough(() => retitleNext(indexer));
    if (performance.now() >= checkAt) {
      const check = checkAndIndex(indexer, () => state.latest);
      await workThrough(() => ({ hasMore: check.next().done !== true, restPerWork: REST_PER_WORK }));
      checkAt = performance.now() + CHECK_INTERVAL_MS;
    }
    if (state.isStopping || state.isBroken) continue;
    index.shrinkLog();
    state.seen = news;
    report({ type: 'idle', seen: news });
    await waitForNews();
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(String(error));
    report({ type: 'failed', error: cause, isBroken: isBrokenFile(error) });
    state.seen = news;
    await waitForNews(AbortSignal.timeout(RETRY_MS));
  }
}
index?.close();
port.close();
