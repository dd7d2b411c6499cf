import { type EntityManager, In } from 'typeorm';
import { momentOf } from '#backend/contract/id-moment.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { allOf, marksOf, type Condition } from '#backend/platform/database/conditions.ts';
import { type IdRange, isWithin } from '#backend/platform/database/id-times.ts';
import { firstIdAt } from '#backend/platform/database/ids.ts';
import { CHUNK_SPAN_MS, type DeliveryChunk, rowsOfChunk } from './delivery-chunk.ts';
import { type DeliveryRow, DeliveryRowEntity, newestFirst } from './delivery-entity.ts';

type Reads = Pick<EntityManager, 'getRepository' | 'query'>;

/** The part of a source's log that is asked for. */
export interface LogPart {
  /** Deliveries with ids below this one. */
  before?: string | undefined;
  range?: IdRange;
}

/** The least id that no chunk has which has a delivery below an id: a chunk's id is that of its last. */
const endOfChunksBelow = (id: string): string => firstIdAt(momentOf(id) + CHUNK_SPAN_MS + 1);

/** What chunks meet that may have a delivery of this part. */
const mayHave = (sourceId: string, { before, range = {} }: LogPart): Condition =>
  allOf([
    { sql: 'source_id = ?', values: [sourceId] },
    ...(range.from === undefined ? [] : [{ sql: 'id >= ?', values: [range.from] }]),
    ...[before, range.below]
      .filter((id) => id !== undefined)
      .map((id) => ({ sql: 'id < ? AND first_id < ?', values: [endOfChunksBelow(id), id] })),
  ]);

const isOf =
  ({ before, range = {} }: LogPart) =>
  ({ id, receivedAt }: DeliveryRow): boolean =>
    (before === undefined || id < before) && isWithin(range, id, receivedAt);

/** What of a chunk has its deliveries. */
type ChunkContents = Pick<DeliveryChunk, 'sourceId' | 'way' | 'requestId' | 'members'>;
const CONTENTS = 'SELECT source_id AS sourceId, way, request_id AS requestId, members FROM delivery_chunks';

/** The deliveries of these chunks. */
async function rowsOfChunks(reads: Pick<EntityManager, 'query'>, ids: readonly string[]): Promise<DeliveryRow[]> {
  if (ids.length === 0) return [];
  const places = marksOf(ids);
  const chunks: ChunkContents[] = await reads.query(`${CONTENTS} WHERE id IN (${places})`, [...ids]);
  return chunks.flatMap(rowsOfChunk);
}

/** The newest deliveries of a source that are stored in chunks, newest first. */
export async function newestOfChunks(
  reads: Pick<EntityManager, 'query'>,
  sourceId: string,
  part: LogPart,
  take: number,
): Promise<DeliveryRow[]> {
  const { sql, values } = mayHave(sourceId, part);
  const found: DeliveryRow[] = [];
  let read: string | undefined;
  for (;;) {
    const heads: Pick<DeliveryChunk, 'id' | 'deliveries'>[] = await reads.query(
      `SELECT id, deliveries FROM delivery_chunks WHERE ${sql}${read === undefined ? '' : ' AND id < ?'} ` +
        'ORDER BY id DESC LIMIT ?',
      [...values, ...(read === undefined ? [] : [read]), take + 1],
    );
    let wanted = 0;
    for (let deliveries = 0; wanted < heads.length && deliveries < take; wanted += 1)
      deliveries += heads[wanted]?.deliveries ?? 0;
    const ids = heads.slice(0, wanted).map(({ id }) => id);
    found.push(...(await rowsOfChunks(reads, ids)).filter(isOf(part)));
    // Chunks of one time lie across each other: what is not read yet may have deliveries between these, up to its id.
    const next = heads[wanted]?.id;
    const certain = found.filter(({ id }) => next === undefined || id > next);
    if (next === undefined || certain.length >= take) return newestFirst(certain).slice(0, take);
    read = ids.at(-1);
  }
}

/** The newest deliveries of a source, newest first, with their bodies. */
export async function newestDeliveries(reads: Reads, sourceId: string, take: number): Promise<DeliveryRow[]> {
  const rows = await reads.getRepository(DeliveryRowEntity).find({ where: { sourceId }, order: { id: 'DESC' }, take });
  return newestFirst([...rows, ...(await newestOfChunks(reads, sourceId, {}, take))]).slice(0, take);
}

/** Deliveries by their ids, in any order; those that are not kept are missing. */
export async function findDeliveries(reads: Reads, ids: readonly string[]): Promise<DeliveryRow[]> {
  const rows = await reads.getRepository(DeliveryRowEntity).findBy({ id: In([...ids]) });
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id)).toSorted();
  const [least, greatest] = [missing[0], missing.at(-1)];
  if (least === undefined || greatest === undefined) return rows;
  const chunks: { id: string }[] = await reads.query(
    'SELECT id FROM delivery_chunks WHERE id >= ? AND id < ? AND first_id <= ?',
    [least, endOfChunksBelow(greatest), greatest],
  );
  if (chunks.length === 0) return rows;
  const sought = new Set(missing);
  const inChunks = await rowsOfChunks(
    reads,
    chunks.map(({ id }) => id),
  );
  return [...rows, ...inChunks.filter(({ id }) => sought.has(id))];
}

/**
 * When the newest deliveries came that are stored in chunks, newest first, as milliseconds since the epoch. It is read from
 * the index, which has the first and the last of a chunk: the others are taken to lie evenly between them.
 */
export async function timesOfChunks(
  reads: Pick<EntityManager, 'query'>,
  sourceId: string,
  range: IdRange,
  take: number,
): Promise<number[]> {
  const { sql, values } = mayHave(sourceId, { range });
  const chunks: { id: string; firstId: string; receivedAt: number | string; deliveries: number }[] = await reads.query(
    'SELECT id, first_id AS firstId, received_at AS receivedAt, deliveries FROM delivery_chunks ' +
      `WHERE ${sql} ORDER BY id DESC LIMIT ?`,
    [...values, take],
  );
  const times: number[] = [];
  for (const { id, firstId, receivedAt, deliveries } of chunks) {
    if (times.length >= take) break;
    const gap = (momentOf(id) - momentOf(firstId)) / Math.max(1, deliveries - 1);
    for (let at = deliveries - 1; at >= 0; at -= 1) times.push(Number(receivedAt) + at * gap);
  }
  return times.slice(0, take);
}

/**
 * How many deliveries of a time are stored in chunks, by equal parts of it. A chunk counts in the part in which its first
 * delivery came, and those at the ends of the time by each of their deliveries.
 *
 * @param of the time's beginning and the length of a part, in milliseconds
 */
export async function countChunks(
  longReads: Database['longReads'],
  sourceId: string,
  range: IdRange,
  of: { from: number; length: number },
): Promise<Map<number, number>> {
  const { from, below, timed } = range;
  const whole = allOf([
    ...(from === undefined ? [] : [{ sql: 'first_id >= ?', values: [from] }]),
    ...(below === undefined ? [] : [{ sql: 'id < ?', values: [below] }]),
    ...(timed === undefined ? [] : [{ sql: '(id < ? OR first_id >= ?)', values: [timed.first, timed.end] }]),
  ]);
  const may = mayHave(sourceId, { range });
  const counts = new Map<number, number>();
  const add = (part: number, deliveries: number) => counts.set(part, (counts.get(part) ?? 0) + deliveries);
  const parts: { part: number | string; deliveries: number | string }[] = await longReads.query(
    'SELECT FLOOR((received_at - ?) / ?) AS part, SUM(deliveries) AS deliveries FROM delivery_chunks ' +
      `WHERE ${may.sql} AND ${whole.sql} GROUP BY part`,
    [of.from, of.length, ...may.values, ...whole.values],
  );
  for (const { part, deliveries } of parts) add(Number(part), Number(deliveries));
  const divided: ChunkContents[] = await longReads.query(`${CONTENTS} WHERE ${may.sql} AND NOT (${whole.sql})`, [
    ...may.values,
    ...whole.values,
  ]);
  for (const row of divided.flatMap(rowsOfChunk))
    if (isWithin(range, row.id, row.receivedAt)) add(Math.floor((row.receivedAt - of.from) / of.length), 1);
  return counts;
}
