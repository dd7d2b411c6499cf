import { EntitySchema } from 'typeorm';
import type * as z from 'zod/mini';
import type { DeliveryOutcome, AuthenticationMethod, deliveredEventSchema } from '#backend/contract/delivery.ts';
import type { Sender } from '#backend/contract/sender.ts';
import { idColumn, longTextColumn, nullable, primary, textColumn, timeColumn } from '#backend/database/columns.ts';

/** One request in the delivery log. Secrets in it are masked but for their last four characters. */
export interface DeliveryRow {
  id: string;
  /** Null for a request whose key belongs to no source. */
  sourceId: string | null;
  receivedAt: number;
  outcome: DeliveryOutcome;
  way: AuthenticationMethod;
  summary: string;
  /** The alert whose payload is the body, byte for byte. */
  alertId: string | null;
  /** Null where none is kept, and where the alert has it. */
  body: string | null;
  /** JSON: what became of each alert. A title that is the row's summary is left out. */
  results: string;
  /** JSON: {@link DeliveryFacts}, which no statement looks into. A column for each would cost more than all else. */
  facts: string;
  /** What the row takes, for the limit of the whole log. */
  bytes: number;
}

/** What is known of a logged request beside the columns of its row. */
export interface DeliveryFacts {
  /** Alerts that it made or changed, and how many of them are new. */
  alerts: number;
  newAlerts: number;
  status: number;
  /** Bytes of the body as received. */
  size: number;
  durationMs: number;
  remoteAddress: string;
  sender: Sender | null;
  recognisedBy: string | null;
  /** The delivery that this one repeats. */
  replayOf: string | null;
  /** The key of a request that belongs to no source, masked. */
  maskedKey: string | null;
  method: string;
  path: string;
  headers: [name: string, value: string][];
  isBodyCut: boolean;
}

/** A logged request with its facts as values. */
export type LoggedDelivery = Omit<DeliveryRow, 'facts'> & DeliveryFacts;

/** What became of one alert of a delivery. */
export type DeliveredEvent = z.infer<typeof deliveredEventSchema>;

/** What became of each alert of a delivery, as text. */
export function writeResults(results: readonly DeliveredEvent[], summary: string): string {
  const [first] = results;
  if (results.length !== 1 || first?.title !== summary) return JSON.stringify(results);
  const { outcome, alertId, occurrences } = first;
  return JSON.stringify([{ outcome, alertId, occurrences }]);
}

/** What became of each alert of a logged delivery. */
export const readResults = ({ results, summary }: Pick<DeliveryRow, 'results' | 'summary'>): DeliveredEvent[] =>
  (JSON.parse(results) as (Omit<DeliveredEvent, 'title'> & Partial<Pick<DeliveredEvent, 'title'>>)[]).map(
    ({ outcome, alertId, title = summary, occurrences }) => ({ outcome, alertId, title, occurrences }),
  );

/** A row with its facts. */
export const readRow = <Row extends Pick<DeliveryRow, 'facts'>>({
  facts,
  ...row
}: Row): Omit<Row, 'facts'> & DeliveryFacts => ({ ...row, ...(JSON.parse(facts) as DeliveryFacts) });

export const DeliveryRowEntity = new EntitySchema<DeliveryRow>({
  name: 'LoggedDelivery',
  tableName: 'deliveries',
  columns: {
    id: primary(idColumn('id')),
    sourceId: nullable(idColumn('source_id')),
    receivedAt: timeColumn('received_at'),
    outcome: textColumn('outcome', 16),
    way: textColumn('way', 16),
    summary: textColumn('summary', 500),
    alertId: nullable(idColumn('alert_id')),
    body: nullable(longTextColumn('body')),
    results: longTextColumn('results'),
    facts: longTextColumn('facts'),
    bytes: { type: 'int', name: 'bytes' },
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
  'alert_id',
  'body',
  'results',
  'facts',
  'bytes',
] as const;

/** A row's values for a multi-row insert. */
export const valuesOf = (row: DeliveryRow): (string | number | null)[] => [
  row.id,
  row.sourceId,
  row.receivedAt,
  row.outcome,
  row.way,
  row.summary,
  row.alertId,
  row.body,
  row.results,
  row.facts,
  row.bytes,
];
