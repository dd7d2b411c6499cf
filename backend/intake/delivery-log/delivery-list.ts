import { marksOf } from '#backend/platform/database/conditions.ts';
import {
  DELIVERY_PARTS,
  type DeliveryCounts,
  type DeliveryListQuery,
  type DeliveryOutcome,
  type DeliverySummary,
  deliveryOutcomeSchema,
  type UnknownKeys,
} from '#backend/contract/delivery.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { type SqlValue, patternOf } from '#backend/platform/database/dialect.ts';
import { type IdRange, idsBetween, inRange } from '#backend/platform/database/id-times.ts';
import { type DeliveryRow, DeliveryRowEntity, type LoggedDelivery, newestFirst, readRows } from './delivery-entity.ts';
import { MAX_UNKNOWN_KEPT } from './prune-deliveries.ts';
import { countChunks, newestOfChunks } from './stored-deliveries.ts';

/** Rows of a page when the caller names no `limit`. */
const PAGE_ROWS = 100;

/** Rows that one answer of a search looks through, and what it looks at at once. */
const SEARCH_ROWS = 5_000;
const SEARCH_SLICE = 500;

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** What a list reads of a row: never the body. */
const SUMMARY_COLUMNS = ['id', 'sourceId', 'receivedAt', 'outcome', 'summary', 'facts', 'requestId'] as const;

type SummaryRow = Pick<DeliveryRow, (typeof SUMMARY_COLUMNS)[number]>;

/** A row as lists show it. */
export const presentSummary = (
  row: Pick<LoggedDelivery, Exclude<keyof DeliverySummary, 'receivedAt'> | 'receivedAt'>,
): DeliverySummary => ({
  id: row.id,
  sourceId: row.sourceId,
  receivedAt: new Date(row.receivedAt).toISOString(),
  outcome: row.outcome,
  summary: row.summary,
  alerts: row.alerts,
  newAlerts: row.newAlerts,
  status: row.status,
  size: row.size,
  durationMs: row.durationMs,
  remoteAddress: row.remoteAddress,
  sender: row.sender,
  replayOf: row.replayOf,
});

/**
 * A page of a source's log, newest first. A search looks for its text in summaries, addresses, ids and bodies of the
 * log; it looks through a bounded number of rows, and `Link` goes on where it ended.
 */
export async function listDeliveries(
  { reads, longReads, dialect }: Pick<Database, 'reads' | 'longReads' | 'dialect'>,
  sourceId: string,
  query: DeliveryListQuery,
): Promise<{ rows: DeliverySummary[]; headers: { Link?: string } }> {
  const limit = query.limit ?? PAGE_ROWS;
  const isSearch = query.q !== undefined && query.q !== '';
  const range = await idsBetween(reads, query);
  const found: SummaryRow[] = [];
  let before = query.before;
  let looked = 0;
  let isEnd = false;
  while (found.length < limit && looked < SEARCH_ROWS && !isEnd) {
    const take = isSearch ? SEARCH_SLICE : limit + 1 - found.length;
    // A rare outcome is looked for through the whole log.
    const ids = await sliceOf(
      query.outcome === undefined ? reads : longReads,
      sourceId,
      { ...query, before, range },
      take,
    );
    const chunked = mayBeChunked(query) ? await newestOfChunks(reads, sourceId, { before, range }, take) : [];
    const slice = newestFirst([...ids.map((id) => ({ id })), ...chunked]).slice(0, take);
    isEnd = slice.length < take;
    looked += slice.length;
    const last = slice.at(-1)?.id;
    if (last === undefined) break;
    const ofSlice = { ids: ids.filter((id) => id >= last), chunked: chunked.filter(({ id }) => id >= last) };
    const matching = isSearch ? await matchingOf({ longReads, dialect }, sourceId, ofSlice, query.q ?? '') : ofSlice;
    found.push(...newestFirst([...(await summariesOf(reads, matching.ids)), ...matching.chunked]));
    before = last;
  }
  const page = found.slice(0, limit);
  const isMore = found.length > limit || (isSearch && !isEnd);
  const cursor = found.length > limit ? page.at(-1)?.id : before;
  return {
    rows: (await readRows(reads, page)).map(presentSummary),
    headers: isMore && cursor ? { Link: linkTo(sourceId, query, cursor) } : {},
  };
}

/** Chunks have nothing but new alerts. */
const mayBeChunked = ({ outcome }: DeliveryListQuery): boolean => outcome === undefined || outcome === 'new';

/** Rows as lists show them. */
const summariesOf = async (reads: Database['reads'], ids: readonly string[]): Promise<SummaryRow[]> =>
  ids.length === 0
    ? []
    : reads
        .getRepository(DeliveryRowEntity)
        .createQueryBuilder('d')
        .select(SUMMARY_COLUMNS.map((column) => `d.${column}`))
        .where('d.id IN (:...ids)', { ids })
        .getMany();

/** Deliveries of a list: ids of those in rows of their own, and those of chunks. */
interface Slice {
  ids: string[];
  chunked: DeliveryRow[];
}

/** Those of the deliveries that have a text anywhere, also in what they share with others. */
async function matchingOf(
  { longReads, dialect }: Pick<Database, 'longReads' | 'dialect'>,
  sourceId: string,
  { ids, chunked }: Slice,
  text: string,
): Promise<Slice> {
  const own = dialect.contains(['summary', 'facts', 'body', 'id', 'alert_id', 'results'], [text]);
  const shared = dialect.contains(['facts'], [text]);
  const rows: { id: string }[] =
    ids.length === 0
      ? []
      : await longReads.query(
          `SELECT id FROM deliveries WHERE id IN (${marksOf(ids)}) AND (${own.sql} OR request_id IN ` +
            `(SELECT id FROM delivery_requests WHERE source_id = ? AND ${shared.sql}))`,
          [...ids, ...own.values, sourceId, ...shared.values],
        );
  const requestIds = [...new Set(chunked.flatMap(({ requestId }) => requestId ?? []))];
  const requests: { id: string }[] =
    requestIds.length === 0
      ? []
      : await longReads.query(
          `SELECT id FROM delivery_requests WHERE id IN (${marksOf(requestIds)}) AND ${shared.sql}`,
          [...requestIds, ...shared.values],
        );
  const sharing = new Set(requests.map(({ id }) => id));
  const pattern = patternOf([text]);
  return {
    ids: rows.map(({ id }) => id),
    chunked: chunked.filter(
      ({ requestId, summary, facts, id, alertId }) =>
        sharing.has(requestId ?? '') || [summary, facts, id, alertId ?? ''].some((one) => pattern.test(one)),
    ),
  };
}

/** Ids of the next rows, newest first. */
async function sliceOf(
  reads: { query(sql: string, values: SqlValue[]): Promise<{ id: string }[]> },
  sourceId: string,
  { outcome, before, range }: Pick<DeliveryListQuery, 'outcome' | 'before'> & { range: IdRange },
  take: number,
): Promise<string[]> {
  const conditions = [
    { sql: 'source_id = ?', values: [sourceId] },
    ...(before === undefined ? [] : [{ sql: 'id < ?', values: [before] }]),
    inRange(range, 'id', 'received_at'),
    ...(outcome === undefined ? [] : [{ sql: 'outcome = ?', values: [outcome] }]),
  ];
  const rows = await reads.query(
    `SELECT id FROM deliveries WHERE ${conditions.map(({ sql }) => sql).join(' AND ')} ORDER BY id DESC LIMIT ?`,
    [...conditions.flatMap(({ values }) => values), take],
  );
  return rows.map(({ id }) => id);
}

function linkTo(sourceId: string, { limit, outcome, q, from, to }: DeliveryListQuery, before: string): string {
  const query = new URLSearchParams({
    ...(limit !== undefined && { limit: String(limit) }),
    ...(outcome && { outcome }),
    ...(q && { q }),
    ...(from && { from }),
    ...(to && { to }),
    before,
  });
  return `</api/sources/${sourceId}/deliveries?${query}>; rel="next"`;
}

/** No delivery of any outcome. */
export const noOutcomes = (): Record<DeliveryOutcome, number> =>
  Object.fromEntries(deliveryOutcomeSchema.options.map((outcome) => [outcome, 0])) as Record<DeliveryOutcome, number>;

/** How many deliveries of a time had which outcome, and how they lie in equal parts of it. */
export async function countDeliveries(
  { reads, longReads }: Pick<Database, 'reads' | 'longReads'>,
  sourceId: string,
  query: { from?: string | undefined; to?: string | undefined },
  now = Date.now(),
): Promise<DeliveryCounts> {
  const to = query.to === undefined ? now : Date.parse(query.to);
  const from = query.from === undefined ? to - DAY_MS : Math.min(Date.parse(query.from), to);
  const length = Math.max(1, (to - from) / DELIVERY_PARTS);
  const range = await idsBetween(reads, { from, to: to + 1 });
  const within = inRange(range, 'id', 'received_at');
  const rows = await longReads.query<{
    part: number | string;
    outcome: DeliveryOutcome;
    deliveries: number | string;
  }>(
    'SELECT FLOOR((received_at - ?) / ?) AS part, outcome, COUNT(*) AS deliveries FROM deliveries ' +
      `WHERE source_id = ? AND ${within.sql} GROUP BY part, outcome`,
    // With a fraction, so that both databases divide alike.
    [from, length + 1e-9, sourceId, ...within.values],
  );
  const chunked = await countChunks(longReads, sourceId, range, { from, length: length + 1e-9 });
  const outcomes = noOutcomes();
  const parts = Array.from({ length: DELIVERY_PARTS }, (_, index) => ({
    from: new Date(Math.floor(from + index * length)).toISOString(),
    deliveries: 0,
    refused: 0,
  }));
  const add = (part: number, outcome: DeliveryOutcome, count: number) => {
    outcomes[outcome] += count;
    const counted = parts[Math.min(Math.max(part, 0), DELIVERY_PARTS - 1)];
    if (!counted) return;
    counted.deliveries += count;
    if (outcome === 'refused') counted.refused += count;
  };
  for (const { part, outcome, deliveries } of rows) add(Number(part), outcome, Number(deliveries));
  for (const [part, deliveries] of chunked) add(part, 'new', deliveries);
  return { outcomes, parts };
}

/** The last requests that belong to no source, by key and address, the latest first. */
export async function listUnknownKeys(
  { reads }: Pick<Database, 'reads'>,
  hours: UnknownKeys['hours'],
  now = Date.now(),
): Promise<UnknownKeys> {
  const rows: DeliveryRow[] = await reads
    .getRepository(DeliveryRowEntity)
    .createQueryBuilder('d')
    .where('d.sourceId IS NULL')
    .orderBy('d.id', 'DESC')
    .take(MAX_UNKNOWN_KEPT)
    .getMany();
  const keys = new Map<string, UnknownKeys['keys'][number]>();
  for (const { maskedKey, way, path, remoteAddress, sender, receivedAt } of await readRows(reads, rows)) {
    const name = `${maskedKey} ${way} ${remoteAddress}`;
    const known = keys.get(name);
    if (known) known.requests += 1;
    else {
      const lastAt = new Date(receivedAt).toISOString();
      keys.set(name, { key: maskedKey, way, path, remoteAddress, sender, requests: 1, lastAt });
    }
  }
  const midnight = now - (now % DAY_MS);
  const today = Math.floor((now - midnight) / HOUR_MS) + 1;
  return {
    keys: [...keys.values()],
    hours,
    requestsToday: hours.slice(-today).reduce((sum, { deliveries }) => sum + deliveries, 0),
  };
}
