import type { EntityManager } from 'typeorm';
import type { Database } from './database.ts';
import { type Condition, allOf } from './conditions.ts';
import { continueIdsAfter, firstIdAt, newestMoment } from './ids.ts';
import { type Repeating, startRepeating } from './repeat.ts';

/**
 * Ids are in the order of time, and begin with it: what is stored in a time is found by a range of ids, in every index.
 * After a clock that ran ahead was set back, ids go on after the last one, so that they are ahead of the clock. Then the
 * stored times decide, among those ids alone; this module knows which they are.
 */

/** Ids that are so far ahead of the clock are recorded, in milliseconds. Clocks of servers that agree differ by less. */
const AHEAD_MS = 60_000;

/** How often the newest ids are checked, in milliseconds: other servers may write smaller ids until then. */
const POLL_MS = 2_000;

/** Ids from one on, and below another. */
export interface IdRange {
  from?: string;
  below?: string;
  /** Where ids do not say when something was stored. */
  timed?: TimedIds;
}

/** Of ids from one on and below another only those whose stored time is in a range, in milliseconds since the epoch. */
interface TimedIds {
  first: string;
  end: string;
  from: number;
  to: number;
}

/** Milliseconds since the epoch, or a time as ISO 8601 writes it. */
type Moment = number | string | undefined;

/** Of what was stored from one moment on and before another. */
export async function idsBetween(
  reads: Pick<EntityManager, 'query'>,
  times: { from?: Moment; to?: Moment },
): Promise<IdRange> {
  const [from, to] = [times.from, times.to].map((one) => (typeof one === 'string' ? Date.parse(one) : one));
  const plain = {
    ...(from !== undefined && { from: firstIdAt(from) }),
    ...(to !== undefined && { below: firstIdAt(to) }),
  };
  if (from === undefined && to === undefined) return plain;
  const bounds = [from, to].filter((bound) => bound !== undefined);
  // Whatever such ids stand for lies between the two times: what both are on the same side of is found by its ids.
  const [row]: { first: unknown; until: unknown }[] = await reads.query(
    'SELECT MIN(shown_from) AS first, MAX(ids_until) AS until FROM id_leads WHERE ' +
      bounds.map(() => '(shown_from < ? AND ids_until > ?)').join(' OR '),
    bounds.flatMap((bound) => [bound, bound]),
  );
  if (row?.until === null || row?.until === undefined) return plain;
  const until = Number(row.until);
  return {
    ...plain,
    ...(to !== undefined && { below: firstIdAt(Math.max(to, until)) }),
    timed: {
      first: firstIdAt(Number(row.first)),
      end: firstIdAt(until),
      from: from ?? 0,
      to: to ?? Number.MAX_SAFE_INTEGER,
    },
  };
}

/** What a row of a range meets beside its bounds; `time` is the column with its stored time. */
export const timedCondition = ({ timed }: IdRange, id: string, time: string): Condition[] =>
  timed === undefined
    ? []
    : [
        {
          sql: `(${id} < ? OR ${id} >= ? OR (${time} >= ? AND ${time} < ?))`,
          values: [timed.first, timed.end, timed.from, timed.to],
        },
      ];

/** What a row of a range meets: bounds of its id, and its stored time where ids do not say it. */
export const inRange = (range: IdRange, id: string, time: string): Condition =>
  allOf([
    ...(range.from === undefined ? [] : [{ sql: `${id} >= ?`, values: [range.from] }]),
    ...(range.below === undefined ? [] : [{ sql: `${id} < ?`, values: [range.below] }]),
    ...timedCondition(range, id, time),
  ]);

/** Whether a row that was read is of a range: {@link inRange} by hand. */
export const isWithin = ({ from, below, timed }: IdRange, id: string, time: number): boolean =>
  (from === undefined || id >= from) &&
  (below === undefined || id < below) &&
  (timed === undefined || id < timed.first || id >= timed.end || (time >= timed.from && time < timed.to));

/**
 * Keeps the ids of this server after those of the others, and notes which ids are ahead of the clock.
 *
 * @param newestStored reads the greatest id that any server has stored
 * @param reports `onAhead` is given how far ids are ahead, in milliseconds, once for each time that they are
 */
export function watchIds(
  database: Pick<Database, 'reads' | 'transaction'>,
  newestStored: () => Promise<string | undefined>,
  reports: { onAhead: (aheadMs: number) => void; onError: (error: unknown) => void },
): Repeating {
  const look = async () => {
    continueIdsAfter(await newestStored());
    const aheadMs = newestMoment() - Date.now();
    if (aheadMs > AHEAD_MS && (await noteLead(database, Date.now()))) reports.onAhead(aheadMs);
  };
  return startRepeating(look, { intervalMs: POLL_MS, onError: reports.onError });
}

/** Returns whether that was not noted yet. Of two servers that note the same at once each may: that does no harm. */
async function noteLead(
  { reads, transaction }: Pick<Database, 'reads' | 'transaction'>,
  now: number,
): Promise<boolean> {
  const newest = newestMoment();
  const [known]: { first: unknown; until: unknown }[] = await reads.query(
    'SELECT shown_from AS first, ids_until AS until FROM id_leads WHERE shown_from <= ? AND ids_until >= ? ' +
      'ORDER BY ids_until DESC LIMIT 1',
    [now, now],
  );
  if (known && Number(known.until) > newest) return false;
  // Some time before and after, so that it covers what comes until the next look, and is written seldom.
  const idsUntil = newest + AHEAD_MS;
  await transaction((tx) =>
    known
      ? tx.query('UPDATE id_leads SET ids_until = ? WHERE shown_from = ?', [idsUntil, Number(known.first)])
      : tx.query('INSERT INTO id_leads (shown_from, ids_until) VALUES (?, ?)', [now - AHEAD_MS, idsUntil]),
  );
  return !known;
}
