import { EntitySchema, In } from 'typeorm';
import type * as z from 'zod/mini';
import type { DeliveryOutcome, AuthenticationMethod, deliveredEventSchema } from '#backend/contract/delivery.ts';
import type { Sender } from '#backend/contract/sender.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';
import type { Database } from '#backend/platform/database/database.ts';

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
  /** JSON: what became of each alert. A title that is the row's summary is left out; empty for one new alert, `alertId`. */
  results: string;
  /**
   * JSON: those of the {@link DeliveryFacts} that are neither usual nor in the shared request. A column for each would
   * cost more than all else.
   */
  facts: string;
  /** What the request has in common with others of its sender; null where all of it is in `facts`. */
  requestId: string | null;
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
  /** It lacks the signature that its source needs, or has a wrong one; a replay of such a request is marked, too. */
  isUnverified: boolean;
  /** The key of a request that belongs to no source, masked. */
  maskedKey: string | null;
  method: string;
  path: string;
  headers: [name: string, value: string][];
  isBodyCut: boolean;
}

/** What is the same in request after request of a sender. */
export const SHARED_FACTS = ['status', 'sender', 'recognisedBy', 'method', 'path', 'headers'] as const;

/** What requests of one sender have in common, stored once. */
export interface SharedRequest {
  /** Made later than the first request, and before the others. */
  id: string;
  sourceId: string;
  /** JSON: the {@link SHARED_FACTS}. A `Content-Length` that is the body's size has the value null. */
  facts: string;
}

/** Facts that are as usual are not stored. */
const USUAL_FACTS = {
  alerts: 1,
  newAlerts: 1,
  status: 202,
  replayOf: null,
  maskedKey: null,
  recognisedBy: null,
  isBodyCut: false,
  isUnverified: false,
} satisfies Partial<DeliveryFacts>;

/** What is left of a delivery whose shared request was deleted with its source, while it was on its way to the log. */
const NOTHING_SHARED = { sender: null, method: '', path: '', headers: [] } satisfies Partial<DeliveryFacts>;

/** A logged request with its facts as values. */
export type LoggedDelivery = Omit<DeliveryRow, 'facts' | 'requestId'> & DeliveryFacts;

/** A request as the log has stored it. */
export interface LoggedUse {
  /** Null for one whose key belongs to no source; elsewhere here that is `''`. */
  sourceId: string | null;
  receivedAt: number;
  outcome: DeliveryOutcome;
  way: string;
  summary: string;
  status: number;
}

/** Whether an administrator tried it. */
export const isTried = (way: string): boolean => way === 'test' || way === 'replay';

/** A list by the order of ids, the newest first. */
export const newestFirst = <Row extends { id: string }>(rows: readonly Row[]): Row[] =>
  rows.toSorted((one, other) => (one.id < other.id ? 1 : -1));

/** What became of one alert of a delivery. */
export type DeliveredEvent = z.infer<typeof deliveredEventSchema>;

/** Facts without those that are as usual. */
export function unusualFacts(facts: Partial<DeliveryFacts>): Partial<DeliveryFacts> {
  const unusual: Record<string, unknown> = {};
  for (const name in facts) {
    const value = facts[name as keyof DeliveryFacts];
    if (!(name in USUAL_FACTS) || value !== USUAL_FACTS[name as keyof typeof USUAL_FACTS]) unusual[name] = value;
  }
  return unusual;
}

/** What became of each alert of a delivery, as text. */
export function writeResults(
  results: readonly DeliveredEvent[],
  { summary, alertId: bodyOf }: Pick<DeliveryRow, 'summary' | 'alertId'>,
): string {
  const [first] = results;
  if (results.length !== 1 || first?.title !== summary) return JSON.stringify(results);
  const { outcome, alertId, occurrences } = first;
  if (bodyOf !== null && alertId === bodyOf && outcome === 'new' && occurrences === 1) return '';
  return JSON.stringify([{ outcome, alertId, occurrences }]);
}

/** What became of each alert of a logged delivery. */
export function readResults({
  results,
  summary,
  alertId: bodyOf,
}: Pick<DeliveryRow, 'results' | 'summary' | 'alertId'>): DeliveredEvent[] {
  if (results === '') return [{ outcome: 'new', alertId: bodyOf, title: summary, occurrences: 1 }];
  const stored = JSON.parse(results) as (Omit<DeliveredEvent, 'title'> & Partial<Pick<DeliveredEvent, 'title'>>)[];
  return stored.map(({ outcome, alertId, title = summary, occurrences }) => ({ outcome, alertId, title, occurrences }));
}

type StoredHeaders = [name: string, value: string | null][];

/** Rows with their facts, and with those that they share with others. */
export async function readRows<Row extends Pick<DeliveryRow, 'facts' | 'requestId'>>(
  reads: Database['reads'],
  rows: readonly Row[],
): Promise<(Omit<Row, 'facts' | 'requestId'> & DeliveryFacts)[]> {
  const ids = [...new Set(rows.flatMap(({ requestId }) => requestId ?? []))];
  const requests = ids.length === 0 ? [] : await reads.getRepository(SharedRequestEntity).findBy({ id: In(ids) });
  const factsOf = new Map(requests.map(({ id, facts }) => [id, JSON.parse(facts) as object]));
  return rows.map(({ facts: own, requestId, ...row }) => {
    const shared = factsOf.get(requestId ?? '') ?? NOTHING_SHARED;
    const stored = { ...USUAL_FACTS, ...shared, ...(JSON.parse(own) as object) };
    const { headers, ...facts } = stored as unknown as Omit<DeliveryFacts, 'headers'> & { headers: StoredHeaders };
    const named = headers.map(([name, value]): [string, string] => [name, value ?? String(facts.size)]);
    return { ...row, ...facts, headers: named };
  });
}

export const SharedRequestEntity = new EntitySchema<SharedRequest>({
  name: 'SharedRequest',
  tableName: 'delivery_requests',
  columns: {
    id: primary(idColumn('id')),
    sourceId: idColumn('source_id'),
    facts: longTextColumn('facts'),
  },
});

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
    requestId: nullable(idColumn('request_id')),
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
  'request_id',
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
  row.requestId,
  row.bytes,
];
