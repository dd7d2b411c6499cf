import { type EntityManager, In } from 'typeorm';
import { AlertEntity, type PresentableAlert, type StoredAlert } from './alert.ts';
import type { Place } from './alert-branches.ts';
import { type StoredStatus, visibleStatusOf } from './stored-status.ts';

/** Most bytes of alerts that one answer holds; the `Link` header continues the list. One alert may be larger. */
export const MAX_PAGE_BYTES = 8 * 1024 * 1024;

/** Bytes of alerts that are in memory together while an answer is sent. */
const GROUP_BYTES = 512 * 1024;

/** Alerts that are measured together. MySQL reads a text to know its length, so these are few. */
const MEASURED_AT_ONCE = 128;

/** What an alert takes in an answer beside its texts, roughly: names, ids, time, status. */
const FRAME_BYTES = 1_000;

/** An alert without its texts, and how many bytes it takes in an answer at most. */
export type MeasuredAlert = Omit<PresentableAlert, TextColumn> & { bytes: number };

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
    const some = places.slice(at, at + MEASURED_AT_ONCE);
    const byId = new Map((await measure(manager, some)).map((alert) => [alert.id, alert]));
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

async function measure(manager: EntityManager, places: Place[]): Promise<MeasuredAlert[]> {
  const rows: (Omit<MeasuredAlert, 'status'> & { status: StoredStatus })[] = await manager.query(
    'SELECT id, received_at AS receivedAt, status, customer, alert_type AS alertType, owner_id AS ownerId, ' +
      'folder_id AS folderId, source_id AS sourceId, sender, severity, state, occurrences, last_seen_at AS lastSeenAt, ' +
      'resolved_at AS resolvedAt, previous_alert_id AS previousAlertId, snoozed_until AS snoozedUntil, ' +
      'woken_at AS wokenAt, assignment, assigned_by_name AS assignedByName, touched_at AS touchedAt, ' +
      `${TEXT_BYTES} AS bytes FROM alerts WHERE id IN (${places.map(() => '?').join(', ')})`,
    places.map(({ id }) => id),
  );
  // MySQL's driver hands whole numbers of 64 bits over as text.
  for (const row of rows) {
    row.receivedAt = Number(row.receivedAt);
    row.lastSeenAt = row.lastSeenAt === null ? null : Number(row.lastSeenAt);
    row.resolvedAt = row.resolvedAt === null ? null : Number(row.resolvedAt);
    row.snoozedUntil = row.snoozedUntil === null ? null : Number(row.snoozedUntil);
    row.wokenAt = row.wokenAt === null ? null : Number(row.wokenAt);
    row.status = visibleStatusOf(row.status);
    row.touchedAt = row.touchedAt === null ? null : Number(row.touchedAt);
    row.bytes = Number(row.bytes) + FRAME_BYTES;
  }
  return rows as MeasuredAlert[];
}

/**
 * The alerts with their texts, which never change, group by group as they are asked for. Those that were deleted in
 * between are left out.
 */
export async function* loadAlerts(manager: EntityManager, alerts: MeasuredAlert[]): AsyncGenerator<PresentableAlert[]> {
  let group: MeasuredAlert[] = [];
  let bytes = 0;
  for (const alert of alerts) {
    if (group.length > 0 && bytes + alert.bytes > GROUP_BYTES) {
      yield await withTexts(manager, group);
      group = [];
      bytes = 0;
    }
    group.push(alert);
    bytes += alert.bytes;
  }
  if (group.length > 0) yield await withTexts(manager, group);
}

const TEXTS = {
  id: true,
  url: true,
  payload: true,
  extraData: true,
  latestPayload: true,
  title: true,
  dedupKey: true,
  groupTitle: true,
  sourceName: true,
} as const satisfies Record<keyof Texts, true>;

async function withTexts(manager: EntityManager, alerts: MeasuredAlert[]): Promise<PresentableAlert[]> {
  const rows: Texts[] = await manager.getRepository(AlertEntity).find({
    select: TEXTS,
    where: { id: In(alerts.map(({ id }) => id)) },
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return alerts.flatMap((alert) => {
    const texts = byId.get(alert.id);
    return texts ? [{ ...alert, ...texts }] : [];
  });
}
