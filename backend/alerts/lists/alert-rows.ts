import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntityManager } from 'typeorm';
import { type PresentableAlert, type StoredAlert, alertColumn, selectAlert } from '#backend/alerts/alert/alert.ts';
import type { Place } from './alert-branches.ts';
import { isOneOf, marksOf } from '#backend/platform/database/conditions.ts';
import { type StoredStatus, isSet, visibleStatusOf } from '#backend/alerts/alert/stored-status.ts';

/** Most bytes of alerts that one answer holds; the `Link` header continues the list. One alert may be larger. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Bytes of alerts that are in memory together while an answer is sent. */
const GROUP_BYTES = 512 * 1024;

/** Alerts that are measured together. MySQL reads a text to know its length, so these are few. */
const MEASURED_AT_ONCE = 128;

/** What an alert takes in an answer beside its texts, roughly: names, ids, time, status. */
const FRAME_BYTES = 1_000;

/** Texts of so many bytes together are read as they are measured: those of one statement are one group at most. */
const SMALL_BYTES = GROUP_BYTES / MEASURED_AT_ONCE;

/** An alert, and how many bytes it takes in an answer at most; with its texts where they are short, and few are in memory. */
export type MeasuredAlert = Omit<PresentableAlert, TextColumn> & { bytes: number; texts?: Omit<Texts, 'id'> };

/** Columns that are read when their alert is sent. */
type TextColumn =
  | 'url'
  | 'payload'
  | 'extraData'
  | 'latestPayload'
  | 'title'
  | 'dedupKey'
  | 'groupTitle'
  | 'sourceName';
type Texts = Pick<StoredAlert, 'id' | TextColumn>;

/**
 * SQL for the bytes of an alert's texts. JSON writes a character of the URL with up to six. SQLite reads lengths without
 * the texts; MySQL reads the texts, but sends none.
 */
export const TEXT_BYTES =
  'OCTET_LENGTH(payload) + OCTET_LENGTH(extra_data) + 6 * OCTET_LENGTH(url) + ' +
  'COALESCE(OCTET_LENGTH(latest_payload), 0) + 6 * COALESCE(OCTET_LENGTH(title), 0)';

/** The alerts of one answer, as they were when they were measured, and the places that they come from. */
export interface MeasuredPage {
  alerts: MeasuredAlert[];
  /** The last place that was looked at; what comes after it is not in `alerts`. */
  last: Place | undefined;
  /** Whether there are places behind `last`. */
  isCut: boolean;
}

/**
 * As many alerts of `places`, in their order, as one answer holds: at least one. Those that were deleted in between are
 * left out.
 */
export async function measurePage(manager: EntityManager, places: Place[]): Promise<MeasuredPage> {
  const alerts: MeasuredAlert[] = [];
  let bytes = 0;
  let last: Place | undefined;
  for (let at = 0; at < places.length; at += MEASURED_AT_ONCE) {
    // An answer of thousands of alerts is made with other work between: SQLite reads without waiting for anything.
    if (at > 0) await nextTurn();
    const some = places.slice(at, at + MEASURED_AT_ONCE);
    const byId = new Map((await measure(manager, some, at === 0)).map((alert) => [alert.id, alert]));
    for (const place of some) {
      const alert = byId.get(place.id);
      bytes += alert?.bytes ?? 0;
      if (bytes > MAX_PAGE_BYTES && alerts.length > 0) return { alerts, last, isCut: true };
      if (alert) alerts.push(alert);
      last = place;
    }
  }
  return { alerts, last, isCut: false };
}

const TEXTS = [
  'url',
  'payload',
  'extraData',
  'latestPayload',
  'title',
  'dedupKey',
  'groupTitle',
  'sourceName',
] as const satisfies TextColumn[];

/** What is read of every alert of an answer: whether its texts are short says who reads them. */
const SHORT_COLUMNS = selectAlert([
  'id',
  'version',
  'receivedAt',
  'status',
  'customer',
  'alertType',
  'ownerId',
  'folderId',
  'sourceId',
  'sender',
  'severity',
  'state',
  'occurrences',
  'lastSeenAt',
  'resolvedAt',
  'completedAt',
  'previousAlertId',
  'snoozedUntil',
  'wokenAt',
  'assignment',
  'assignedByName',
  'touchedAt',
  'isTest',
  'quietById',
  'quietByName',
  'groupId',
  'label',
  'flappingSince',
  'rhythm',
]);

const SMALL_TEXTS = TEXTS.map(
  (name) => `CASE WHEN ${TEXT_BYTES} <= ${SMALL_BYTES} THEN ${alertColumn(name)} END AS ${name}`,
).join(', ');

type MeasuredRow = Omit<MeasuredAlert, 'status' | 'texts'> & Texts & { status: StoredStatus };

async function measure(manager: EntityManager, places: Place[], areTextsRead: boolean): Promise<MeasuredAlert[]> {
  const rows: MeasuredRow[] = await manager.query(
    `SELECT ${SHORT_COLUMNS}, ` +
      `${areTextsRead ? `${SMALL_TEXTS}, ` : ''}${TEXT_BYTES} AS bytes ` +
      `FROM alerts WHERE id IN (${marksOf(places)})`,
    places.map(({ id }) => id),
  );
  return rows.map(({ url, payload, extraData, latestPayload, title, dedupKey, groupTitle, sourceName, ...row }) => {
    const bytes = Number(row.bytes);
    const texts = { url, payload, extraData, latestPayload, title, dedupKey, groupTitle, sourceName };
    // MySQL's driver hands whole numbers of 64 bits over as text.
    return Object.assign(row, {
      receivedAt: Number(row.receivedAt),
      lastSeenAt: timeOf(row.lastSeenAt),
      resolvedAt: timeOf(row.resolvedAt),
      completedAt: timeOf(row.completedAt),
      snoozedUntil: timeOf(row.snoozedUntil),
      wokenAt: timeOf(row.wokenAt),
      touchedAt: timeOf(row.touchedAt),
      flappingSince: timeOf(row.flappingSince),
      isTest: isSet(row.isTest),
      status: visibleStatusOf(row.status),
      bytes: bytes + FRAME_BYTES,
      ...(areTextsRead && bytes <= SMALL_BYTES && { texts }),
    });
  });
}

const timeOf = (stored: number | string | null): number | null => (stored === null ? null : Number(stored));

/**
 * The alerts with their texts, group by group as they are asked for. Those whose texts were not read yet, and that were
 * deleted in between, are left out.
 */
export async function* loadAlerts(manager: EntityManager, alerts: MeasuredAlert[]): AsyncGenerator<PresentableAlert[]> {
  let group: MeasuredAlert[] = [];
  let bytes = 0;
  for (const alert of alerts) {
    if (group.length > 0 && bytes + alert.bytes > GROUP_BYTES) {
      yield await withTexts(manager, group);
      await nextTurn();
      group = [];
      bytes = 0;
    }
    group.push(alert);
    bytes += alert.bytes;
  }
  if (group.length > 0) yield await withTexts(manager, group);
}

async function withTexts(manager: EntityManager, alerts: MeasuredAlert[]): Promise<PresentableAlert[]> {
  const others = alerts.filter(({ texts }) => texts === undefined).map(({ id }) => id);
  const { sql, values } = isOneOf('id', others);
  const rows: Texts[] =
    others.length === 0 ? [] : await manager.query(`SELECT id, ${selectAlert(TEXTS)} FROM alerts WHERE ${sql}`, values);
  const byId = new Map(rows.map(({ id, ...texts }) => [id, texts]));
  return alerts.flatMap(({ texts: read, ...alert }) => {
    const texts = read ?? byId.get(alert.id);
    return texts ? [{ ...alert, ...texts }] : [];
  });
}
