import type { EntityManager } from 'typeorm';
import { newId } from '#backend/database/ids.ts';
import type { EventBus } from '#backend/live/event-bus.ts';
import { askedGramCodes, nameCode } from './gram-codes.ts';
import { type SearchIndex, rewrittenBy } from './search-index.ts';
import { SEARCH_LEASE, type SearchWorkerMessage } from './search-files.ts';
import { type SearchThread, startSearchThread } from './search-thread.ts';
import { type SegmentQuestion, answerOf, firstPositionOf, positionsIn } from './segment.ts';

/** Segments that are asked at first, and at most, in one statement; and that one call asks in all. */
const FIRST_SEGMENTS = 8;
const MOST_SEGMENTS = 128;
const SEGMENTS_OF_A_CALL = 1_024;

/** How long after a report of a known alert the thread is notified, for others may follow. */
const LOOK_DELAY_MS = 1_000;

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
    const id = rewrittenBy(event);
    if (id === undefined) return;
    retitled.add(id);
    timer ??= setTimeout(look, LOOK_DELAY_MS).unref();
  });

  const candidatesIn = async (
    segments: readonly Segment[],
    question: SegmentQuestion,
    order: 'ASC' | 'DESC',
  ): Promise<number[]> => {
    const codes = [...new Set(question.flat(2))];
    const rows: { segment: number; gram: number; positions: Buffer }[] = await reads.query(
      `SELECT segment, gram, positions FROM search_postings WHERE segment IN (${marks(segments)}) AND gram IN (${marks(codes)})`,
      [...segments.map(({ number }) => number), ...codes],
    );
    const postings = new Map<number, Map<number, Buffer>>();
    for (const { segment, gram, positions } of rows) {
      const ofSegment = postings.get(segment) ?? new Map<number, Buffer>();
      postings.set(segment, ofSegment.set(gram, positions));
    }
    return segments.flatMap(({ number }) => {
      const set = answerOf(question, postings.get(number) ?? new Map());
      const positions = set ? positionsIn(set).map((position) => firstPositionOf(number) + position) : [];
      return order === 'DESC' ? positions.toReversed() : positions;
    });
  };

  /** Ids of alerts at these positions, in order. */
  const idsAt = async (positions: readonly number[]): Promise<string[]> => {
    const rows: { position: unknown; id: string }[] = await reads.query(
      `SELECT position, alert_id AS id FROM search_alerts WHERE position IN (${marks(positions)})`,
      [...positions],
    );
    const ids = new Map(rows.map(({ position, id }) => [Number(position), id]));
    return positions.flatMap((position) => ids.get(position) ?? []);
  };

  const segmentsFrom = (cursor: string | undefined, order: 'ASC' | 'DESC'): Promise<Segment[]> => {
    const isBeyond = order === 'DESC' ? 'after_id < ?' : 'last_id > ?';
    return reads.query(
      'SELECT number, last_id AS lastId, after_id AS afterId FROM search_segments ' +
        `${cursor === undefined ? '' : `WHERE ${isBeyond} `}ORDER BY number ${order} LIMIT ${SEGMENTS_OF_A_CALL + 1}`,
      cursor === undefined ? [] : [cursor],
    );
  };

  return {
    async indexedTo() {
      const [newest] = await reads.query<{ lastId: string }[]>(
        'SELECT last_id AS lastId FROM search_segments ORDER BY number DESC LIMIT 1',
      );
      return newest?.lastId;
    },
    async candidates({ texts, names }, cursor, order, rows) {
      const question = [
        ...names.map(({ column, values }) => values.map((name) => [nameCode(column, name)])),
        ...texts.map((spellings) => spellings.map(askedGramCodes)),
      ];
      const segments = await segmentsFrom(cursor, order);
      const isBehind = (id: string) => cursor === undefined || (order === 'DESC' ? id < cursor : id > cursor);
      const found: string[] = [];
      for (let at = 0, size = FIRST_SEGMENTS; at < Math.min(segments.length, SEGMENTS_OF_A_CALL);) {
        const some = segments.slice(at, Math.min(at + size, SEGMENTS_OF_A_CALL));
        const positions = await candidatesIn(some, question, order);
        // The cursor stands somewhere in the first segment.
        for (let next = 0; next < positions.length && found.length < rows; next += rows) {
          found.push(...(await idsAt(positions.slice(next, next + rows))).filter(isBehind));
        }
        if (found.length >= rows) {
          const ids = found.slice(0, rows);
          return { ids, next: ids.at(-1) };
        }
        at += some.length;
        size = Math.min(size * 2, MOST_SEGMENTS);
      }
      const last = segments.length > SEGMENTS_OF_A_CALL ? segments[SEGMENTS_OF_A_CALL - 1] : undefined;
      if (!last) return { ids: found, next: undefined };
      const [next] = order === 'DESC' ? await idsAt([firstPositionOf(last.number)]) : [last.lastId];
      return { ids: found, next };
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

/** A segment as it is asked: its alerts have ids above one and up to the other. */
interface Segment {
  number: number;
  afterId: string;
  lastId: string;
}

const marks = (values: readonly unknown[]): string => values.map(() => '?').join(', ');
