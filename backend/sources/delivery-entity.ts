import { EntitySchema, type EntitySchemaColumnOptions } from 'typeorm';
import type { DeliveryOutcome, DeliveryWay } from '#backend/contract/delivery.ts';
import type { Sender } from '#backend/contract/sender.ts';
import { idColumn, longTextColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** One request in the delivery log. Secrets in it are masked but for their last four characters. */
export interface StoredDelivery {
  id: string;
  /** Null for a request whose key belongs to no source. */
  sourceId: string | null;
  receivedAt: number;
  outcome: DeliveryOutcome;
  way: DeliveryWay;
  summary: string;
  /** Alerts that it made or changed, and how many of them are new. */
  alerts: number;
  newAlerts: number;
  status: number;
  /** Bytes of the body as received. */
  size: number;
  /** Microseconds. */
  durationUs: number;
  remoteAddress: string;
  sender: Sender | null;
  recognisedBy: string | null;
  replayOf: string | null;
  /** The key of a request that belongs to no source, masked. */
  maskedKey: string | null;
  method: string;
  path: string;
  /** JSON: pairs of name and value. */
  headers: string;
  /** Null where none is kept, and where the alert has it. */
  body: string | null;
  isBodyCut: boolean;
  /** The alert whose payload is the body, byte for byte. */
  alertId: string | null;
  /** JSON: what became of each alert. */
  results: string;
  /** What the row takes, for the limit of the whole log. */
  bytes: number;
}

const count = (name: string): EntitySchemaColumnOptions => ({ type: 'int', name });

export const LoggedDeliveryEntity = new EntitySchema<StoredDelivery>({
  name: 'LoggedDelivery',
  tableName: 'deliveries',
  columns: {
    id: primary(idColumn('id')),
    sourceId: nullable(idColumn('source_id')),
    receivedAt: timeColumn('received_at'),
    outcome: textColumn('outcome', 16),
    way: textColumn('way', 16),
    summary: textColumn('summary', 500),
    alerts: count('alerts'),
    newAlerts: count('new_alerts'),
    status: count('status'),
    size: count('size'),
    durationUs: timeColumn('duration_us'),
    remoteAddress: textColumn('remote_address', 64),
    sender: nullable(textColumn('sender', 32)),
    recognisedBy: nullable(textColumn('recognised_by', 300)),
    replayOf: nullable(idColumn('replay_of')),
    maskedKey: nullable(textColumn('masked_key', 64)),
    method: textColumn('method', 16),
    path: longTextColumn('path'),
    headers: longTextColumn('headers'),
    body: nullable(longTextColumn('body')),
    isBodyCut: { type: 'boolean', name: 'is_body_cut' },
    alertId: nullable(idColumn('alert_id')),
    results: longTextColumn('results'),
    bytes: count('bytes'),
  },
});

/** Columns of a row in the order of {@link valuesOf}. */
export const DELIVERY_COLUMNS = [
  'id',
  'source_id',
  'received_at',
  'outcome',
  'way',
  'summary',
  'alerts',
  'new_alerts',
  'status',
  'size',
  'duration_us',
  'remote_address',
  'sender',
  'recognised_by',
  'replay_of',
  'masked_key',
  'method',
  'path',
  'headers',
  'body',
  'is_body_cut',
  'alert_id',
  'results',
  'bytes',
] as const;

/** A row's values for a multi-row insert. */
export const valuesOf = (row: StoredDelivery): (string | number | null)[] => [
  row.id,
  row.sourceId,
  row.receivedAt,
  row.outcome,
  row.way,
  row.summary,
  row.alerts,
  row.newAlerts,
  row.status,
  row.size,
  row.durationUs,
  row.remoteAddress,
  row.sender,
  row.recognisedBy,
  row.replayOf,
  row.maskedKey,
  row.method,
  row.path,
  row.headers,
  row.body,
  row.isBodyCut ? 1 : 0,
  row.alertId,
  row.results,
  row.bytes,
];
