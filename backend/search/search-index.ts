import { join } from 'node:path';
import type { EntityManager } from 'typeorm';
import type { EventBus } from '#backend/live/event-bus.ts';
import { SEARCH_FILE, type SearchWorkerMessage, isBrokenFile } from './search-files.ts';
import { gramsQuery } from './search-text.ts';
import { startSearchThread } from './search-thread.ts';

/** The index is broken, the alerts are not: look through them instead. */
export class SearchIndexError extends Error {}

/** Some candidates, and the cursor that leads to the others; undefined at the end. */
export interface Candidates {
  ids: string[];
  next: string | undefined;
}

/** A search index, kept by a thread of its own beside the alerts. */
export interface SearchIndex {
  /** The id up to which alerts are in the index; undefined while there is no index to read. */
  indexedTo(): Promise<string | undefined>;
  /**
   * Ids of alerts in the index that may contain all texts, in order of time from the cursor (exclusive).
   *
   * @param texts every spelling of each, none too short for the index (`isLongEnough`)
   */
  candidates(
    texts: readonly string[][],
    cursor: string | undefined,
    order: 'ASC' | 'DESC',
    rows: number,
  ): Promise<Candidates>;
  /** Resolves when everything that was committed before is in the index. */
  settled(): Promise<void>;
  /** Ends the subscription and stops the thread. */
  close(): Promise<void>;
}

/** How long after new alerts the thread is notified. */
const LOOK_DELAY_MS = 200;

/** How long after its death the thread is started again. */
const RESTART_MS = 30_000;

/** A position that no alert reaches. */
const BEYOND_ALL = Number.MAX_SAFE_INTEGER;

/**
 * Starts the thread, which follows the new alerts on the event bus, and reads what it writes through `reads`, to which
 * the index is attached as `search`.
 *
 * @param onFailure receives what went wrong. Searches go on, slower, until the thread has repaired it: a file that cannot be
 * read is made again, a thread that died is replaced.
 * @param restartMs how long after its death the thread is started again.
 */
export function openSearchIndex(
  {
    databaseFile,
    dataDir,
    reads,
    events,
  }: { databaseFile: string; dataDir: string; reads: EntityManager; events: EventBus },
  onFailure: (error: Error) => void,
  restartMs = RESTART_MS,
): SearchIndex {
  const searchFile = join(dataDir, SEARCH_FILE);
  let isAttached = false;
  let isReadable = false;
  let isRebuilding = false;
  let isIdle = false;
  let isClosing = false;
  let news = 0;
  let retitled = new Set<string>();
  const pending: { news: number; resolve: () => void }[] = [];
  const thread = startSearchThread({ databaseFile, searchFile }, { onMessage, onDeath }, restartMs);
  const sendNews = () => {
    isIdle = false;
    thread.send({ type: 'look', news, retitled: [...retitled] });
    retitled = new Set();
  };
  const fail = (error: unknown) => onFailure(error instanceof Error ? error : new Error(String(error)));

  const attach = async () => {
    try {
      isRebuilding = false;
      await detach();
      await reads.query('ATTACH DATABASE ? AS search', [searchFile]);
      isAttached = true;
      isReadable = true;
    } catch (error) {
      if (!isClosing) fail(error);
    }
  };

  const detach = async () => {
    isReadable = false;
    if (!isAttached) return;
    isAttached = false;
    await reads.query('DETACH DATABASE search');
  };

  /** Lets go of the file, so that it can be removed on every system, and has it made again. */
  const rebuild = async () => {
    if (isRebuilding) return;
    isRebuilding = true;
    await detach().catch(fail);
    isIdle = false;
    thread.send({ type: 'rebuild' });
  };

  const ask = async <Row>(sql: string, values: string[] = []): Promise<Row[]> => {
    try {
      return await reads.query(sql, values);
    } catch (error) {
      fail(error);
      if (isBrokenFile(error)) await rebuild();
      throw new SearchIndexError('The search index cannot be read.', { cause: error });
    }
  };

  function onMessage(message: SearchWorkerMessage): void {
    if (message.type === 'open') void attach();
    if (message.type === 'failed') {
      onFailure(message.error);
      if (message.isBroken) void rebuild();
    }
    if (message.type !== 'idle') return;
    const later = pending.filter((one) => one.news > message.seen);
    for (const { resolve } of pending.splice(0).filter((one) => one.news <= message.seen)) resolve();
    pending.push(...later);
    if (message.seen < news) sendNews();
    else isIdle = true;
  }

  /** What the dead thread has written can still be read; its successor looks at everything by itself. */
  function onDeath(error: Error): void {
    isIdle = false;
    onFailure(error);
  }

  const unsubscribe = events.subscribe((event) => {
    // What a sender reports of a known problem may have another title; what people do has no reason.
    const isReport = event.type === 'alert_updated' && event.reason !== undefined;
    if (event.type !== 'new_alert' && !isReport) return;
    if (isReport) retitled.add(event.alert.id);
    news += 1;
    if (!isIdle) return;
    isIdle = false;
    // Not for each alert of a batch, and not for each batch: what is not indexed yet is found all the same.
    setTimeout(sendNews, LOOK_DELAY_MS).unref();
  });

  return {
    async indexedTo() {
      if (!isReadable) return undefined;
      const [progress] = await ask<{ indexed_to: string }>('SELECT indexed_to FROM search.progress');
      return progress?.indexed_to || undefined;
    },
    async candidates(texts, cursor, order, rows) {
      const grams = gramsQuery(texts);
      const [after, towards, end] =
        order === 'DESC' ? (['<', 'ASC', BEYOND_ALL] as const) : (['>', 'DESC', 0] as const);
      // The cursor's own alert may be gone, or not be here yet: the nearest one before it says where to go on.
      const nearest = `SELECT position FROM search.documents WHERE alert_id ${after === '<' ? '>=' : '<='} ? ORDER BY alert_id ${towards} LIMIT 1`;
      const from = cursor === undefined ? '' : ` AND texts.rowid ${after} COALESCE((${nearest}), ${end})`;
      const found = await ask<{ id: string }>(
        'SELECT documents.alert_id AS id FROM search.texts AS texts ' +
          `JOIN search.documents AS documents ON documents.position = texts.rowid WHERE texts MATCH ?${from} ` +
          `ORDER BY texts.rowid ${order} LIMIT ${rows}`,
        cursor === undefined ? [grams] : [grams, cursor],
      );
      const ids = found.map(({ id }) => id);
      return { ids, next: ids.length < rows ? undefined : ids.at(-1) };
    },
    settled() {
      news += 1;
      return new Promise<void>((resolve) => {
        pending.push({ news, resolve });
        if (isIdle) sendNews();
      });
    },
    async close() {
      isClosing = true;
      unsubscribe();
      await thread.stop();
    },
  };
}
