import { EntitySchema } from 'typeorm';
import type { AuthenticationMethod } from '#backend/contract/delivery.ts';
import { momentOf } from '#backend/contract/id-moment.ts';
import { idColumn, longTextColumn, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import type { DeliveryFacts, DeliveryRow } from './delivery-entity.ts';
import { type QueuedRow, aloneOf } from './delivery-row.ts';

/**
 * Deliveries of one source, each of which made one new alert, that came within {@link CHUNK_SPAN_MS}: one row for all of them.
 * Their alerts have the bodies, and their shared request has most of the rest.
 */
export interface DeliveryChunk {
  /** That of the last delivery. */
  id: string;
  firstId: string;
  sourceId: string;
  /** When the first came. */
  receivedAt: number;
  /** How many there are. */
  deliveries: number;
  way: AuthenticationMethod;
  requestId: string;
  /** JSON: a {@link Member} for each, in the order of their ids. */
  members: string;
  /** What the row takes, for the limit of the whole log. */
  bytes: number;
}

/** One delivery of a chunk. Of its facts those that are neither usual nor in the shared request. */
type Member = [id: string, receivedAt: number, summary: string, alertId: string, facts: Partial<DeliveryFacts>];

/** The ids of a chunk's first and last delivery are at most so far apart, in milliseconds: which chunk has an id is found by it. */
export const CHUNK_SPAN_MS = 1_000;

/** What a chunk takes beside its text, in bytes, as measured on SQLite. */
const CHUNK_BYTES = 400;

export const DeliveryChunkEntity = new EntitySchema<DeliveryChunk>({
  name: 'DeliveryChunk',
  tableName: 'delivery_chunks',
  columns: {
    id: primary(idColumn('id')),
    firstId: idColumn('first_id'),
    sourceId: idColumn('source_id'),
    receivedAt: timeColumn('received_at'),
    deliveries: { type: 'int', name: 'deliveries' },
    way: textColumn('way', 16),
    requestId: idColumn('request_id'),
    members: longTextColumn('members'),
    bytes: { type: 'int', name: 'bytes' },
  },
});

/** Columns of a chunk in the order of {@link chunkValuesOf}. */
export const CHUNK_COLUMNS = [
  'id',
  'first_id',
  'source_id',
  'received_at',
  'deliveries',
  'way',
  'request_id',
  'members',
  'bytes',
] as const;

/** A chunk's values for a multi-row insert. */
export const chunkValuesOf = (chunk: DeliveryChunk): (string | number)[] => [
  chunk.id,
  chunk.firstId,
  chunk.sourceId,
  chunk.receivedAt,
  chunk.deliveries,
  chunk.way,
  chunk.requestId,
  chunk.members,
  chunk.bytes,
];

/** A delivery that can stand in a chunk. */
type ChunkedRow = QueuedRow & {
  sourceId: string;
  requestId: string;
  alertId: string;
  ownFacts: NonNullable<QueuedRow['ownFacts']>;
};

/** What was tried before is no part of a chunk: an earlier attempt may have stored it. */
const isChunked = (row: QueuedRow): row is ChunkedRow => row.ownFacts !== undefined && !row.isAgain;

/** Deliveries as chunks, and those that are rows of their own: what is alone, and whatever is more than one new alert. */
export function chunksOf(queued: readonly QueuedRow[]): { chunks: DeliveryChunk[]; rows: DeliveryRow[] } {
  const rows: DeliveryRow[] = [];
  const groups = new Map<string, ChunkedRow[]>();
  for (const row of queued) {
    if (!isChunked(row)) {
      rows.push(aloneOf(row));
      continue;
    }
    const key = `${row.requestId} ${row.way}`;
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  const chunks: DeliveryChunk[] = [];
  for (const span of [...groups.values()].flatMap(spansOf)) {
    const [first, last] = [span[0], span.at(-1)];
    if (first && last && first !== last) chunks.push(chunkOf(span, first, last));
    else rows.push(...span.map(aloneOf));
  }
  return { chunks, rows };
}

/** Deliveries in the order of their ids, divided where a chunk would be too long. */
function spansOf(group: ChunkedRow[]): ChunkedRow[][] {
  const spans: ChunkedRow[][] = [];
  let end = 0;
  for (const row of group.toSorted((one, other) => (one.id < other.id ? -1 : 1))) {
    const moment = momentOf(row.id);
    const span = spans.at(-1);
    if (span && moment <= end) span.push(row);
    else {
      spans.push([row]);
      end = moment + CHUNK_SPAN_MS;
    }
  }
  return spans;
}

function chunkOf(rows: readonly ChunkedRow[], first: ChunkedRow, last: ChunkedRow): DeliveryChunk {
  const members = JSON.stringify(
    rows.map(({ id, receivedAt, summary, alertId, ownFacts }): Member => [id, receivedAt, summary, alertId, ownFacts]),
  );
  return {
    id: last.id,
    firstId: first.id,
    sourceId: first.sourceId,
    receivedAt: first.receivedAt,
    deliveries: rows.length,
    way: first.way,
    requestId: first.requestId,
    members,
    bytes: rows.reduce(
      (bytes, { shared }) => bytes + Buffer.byteLength(shared?.facts ?? ''),
      CHUNK_BYTES + Buffer.byteLength(members),
    ),
  };
}

/** The deliveries of a chunk as rows, in the order of their ids. */
export const rowsOfChunk = ({
  sourceId,
  way,
  requestId,
  members,
}: Pick<DeliveryChunk, 'sourceId' | 'way' | 'requestId' | 'members'>): DeliveryRow[] =>
  (JSON.parse(members) as Member[]).map(([id, receivedAt, summary, alertId, facts]) => ({
    id,
    sourceId,
    receivedAt,
    outcome: 'new',
    way,
    summary,
    alertId,
    body: null,
    results: '',
    facts: JSON.stringify(facts),
    requestId,
    bytes: 0,
  }));
