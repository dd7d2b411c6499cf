import { marksOf } from '#backend/platform/database/conditions.ts';
import { join } from 'node:path';
import { sqliteDialect } from '#backend/platform/database/dialect.ts';
import type { AttachedReads } from '#backend/platform/database/long-read-thread.ts';
import type { DomainEvent, EventBus } from '#backend/platform/live/event-bus.ts';
import { SEARCH_FILE, type SearchWorkerMessage, isBrokenFile, nameIndex } from './search-files.ts';
import { type IndexedName, gramsQuery } from './search-text.ts';
import { type SearchThread, startSearchThread } from './search-thread.ts';

/** The index is broken, the alerts are not: look through them instead. */
export class SearchIndexError extends Error {}

/** Some candidates, and the cursor that leads to the others; undefined at the end. */
export interface Candidates {
  ids: string[];
  next: string | undefined;
}

/** What candidates have: all texts, and of each column one of the names. One of the two at least is asked for. */
export interface SearchQuestion {
  /** Every spelling of each text, none too short for the index (`isLongEnough`). */
  texts: readonly string[][];
  /** The rarest first. */
  names: readonly { column: IndexedName; values: readonly string[] }[];
}

/** A search index, kept by a thread of its own beside the alerts. */
export interface SearchIndex {
  /** The id up to which alerts are in the index; undefined while there is no index to read. */
  indexedTo(): Promise<string | undefined>;
  /** Ids of alerts in the index that may have what is asked for, in order of time from the cursor (exclusive). */
  candidates(
    question: SearchQuestion,
    cursor: string | undefined,
    order: 'ASC' | 'DESC',
    rows: number,
  ): Promise<Candidates>;
  /** Whether there may be so many candidates from the cursor on, or more. */
  hasAtLeast(
    question: SearchQuestion,
    cursor: string | undefined,
    order: 'ASC' | 'DESC',
    rows: number,
  ): Promise<boolean>;
  /** Resolves when everything that was committed before is in the index. */
  settled(): Promise<void>;
  /** Ends the subscription and stops the thread. */
  close(): Promise<void>;
}

/** Which candidates: so many of them from the cursor on (exclusive). */
interface Page {
  cursor: string | undefined;
  order: 'ASC' | 'DESC';
  rows: number;
}

/** SQL with its parameters. */
interface Condition {
  sql: string;
  values: string[];
}

/** How long after new alerts the thread is notified, in milliseconds. */
const NEWS_DELAY_MS = 200;

/** A server that starts has other things to do; the thread starts after this long, or with the first search. */
const START_MS = 2_000;

/** How long after its death the thread is started again. */
const RESTART_MS = 30_000;

/** A position that no alert reaches. */
const BEYOND_ALL = Number.MAX_SAFE_INTEGER;

/** Where to go on: the cursor's own alert may be gone, or not be here yet, so at the nearest one before it. */
const beyond = (column: string, { cursor, order }: Page): Condition => {
  if (cursor === undefined) return { sql: '', values: [] };
  const [after, before, towards, end] = order === 'DESC' ? ['<', '>=', 'ASC', BEYOND_ALL] : ['>', '<=', 'DESC', 0];
  const nearest = `SELECT position FROM search.documents WHERE alert_id ${before} ? ORDER BY alert_id ${towards} LIMIT 1`;
  return { sql: ` AND ${column} ${after} COALESCE((${nearest}), ${end})`, values: [cursor] };
};

/**
 * Keeps the index by a thread, which follows the new alerts on the event bus, and reads what it writes through `reads`, to
 * which the index is attached as `search` for the first search: what many alerts contain takes tens of milliseconds to find.
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
  }: { databaseFile: string; dataDir: string; reads: AttachedReads; events: EventBus },
  onFailure: (error: Error) => void,
  restartMs = RESTART_MS,
): SearchIndex {
  const searchFile = join(dataDir, SEARCH_FILE);
  let isOpen = false;
  let isAttached = false;
  let attaching: Promise<void> | undefined;
  let isReadable = false;
  let isRebuilding = false;
  let isIdle = false;
  let isClosing = false;
  let news = 0;
  let retitled = new Set<string>();
  const pending: { news: number; resolve: () => void }[] = [];
  let thread: SearchThread | undefined;
  const start = () => {
    clearTimeout(starting);
    if (!isClosing) thread ??= startSearchThread({ databaseFile, searchFile }, { onMessage, onDeath }, restartMs);
  };
  const starting = setTimeout(start, START_MS).unref();
  const sendNews = () => {
    isIdle = false;
    thread?.send({ type: 'look', news, retitled: [...retitled] });
    retitled = new Set();
  };
  const fail = (error: unknown) => onFailure(error instanceof Error ? error : new Error(String(error)));

  /** For the first search, and again when the thread has opened another file. What fails is tried again by the next one. */
  const attach = async () => {
    try {
      isOpen = false;
      await detach();
      isAttached = true;
      await reads.query('SELECT COUNT(*) FROM search.sqlite_master', [], searchFile);
      isReadable = true;
    } catch (error) {
      isOpen = !isRebuilding;
      if (!isClosing && !sqliteDialect.isRetryable(error)) fail(error);
      if (isBrokenFile(error)) await rebuild();
    }
  };

  const attached = async (): Promise<boolean> => {
    start();
    if (isOpen && !isClosing) attaching = attach();
    await attaching;
    return isAttached;
  };

  const detach = async () => {
    isReadable = false;
    if (!isAttached) return;
    isAttached = false;
    await reads.query('SELECT 1', [], null);
  };

  /** Lets go of the file, so that it can be removed on every system, and has it made again. */
  const rebuild = async () => {
    if (isRebuilding) return;
    isRebuilding = true;
    isOpen = false;
    await detach().catch(fail);
    isIdle = false;
    thread?.send({ type: 'rebuild' });
  };

  const ask = async <Row>(sql: string, values: string[] = []): Promise<Row[]> => {
    // It would be attached again while it is being made again.
    if (!(await attached())) throw new SearchIndexError('The search index is being made again.');
    try {
      return await reads.query(sql, values, searchFile);
    } catch (error) {
      // Too many search at once, and looking through the alerts instead would take them longer.
      if (sqliteDialect.isRetryable(error)) throw error;
      fail(error);
      if (isBrokenFile(error)) await rebuild();
      throw new SearchIndexError('The search index cannot be read.', { cause: error });
    }
  };

  function onMessage(message: SearchWorkerMessage): void {
    if (message.type === 'open') {
      isOpen = true;
      isRebuilding = false;
    }
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

  const findTexts = async (texts: SearchQuestion['texts'], page: Page): Promise<string[]> => {
    const { sql, values } = beyond('texts.rowid', page);
    const found = await ask<{ id: string }>(
      'SELECT documents.alert_id AS id FROM search.texts AS texts ' +
        `JOIN search.documents AS documents ON documents.position = texts.rowid WHERE texts MATCH ?${sql} ` +
        `ORDER BY texts.rowid ${page.order} LIMIT ${page.rows}`,
      [gramsQuery(texts), ...values],
    );
    return found.map(({ id }) => id);
  };

  /** Alerts with these names, by the index of the rarest of them. */
  const findNames = async ([rarest, ...others]: SearchQuestion['names'], page: Page): Promise<string[]> => {
    if (!rarest) return [];
    const { sql, values } = beyond('documents.position', page);
    const rest = others.map((one) => ` AND ${one.column} IN (${marksOf(one.values)})`).join('');
    const ofRest = others.flatMap((one) => one.values);
    const byName =
      `SELECT position FROM search.documents AS documents INDEXED BY ${nameIndex(rarest.column)} ` +
      `WHERE ${rarest.column} = ?${rest}${sql} ORDER BY position ${page.order} LIMIT ${page.rows}`;
    const positions = rarest.values.map(() => `SELECT * FROM (${byName})`).join(' UNION ALL ');
    const found = await ask<{ id: string }>(
      'SELECT alert_id AS id FROM search.documents AS documents WHERE position IN ' +
        `(SELECT position FROM (${positions}) ORDER BY position ${page.order} LIMIT ${page.rows}) ` +
        `ORDER BY position ${page.order}`,
      rarest.values.flatMap((name) => [name, ...ofRest, ...values]),
    );
    return found.map(({ id }) => id);
  };

  const find = async ({ texts, names }: SearchQuestion, page: Page): Promise<Candidates> => {
    const found = texts.length > 0 ? await findTexts(texts, page) : undefined;
    // What is rare, texts or names, says where to look; whether an alert has the other is seen by whoever looks at it.
    const ids = found && (found.length < page.rows || names.length === 0) ? found : await findNames(names, page);
    return { ids, next: ids.length < page.rows ? undefined : ids.at(-1) };
  };

  const unsubscribe = events.subscribe((event) => {
    const rewritten = rewrittenBy(event);
    if (event.type !== 'new_alert' && rewritten.length === 0) return;
    for (const id of rewritten) retitled.add(id);
    news += 1;
    if (!isIdle) return;
    isIdle = false;
    // Not for each alert of a batch, and not for each batch: what is not indexed yet is found all the same.
    setTimeout(sendNews, NEWS_DELAY_MS).unref();
  });

  return {
    async indexedTo() {
      await attached();
      if (!isReadable) return undefined;
      const [progress] = await ask<{ indexed_to: string }>('SELECT indexed_to FROM search.progress');
      return progress?.indexed_to || undefined;
    },
    candidates: (question, cursor, order, rows) => find(question, { cursor, order, rows }),
    hasAtLeast: async (question, cursor, order, rows) =>
      (await find(question, { cursor, order, rows })).next !== undefined,
    settled() {
      start();
      news += 1;
      return new Promise<void>((resolve) => {
        pending.push({ news, resolve });
        if (isIdle) sendNews();
      });
    },
    async close() {
      isClosing = true;
      unsubscribe();
      clearTimeout(starting);
      await thread?.stop();
    },
  };
}

/** Ids of the alerts whose title or notes may be others since; what people do beside notes has no reason. */
export function rewrittenBy(event: DomainEvent): readonly string[] {
  if (event.type === 'notes_changed') return [event.alertId];
  if (event.type === 'alerts_retitled') return event.alertIds;
  return event.type === 'alert_updated' && event.reason !== undefined ? [event.alert.id] : [];
}
