import type { Database } from '#backend/platform/database/database.ts';
import { insertSql } from '#backend/platform/database/dialect.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import type { EventBus } from '#backend/platform/live/event-bus.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { ObserveDroppedDeliveries } from '#backend/platform/metrics/observers.ts';
import { CHUNK_COLUMNS, chunkValuesOf, chunksOf } from './delivery-chunk.ts';
import { DELIVERY_COLUMNS, type LoggedUse, valuesOf } from './delivery-entity.ts';
import { type LoggedRequest, type QueuedRow, rowOf, writeShared } from './delivery-row.ts';
import { createSharedRequests } from './shared-requests.ts';
import { findDeliveries } from './stored-deliveries.ts';

/** Takes note of requests beside their answers. */
export interface DeliveryLog {
  /** Queues a request to be written within a fraction of a second. Drops it when too much is queued. */
  add(request: LoggedRequest): void;
  /** What waits to be written. */
  queued(): number;
  /** Writes what waits. */
  flush(): Promise<void>;
}

/** Takes note of nothing. */
export const NO_DELIVERY_LOG: DeliveryLog = { add: () => undefined, queued: () => 0, flush: async () => undefined };

/** How long a request waits for others, in milliseconds. */
const FLUSH_MS = 200;
/** After a failure. */
const RETRY_MS = 1_000;

/** What may wait: more is dropped and counted. */
const MAX_QUEUED = 20_000;
const MAX_QUEUED_BYTES = 32 * 1024 * 1024;
/** Requests with unknown keys between two writes: strangers do not fill the queue. */
const MAX_UNKNOWN = 100;

/** One transaction writes at most so much. */
const MAX_ROWS = 200;
const MAX_BYTES = 2 * 1024 * 1024;

/** An event of one source is published at most this often, in milliseconds. */
const EVENT_INTERVAL_MS = 1_000;

const HOUR_MS = 60 * 60 * 1000;

/** Opens the log. `observe` counts what was dropped. */
export function createDeliveryLog({
  database,
  events,
  logger,
  observe,
  onLogged = () => undefined,
}: {
  database: Pick<Database, 'dialect' | 'transaction'>;
  events: EventBus;
  logger: Logger;
  observe: ObserveDroppedDeliveries;
  /** Receives what was committed, before it is published. */
  onLogged?: (uses: readonly LoggedUse[]) => void;
}): DeliveryLog {
  let queue: QueuedRow[] = [];
  let queuedBytes = 0;
  let unknown = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();
  const publish = createThrottledPublisher(events);
  const share = createSharedRequests(writeShared);

  const schedule = (delay: number) => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void flush();
    }, delay);
    timer.unref();
  };

  /** Writes what waits now. What comes meanwhile waits for others. */
  const writeQueued = async () => {
    for (let left = queue.length; left > 0 && queue.length > 0;) {
      const rows = takeBatch();
      left -= rows.length;
      const unwritten = await writeBatch(rows);
      if (unwritten.length === 0) continue;
      putBack(unwritten);
      schedule(RETRY_MS);
      return;
    }
  };
  /** Writes these rows, and drops those that the database refuses. Returns what is to be tried again. */
  const writeBatch = async (rows: QueuedRow[]): Promise<QueuedRow[]> => {
    try {
      await database.transaction((tx) => writeRows(tx, rows), { waitsForDisk: false });
    } catch (error) {
      // A duplicate is an earlier attempt whose commit was made after its connection was given up.
      if (database.dialect.isUnavailable(error) || database.dialect.isDuplicate(error)) {
        logger.warn({ err: error, deliveries: rows.length }, 'deliveries could not be logged; they are tried again');
        return rows.map((row) => ({ ...row, isAgain: true }));
      }
      return rows.length === 1 ? refuseRows(rows, error) : writeOneByOne(rows);
    }
    onLogged(rows);
    for (const sourceId of new Set(rows.map((row) => row.sourceId))) publish(sourceId);
    return [];
  };
  /** Finds the row that keeps its neighbours from being written. */
  const writeOneByOne = async (rows: QueuedRow[]): Promise<QueuedRow[]> => {
    for (const [index, row] of rows.entries()) {
      const unwritten = await writeBatch([{ ...row, isAgain: true }]);
      if (unwritten.length > 0) return [...unwritten, ...rows.slice(index + 1)];
    }
    return [];
  };
  const refuseRows = async (rows: QueuedRow[], error: unknown): Promise<QueuedRow[]> => {
    logger.warn({ err: error, deliveries: rows.map(({ id }) => id) }, 'a delivery could not be logged');
    observe(rows.length);
    // Later deliveries name what it has in common with them.
    await database
      .transaction((tx) => insertShared(tx, rows))
      .catch((err: unknown) => logger.warn({ err }, 'what deliveries share could not be logged'));
    return [];
  };
  const putBack = (rows: QueuedRow[]) => {
    queue.unshift(...rows);
    queuedBytes += rows.reduce((sum, row) => sum + row.bytes, 0);
  };
  const takeBatch = (): QueuedRow[] => {
    let rows = 0;
    let bytes = 0;
    while (rows < queue.length && rows < MAX_ROWS && (rows === 0 || bytes < MAX_BYTES)) {
      bytes += queue[rows]?.bytes ?? 0;
      rows += 1;
    }
    const batch = queue.slice(0, rows);
    queue = queue.slice(rows);
    queuedBytes -= bytes;
    unknown = 0;
    return batch;
  };
  /** The alerts are stored by now, and their sender is to be answered so, whatever the log makes of the request. */
  const tryRowOf = (request: LoggedRequest): QueuedRow | undefined => {
    try {
      return rowOf(request, share);
    } catch (error) {
      logger.warn({ err: error, delivery: request.id }, 'a delivery could not be logged');
      observe(1);
      return undefined;
    }
  };
  const flush = (): Promise<void> => {
    writing = writing.then(writeQueued);
    return writing;
  };

  return {
    add(request) {
      const isFull = queue.length >= MAX_QUEUED || queuedBytes >= MAX_QUEUED_BYTES;
      if (isFull || (request.source === null && unknown >= MAX_UNKNOWN)) {
        observe(1);
        return;
      }
      // Its row at once: the request with all its headers would stay in memory for as long as it waits.
      const row = tryRowOf(request);
      if (!row) return;
      if (request.source === null) unknown += 1;
      queue.push(row);
      queuedBytes += row.bytes;
      // Under load little by little: much at once would keep alerts waiting. In the next turn:
      // SQLite writes within one, and the answers of this one would wait for that.
      if (queue.length === MAX_ROWS) setImmediate(() => void flush());
      else schedule(FLUSH_MS);
    },
    queued: () => queue.length,
    flush,
  };
}

/** Publishes at once, and then once for all that comes within a second. */
function createThrottledPublisher(events: EventBus): (sourceId: string | null) => void {
  const pending = new Map<string | null, boolean>();
  const publish = (sourceId: string | null) => {
    if (pending.has(sourceId)) {
      pending.set(sourceId, true);
      return;
    }
    events.publish({ type: 'source_changed', sourceId });
    pending.set(sourceId, false);
    const timer = setTimeout(() => {
      const isDue = pending.get(sourceId);
      pending.delete(sourceId);
      if (isDue) publish(sourceId);
    }, EVENT_INTERVAL_MS);
    timer.unref();
  };
  return publish;
}

/** What deliveries share. It may be there already, from an attempt whose commit was not answered. */
async function insertShared(tx: Transaction, rows: readonly QueuedRow[]): Promise<void> {
  const shared = rows.flatMap((row) => row.shared ?? []);
  if (shared.length === 0) return;
  const insert = insertSql('delivery_requests', ['id', 'source_id', 'facts'], shared.length);
  const values = shared.flatMap(({ id, sourceId, facts }) => [id, sourceId, facts]);
  await tx.query(tx.dialect.ignoreExisting(insert, 'id'), values);
}

/** Of rows that were tried before, those that are not stored: a commit that was not answered may have been made. */
async function withoutStored(tx: Transaction, rows: readonly QueuedRow[]): Promise<readonly QueuedRow[]> {
  const again = rows.filter(({ isAgain }) => isAgain);
  if (again.length === 0) return rows;
  const found = await findDeliveries(
    tx,
    again.map(({ id }) => id),
  );
  const stored = new Set(found.map(({ id }) => id));
  return rows.filter(({ id }) => !stored.has(id));
}

async function writeRows(tx: Transaction, queued: readonly QueuedRow[]): Promise<void> {
  const deliveries = await withoutStored(tx, queued);
  if (deliveries.length === 0) return;
  await insertShared(tx, deliveries);
  const { chunks, rows } = chunksOf(deliveries);
  await tx.runRows((count) => insertSql('delivery_chunks', CHUNK_COLUMNS, count), chunks.map(chunkValuesOf));
  await tx.runRows((count) => insertSql('deliveries', DELIVERY_COLUMNS, count), rows.map(valuesOf));
  const hours = new Map<string, [string, number, string, string, number]>();
  for (const { sourceId, receivedAt, outcome, way } of deliveries) {
    const owner = sourceId ?? '';
    const hour = receivedAt - (receivedAt % HOUR_MS);
    const key = `${owner} ${hour} ${outcome} ${way}`;
    const counted = hours.get(key);
    if (counted) counted[4] += 1;
    else hours.set(key, [owner, hour, outcome, way, 1]);
  }
  // In one order, so that two servers do not wait for each other.
  const sorted = [...hours].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  const columns = ['source_id', 'hour', 'outcome', 'way', 'deliveries'];
  await tx.runRows(
    (count) =>
      tx.dialect.upsertSum(insertSql('delivery_hours', columns, count), 'source_id, hour, outcome, way', 'deliveries'),
    sorted,
  );
  const totals = new Map<string, { rows: number; bytes: number }>();
  const addUp = (owner: string, added: number, bytes: number) => {
    const total = totals.get(owner) ?? { rows: 0, bytes: 0 };
    totals.set(owner, { rows: total.rows + added, bytes: total.bytes + bytes });
  };
  for (const { sourceId, bytes } of rows) addUp(sourceId ?? '', 1, bytes);
  for (const { sourceId, deliveries: added, bytes } of chunks) addUp(sourceId, added, bytes);
  await addToTotals(tx, totals);
}

/** Adds to what the log of each source holds; `''` stands for unknown keys. */
export async function addToTotals(
  tx: Transaction,
  totals: ReadonlyMap<string, { rows: number; bytes: number }>,
): Promise<void> {
  const values = [...totals]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([owner, { rows, bytes }]) => [
      [owner, 'bytes', bytes],
      [owner, 'rows', rows],
    ]);
  await tx.runRows(
    (count) =>
      tx.dialect.upsertSum(
        insertSql('delivery_totals', ['source_id', 'kind', 'amount'], count),
        'source_id, kind',
        'amount',
      ),
    values,
  );
}
