import type { EntityManager } from 'typeorm';
import { newId } from '#backend/platform/database/ids.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import { askedGramCodes, nameCode } from './gram-codes.ts';
import { type SearchIndex, type SearchQuestion, rewrittenBy } from './search-index.ts';
import { SEARCH_LEASE, type SearchWorkerMessage } from './search-files.ts';
import { type SearchThread, startSearchThread } from './search-thread.ts';
import {
  SEGMENT_ALERTS,
  type SegmentQuestion,
  answerOf,
  firstPositionOf,
  positionsIn,
  withoutCommon,
} from './segment.ts';

/** Segments that are asked at first, and at most, in one statement; and that one call asks in all. */
const FIRST_SEGMENTS = 8;
const MOST_SEGMENTS = 128;
const SEGMENTS_OF_A_CALL = 1_024;

/** Ids that are read by one statement. MariaDB makes a table of a list of 1,000 values, which takes it longer. */
const MOST_IDS = 500;

/** Candidates of a segment that are no reason to ask for more trigrams; and for more than twice as many as elsewhere it is. */
const UNEXPECTED_OF_A_SEGMENT = 8;

/** How long after a repeat of a known alert the thread is notified, in milliseconds: others may follow. */
const NEWS_DELAY_MS = 1_000;

/** How long after its death the thread is started again. */
const RESTART_MS = 30_000;

/** How long after its alerts were stored a segment is made: none of them may come after it. */
const SETTLED_AFTER_MS = 30_000;

/**
 * Starts the thread that keeps the segments of a MySQL database, and reads them. Of several servers on one database the
 * thread of one makes segments; each has alerts found by the titles and notes that it receives events of.
 *
 * @param onFailure receives what went wrong. Searches go on, slower, until the thread has caught up.
 * @param settledAfterMs how old the alerts of a segment are.
 */
export function openSegmentIndex(
  { databaseUrl, reads, events }: { databaseUrl: string; reads: EntityManager; events: EventBus },
  onFailure: (error: Error) => void,
  settledAfterMs = SETTLED_AFTER_MS,
): SearchIndex {
  const holder = newId();
  let retitled = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let asked = 0;
  const pending: { news: number; resolve: () => void }[] = [];
  let thread: SearchThread | undefined;

  const onMessage = (message: SearchWorkerMessage): void => {
    if (message.type === 'failed') onFailure(message.error);
    if (message.type !== 'idle') return;
    const later = pending.filter(({ news }) => news > message.seen);
    for (const { resolve } of pending.splice(0).filter(({ news }) => news <= message.seen)) resolve();
    pending.push(...later);
  };

  const start = (): SearchThread => {
    clearTimeout(begin);
    return (thread ??= startSearchThread(
      { databaseUrl, settledAfterMs, holder },
      { onMessage, onDeath: onFailure },
      RESTART_MS,
    ));
  };

  const look = (): void => {
    timer = undefined;
    asked += 1;
    start().send({ type: 'look', news: asked, retitled: [...retitled] });
    retitled = new Set();
  };

  // A server that starts has other things to do, and nothing that is younger is indexed anyway.
  const begin = setTimeout(start, settledAfterMs).unref();

  const unsubscribe = events.subscribe((event, origin) => {
    // What another server changed it indexes itself.
    if (origin === 'elsewhere') return;
    // New alerts the thread finds by itself. What is reported of a known one, and notes, it does not.
    const rewritten = rewrittenBy(event);
    if (rewritten.length === 0) return;
    for (const id of rewritten) retitled.add(id);
    timer ??= setTimeout(look, NEWS_DELAY_MS).unref();
  });

  const postingsOf = async (segments: readonly number[], question: SegmentQuestion): Promise<Postings[]> => {
    if (segments.length === 0) return [];
    const codes = [...new Set(question.flat(2))];
    const rows: { segment: number; gram: number; positions: Buffer }[] = await reads.query(
      `SELECT segment, gram, positions FROM search_postings WHERE segment IN (${segments.join(', ')}) AND gram IN (${codes.join(', ')})`,
    );
    const postings = new Map(segments.map((number) => [number, new Map<number, Buffer>()]));
    for (const { segment, gram, positions } of rows) postings.get(segment)?.set(gram, positions);
    return segments.map((number) => postings.get(number) ?? new Map());
  };

  /** Ids of alerts at these positions, in order. */
  const idsAt = async (positions: readonly number[]): Promise<string[]> => {
    const [first = 0, last = first] = [positions[0], positions.at(-1)];
    const [low, high] = first < last ? [first, last] : [last, first];
    // Most of what stands in a row is read faster in a row.
    const isDense = high - low < 2 * positions.length;
    const rows: { position: unknown; id: string }[] = await reads.query(
      'SELECT position, alert_id AS id FROM search_alerts ' +
        `WHERE position ${isDense ? `BETWEEN ${low} AND ${high}` : `IN (${positions.join(', ')})`}`,
    );
    const ids = new Map(rows.map(({ position, id }) => [Number(position), id]));
    return positions.flatMap((position) => ids.get(position) ?? []);
  };

  /** Numbers of segments in which there is something beyond the cursor. */
  const segmentsFrom = async (cursor: string | undefined, order: 'ASC' | 'DESC'): Promise<number[]> => {
    const isBeyond = order === 'DESC' ? 'after_id < ?' : 'last_id > ?';
    const rows: { number: number }[] = await reads.query(
      `SELECT number FROM search_segments ${cursor === undefined ? '' : `WHERE ${isBeyond} `}` +
        `ORDER BY number ${order} LIMIT ${SEGMENTS_OF_A_CALL + 1}`,
      cursor === undefined ? [] : [cursor],
    );
    return rows.map(({ number }) => number);
  };

  /** The first position of a segment that is beyond the cursor. */
  const positionBeyond = async (cursor: string, segment: number, order: 'ASC' | 'DESC'): Promise<number> => {
    const first = firstPositionOf(segment);
    const [beyond]: { position: unknown }[] = await reads.query(
      `SELECT position FROM search_alerts WHERE position >= ? AND position < ? AND alert_id ${order === 'DESC' ? '<' : '>'} ? ` +
        `ORDER BY position ${order} LIMIT 1`,
      [first, first + SEGMENT_ALERTS, cursor],
    );
    return beyond ? Number(beyond.position) : order === 'DESC' ? first - 1 : first + SEGMENT_ALERTS;
  };

  /** The cursor behind a segment. */
  const endOf = async (segment: number, order: 'ASC' | 'DESC'): Promise<string | undefined> => {
    if (order === 'DESC') return (await idsAt([firstPositionOf(segment)]))[0];
    const rows: { id: string }[] = await reads.query('SELECT last_id AS id FROM search_segments WHERE number = ?', [
      segment,
    ]);
    return rows[0]?.id;
  };

  /** Positions of candidates beyond the cursor, segments together as they are asked; `last` is the last segment of a call. */
  async function* positionsFrom(
    { texts, names }: SearchQuestion,
    cursor: string | undefined,
    order: 'ASC' | 'DESC',
    rows: number,
  ): AsyncGenerator<{ positions: number[]; last: number | undefined }> {
    const question: SegmentQuestion = [
      ...names.map(({ column, values }) => values.map((name) => [nameCode(column, name)])),
      ...texts.map((spellings) => spellings.map(askedGramCodes)),
    ];
    const all = await segmentsFrom(cursor, order);
    const segments = all.slice(0, SEGMENTS_OF_A_CALL);
    const last = all.length > segments.length ? segments.at(-1) : undefined;
    const first = segments.slice(0, FIRST_SEGMENTS);
    const postings = await postingsOf(first, question);
    const shorter = withoutCommon(question, postings);
    const inFirst = answersOf(first, question, postings, order);
    const mostExpected = (2 * inFirst.length) / first.length + UNEXPECTED_OF_A_SEGMENT;
    const [nearest] = first;
    const edge =
      cursor === undefined || nearest === undefined ? undefined : await positionBeyond(cursor, nearest, order);
    const isBeyond = (position: number) =>
      edge === undefined || (order === 'DESC' ? position <= edge : position >= edge);
    let positions = inFirst.filter(isBeyond);
    let found = 0;
    for (let at = first.length; ;) {
      yield { positions, last: at < segments.length ? undefined : last };
      if (at >= segments.length) return;
      found += positions.length;
      // As many segments as the others are likely to be in.
      const enough = found === 0 ? MOST_SEGMENTS : Math.ceil((1.2 * at * (rows - found)) / found);
      const some = segments.slice(at, at + Math.min(Math.max(FIRST_SEGMENTS, enough), MOST_SEGMENTS));
      positions = answersOf(some, shorter, await postingsOf(some, shorter), order);
      // What was common may be rare here.
      if (positions.length > some.length * mostExpected) {
        positions = answersOf(some, question, await postingsOf(some, question), order);
      }
      at += some.length;
    }
  }

  return {
    async indexedTo() {
      const [newest] = await reads.query<{ lastId: string }[]>(
        'SELECT last_id AS lastId FROM search_segments ORDER BY number DESC LIMIT 1',
      );
      return newest?.lastId;
    },
    async candidates(question, cursor, order, rows) {
      const found: string[] = [];
      for await (const { positions, last } of positionsFrom(question, cursor, order, rows)) {
        for (let at = 0; at < positions.length && found.length < rows;) {
          const some = positions.slice(at, at + Math.min(MOST_IDS, rows - found.length));
          found.push(...(await idsAt(some)));
          at += some.length;
        }
        if (found.length >= rows) return { ids: found, next: found.at(-1) };
        if (last !== undefined) return { ids: found, next: await endOf(last, order) };
      }
      return { ids: found, next: undefined };
    },
    async hasAtLeast(question, cursor, order, rows) {
      let found = 0;
      for await (const { positions, last } of positionsFrom(question, cursor, order, rows)) {
        found += positions.length;
        if (found >= rows || last !== undefined) return true;
      }
      return false;
    },
    settled() {
      const { promise, resolve } = Promise.withResolvers<void>();
      look();
      pending.push({ news: asked, resolve });
      return promise;
    },
    async close() {
      unsubscribe();
      clearTimeout(begin);
      clearTimeout(timer);
      for (const { resolve } of pending.splice(0)) resolve();
      await thread?.stop();
      // Not by the thread, which may wait for a database that hangs.
      const sql = 'UPDATE leases SET expires_at = 0 WHERE name = ? AND holder = ?';
      if (thread) await reads.query(sql, [SEARCH_LEASE, holder]).catch(() => undefined);
    },
  };
}

/** Positions in segments where there is what is asked for, as far as trigrams show. */
function answersOf(
  segments: readonly number[],
  question: SegmentQuestion,
  postings: readonly Postings[],
  order: 'ASC' | 'DESC',
): number[] {
  return segments.flatMap((number, place) => {
    const set = answerOf(question, postings[place] ?? new Map());
    const positions = set ? positionsIn(set).map((position) => firstPositionOf(number) + position) : [];
    return order === 'DESC' ? positions.toReversed() : positions;
  });
}

/** What one segment has stored, by the code of its trigram or name. */
type Postings = ReadonlyMap<number, Buffer>;
