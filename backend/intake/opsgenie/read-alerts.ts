import { marksOf } from '#backend/platform/database/conditions.ts';
import type { EntityManager } from 'typeorm';
import { type StoredAlert, selectAlert } from '#backend/alerts/alert/alert.ts';
import { OPEN_STATUSES, type StoredStatus, visibleStatusOf } from '#backend/alerts/alert/stored-status.ts';
import { boundedKey } from '#backend/intake/reading/bounded-text.ts';
import { inSizes } from '#backend/platform/database/dialect.ts';
import { type AlertFields, readFields } from '#backend/intake/adapters/opsgenie-payload.ts';

const COLUMNS = [
  'id',
  'receivedAt',
  'status',
  'ownerId',
  'title',
  'severity',
  'state',
  'occurrences',
  'lastSeenAt',
  'resolvedAt',
  'completedAt',
  'touchedAt',
  'snoozedUntil',
  'dedupKey',
  'sourceId',
] as const satisfies (keyof StoredAlert)[];

/** An alert of a source, as far as Opsgenie's API knows of it. */
export type ReadAlert = Pick<StoredAlert, (typeof COLUMNS)[number]> & { fields: AlertFields };

/** By what a request names an alert. */
export const IDENTIFIER_TYPES = ['id', 'tiny', 'alias'] as const;
export type IdentifierType = (typeof IDENTIFIER_TYPES)[number];

/** Payloads up to this size are read many at a time, larger ones one by one, in bytes. */
const SMALL = 64 * 1024;

const TIMES = ['receivedAt', 'lastSeenAt', 'resolvedAt', 'completedAt', 'touchedAt', 'snoozedUntil'] as const;

/** The alerts of this source among these, in the order of the ids, with what their newest payloads say. */
export async function readAlerts(reads: EntityManager, sourceId: string, ids: readonly string[]): Promise<ReadAlert[]> {
  const byId = new Map<string, ReadAlert>();
  for (const some of inSizes(ids)) {
    const rows: (Omit<ReadAlert, 'fields'> & { payload: string | null })[] = await reads.query(
      `SELECT ${selectAlert(COLUMNS)}, ` +
        `CASE WHEN OCTET_LENGTH(COALESCE(latest_payload, payload)) <= ${SMALL} ` +
        'THEN COALESCE(latest_payload, payload) END AS payload ' +
        `FROM alerts WHERE id IN (${marksOf(some)}) AND source_id = ?`,
      [...some, sourceId],
    );
    for (const { payload, ...row } of rows) {
      const fields = readFields(payload ?? (await readLarge(reads, row.id)));
      byId.set(row.id, { ...row, ...numbersOf(row), status: visibleStatusOf(row.status as StoredStatus), fields });
    }
  }
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** MySQL's driver hands whole numbers of 64 bits over as text. */
const numbersOf = (row: Pick<StoredAlert, (typeof TIMES)[number]>) => ({
  ...Object.fromEntries(TIMES.map((name) => [name, row[name] === null ? null : Number(row[name])])),
  receivedAt: Number(row.receivedAt),
});

async function readLarge(reads: EntityManager, id: string): Promise<string> {
  const rows: { payload: string }[] = await reads.query(
    'SELECT COALESCE(latest_payload, payload) AS payload FROM alerts WHERE id = ?',
    [id],
  );
  return rows[0]?.payload ?? '{}';
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** The id of the source's alert that a request names: for an alias that of its newest alert. */
export async function findAlertId(
  reads: EntityManager,
  sourceId: string,
  identifier: string,
  type: IdentifierType,
): Promise<string | undefined> {
  const [sql, values] = whereOf(identifier, type);
  if (sql === undefined) return undefined;
  const rows: { id: string }[] = await reads.query(sql, [sourceId, ...values]);
  return rows[0]?.id;
}

const OWN = 'SELECT id FROM alerts WHERE source_id = ? AND';

function whereOf(identifier: string, type: IdentifierType): [sql: string | undefined, values: string[]] {
  if (type === 'alias') {
    return ['SELECT alert_id AS id FROM problems WHERE source_id = ? AND dedup_key = ?', [boundedKey(identifier)]];
  }
  if (type === 'id') return UUID.test(identifier) ? [`${OWN} id = ?`, [identifier.toLowerCase()]] : [undefined, []];
  const beginning = beginningOf(identifier);
  if (beginning === undefined) return [undefined, []];
  return [`${OWN} id BETWEEN ? AND ? ORDER BY id LIMIT 1`, [beginning, `${beginning}g`]];
}

/** Tiny ids count from here. */
const EPOCH = BigInt(Date.UTC(2020, 0));
const COUNTER_BITS = 42n;
const LOW_BITS = 30n;
const mask = (bits: bigint): bigint => (1n << bits) - 1n;

/**
 * The tiny id of an alert: time and counter of its id (UUIDv7) as one number, counted from 2020. No server makes two ids that
 * have both in common.
 */
export function tinyIdOf(id: string): string {
  const digits = id.replaceAll('-', '');
  const bits = (from: number, to: number): bigint => BigInt(`0x${digits.slice(from, to)}`);
  const counter = (bits(13, 16) << LOW_BITS) | (bits(16, 24) & mask(LOW_BITS));
  return String(((bits(0, 12) - EPOCH) << COUNTER_BITS) | counter);
}

const hex = (value: bigint, digits: number): string => value.toString(16).padStart(digits, '0');

/** What an id with this tiny id begins with. */
function beginningOf(tinyId: string): string | undefined {
  if (!/^\d{1,27}$/.test(tinyId)) return undefined;
  const number = BigInt(tinyId);
  const time = hex((number >> COUNTER_BITS) + EPOCH, 12);
  const high = hex((number >> LOW_BITS) & mask(12n), 3);
  // The variant of UUIDs goes before the counter's lower part.
  const low = hex((2n << LOW_BITS) | (number & mask(LOW_BITS)), 8);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${high}-${low.slice(0, 4)}-${low.slice(4)}`;
}

/** Entries of the index of each status that are read for a list: a few milliseconds. */
const MAX_ENTRIES = 50_000;

/** Most alerts of a source that one list or count searches. */
export const MAX_SEARCHED = 10_000;

/** Statuses that are stored of alerts that nobody has completed. */
const NOT_COMPLETED = ['pending', 'snoozed-pending', ...OPEN_STATUSES] as const satisfies StoredStatus[];

/** The newest alerts of a source. */
export interface NewestIds {
  /** The newest first, one more than {@link MAX_SEARCHED} at most. */
  ids: string[];
  /** Whether they are all: of no status there are more entries than are read, so that older ones of the source may be missing. */
  isComplete: boolean;
}

/**
 * Finds the newest alerts of a source. What is older than the last entry that is read of a status that has more of them is left
 * out, so that none is missing in between.
 *
 * @param hasCompleted whether completed ones are wanted, too
 * @param maxEntries how many entries of each status are read
 */
export async function findNewestIds(
  reads: EntityManager,
  sourceId: string,
  hasCompleted: boolean,
  maxEntries = MAX_ENTRIES,
): Promise<NewestIds> {
  const ids: string[] = [];
  let oldest = '';
  for (const status of hasCompleted ? [...NOT_COMPLETED, 'completed'] : NOT_COMPLETED) {
    const rows: { id: string }[] = await reads.query(
      `SELECT id FROM (SELECT id, source_id FROM alerts WHERE status = ? ORDER BY id DESC LIMIT ${maxEntries}) newest ` +
        `WHERE source_id = ? ORDER BY id DESC LIMIT ${MAX_SEARCHED + 1}`,
      [status, sourceId],
    );
    ids.push(...rows.map(({ id }) => id));
    const [beyond]: { id: string }[] = await reads.query(
      `SELECT id FROM alerts WHERE status = ? ORDER BY id DESC LIMIT 1 OFFSET ${maxEntries}`,
      [status],
    );
    if (beyond && beyond.id > oldest) oldest = beyond.id;
  }
  const found = ids
    .filter((id) => id > oldest)
    .sort()
    .toReversed()
    .slice(0, MAX_SEARCHED + 1);
  return { ids: found, isComplete: oldest === '' };
}
