import { isEverybodys } from '#backend/contract/alert-place.ts';
import { EntitySchema } from 'typeorm';
import {
  type AlertSeverity,
  type AlertState,
  type AlertStatus,
  type AssignmentKind,
  alertSeveritySchema,
} from '#backend/contract/alert.ts';
import {
  idColumn,
  longTextColumn,
  nullable,
  primary,
  textColumn,
  timeColumn,
} from '#backend/platform/database/columns.ts';
import type { Role } from '#backend/contract/session.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import type { PublishedAlert } from '#backend/platform/live/event-bus.ts';
import { type JsonText, jsonText } from '#backend/platform/endpoint/json-text.ts';
import { isFlapping, presentFlapping } from './rhythm.ts';
import { type StoredStatus, presentSnoozedUntil, visibleStatusOf } from './stored-status.ts';

/** A stored alert. `payload` and `extraData` are JSON texts, the payload exactly as received. */
export interface StoredAlert {
  id: string;
  /** Grows by one with each change, in the change itself. */
  version: number;
  receivedAt: number;
  status: AlertStatus;
  customer: string | null;
  alertType: string | null;
  url: string;
  payload: string;
  extraData: string;
  ownerId: string | null;
  folderId: string | null;
  /** The API key that it came with, by the name that it had then. Null in alerts of older versions, whose history has this. */
  sourceName: string | null;
  /** The source that it came from; null in alerts of older versions and in test alerts. */
  sourceId: string | null;
  /** The sender that it was recognised as. */
  sender: string | null;
  /** One line that a person acts on. */
  title: string | null;
  /** Null where the sender names none. */
  severity: Exclude<AlertSeverity, 'none'> | null;
  /** Null for what has no lifecycle. */
  state: Exclude<AlertState, 'event'> | null;
  /** Deliveries of this problem while the alert was open, the first included. */
  occurrences: number;
  /** When it was delivered last; null until it is repeated. */
  lastSeenAt: number | null;
  resolvedAt: number | null;
  /**
   * When it was completed last: kept while its owner has reopened it, null where its sender has, where it is nobody's or never
   * was completed, and in alerts that older versions completed.
   */
  completedAt: number | null;
  /** Names the problem within its source. */
  dedupKey: string | null;
  groupKey: string | null;
  groupTitle: string | null;
  /** The earlier alert of the same problem. */
  previousAlertId: string | null;
  /** The newest payload, when it was delivered again with another. */
  latestPayload: string | null;
  /** The entry of its history that counts the present repeats. */
  repeatEntryId: string | null;
  /** Until when it is out of the lists, `UNTIL_NEXT_FIRING` without a time; null while it is in them. */
  snoozedUntil: number | null;
  /** When its snooze ended by itself. */
  wokenAt: number | null;
  /** How it came to its owner by somebody else; null once its owner has changed something, and when they took it. */
  assignment: AssignmentKind | null;
  assignedById: string | null;
  assignedByName: string | null;
  /** When people changed it last; null when they have not, and once it is back in the inbox. */
  touchedAt: number | null;
  /** The product itself sent it as a test, or its sender says that it is one. It stays so. */
  isTest: boolean;
  /** The occurrence of a maintenance window that keeps it quiet, and the window's name; null while none does. */
  quietById: string | null;
  quietByName: string | null;
  /** The group that it is one card with; null while it stands by itself. */
  groupId: string | null;
  /** What rules have filed it under. */
  label: string | null;
  /** Since when its problem flaps; null while it does not. What is completed does not (`isFlapping`). */
  flappingSince: number | null;
  /** When its problem opened and closed (`Rhythm`, JSON); null until it opens again. */
  rhythm: string | null;
}

/** What an alert is by itself, before a sender says anything about its problem and anybody touches it. */
export const NO_PROBLEM = {
  version: 1,
  sourceId: null,
  sender: null,
  title: null,
  severity: null,
  state: null,
  occurrences: 1,
  lastSeenAt: null,
  resolvedAt: null,
  completedAt: null,
  dedupKey: null,
  groupKey: null,
  groupTitle: null,
  previousAlertId: null,
  latestPayload: null,
  repeatEntryId: null,
  snoozedUntil: null,
  wokenAt: null,
  assignment: null,
  assignedById: null,
  assignedByName: null,
  touchedAt: null,
  isTest: false,
  quietById: null,
  quietByName: null,
  groupId: null,
  label: null,
  flappingSince: null,
  rhythm: null,
} as const satisfies Partial<StoredAlert>;

/** What decides on an alert's lists and counters: all that is read of many alerts at once, never their payloads. */
export const ALERT_PLACE = [
  'id',
  'version',
  'status',
  'ownerId',
  'folderId',
  'customer',
  'alertType',
  'sourceId',
  'severity',
  'snoozedUntil',
  'assignedById',
  'quietById',
] as const;
export type AlertPlace = Pick<StoredAlert, (typeof ALERT_PLACE)[number]>;

/** Where an alert is listed and counted. */
export const placeOf = (alert: AlertPlace): AlertPlace =>
  Object.fromEntries(ALERT_PLACE.map((name) => [name, alert[name]])) as AlertPlace;

/** Reads the status that people see; what is written is the stored one (`alert-store`). */
const visibleStatus = { from: (stored: StoredStatus) => visibleStatusOf(stored), to: (stored: unknown) => stored };

export const AlertEntity = new EntitySchema<StoredAlert>({
  name: 'Alert',
  tableName: 'alerts',
  columns: {
    id: primary(idColumn('id')),
    version: { type: 'int', name: 'version', default: 1 },
    receivedAt: timeColumn('received_at'),
    status: { ...textColumn('status', 16), transformer: visibleStatus },
    customer: nullable(textColumn('customer', 200)),
    alertType: nullable(textColumn('alert_type', 200)),
    url: longTextColumn('url'),
    payload: longTextColumn('payload'),
    extraData: longTextColumn('extra_data'),
    ownerId: nullable(idColumn('owner_id')),
    folderId: nullable(idColumn('folder_id')),
    sourceName: nullable(textColumn('source_name', 100)),
    sourceId: nullable(idColumn('source_id')),
    sender: nullable(textColumn('sender', 32)),
    title: nullable(textColumn('title', 300)),
    severity: nullable(textColumn('severity', 8)),
    state: nullable(textColumn('state', 12)),
    occurrences: { type: 'int', name: 'occurrences', default: 1 },
    lastSeenAt: nullable(timeColumn('last_seen_at')),
    resolvedAt: nullable(timeColumn('resolved_at')),
    completedAt: nullable(timeColumn('completed_at')),
    dedupKey: nullable(textColumn('dedup_key', 191)),
    groupKey: nullable(textColumn('group_key', 191)),
    groupTitle: nullable(textColumn('group_title', 300)),
    previousAlertId: nullable(idColumn('previous_alert_id')),
    latestPayload: nullable(longTextColumn('latest_payload')),
    repeatEntryId: nullable(idColumn('repeat_entry_id')),
    snoozedUntil: nullable(timeColumn('snoozed_until')),
    wokenAt: nullable(timeColumn('woken_at')),
    assignment: nullable(textColumn('assignment', 12)),
    assignedById: nullable(idColumn('assigned_by_id')),
    assignedByName: nullable(textColumn('assigned_by_name', 100)),
    touchedAt: nullable(timeColumn('touched_at')),
    isTest: { type: 'boolean', name: 'is_test', default: false },
    quietById: nullable(idColumn('quiet_by_id')),
    quietByName: nullable(textColumn('quiet_by_name', 100)),
    groupId: nullable(idColumn('group_id')),
    label: nullable(textColumn('label', 60)),
    flappingSince: nullable(timeColumn('flapping_since')),
    rhythm: nullable(longTextColumn('rhythm')),
  },
});

/** What a column of alerts is called in the database. The entity above is the one list of them. */
export function alertColumn(name: keyof StoredAlert): string {
  const column = AlertEntity.options.columns[name];
  if (typeof column?.name !== 'string') throw new Error(`The column of ${name} has no name.`);
  return column.name;
}

/** These columns for a SELECT, each under its name in alerts. @param table what goes before them, such as `a.` */
export const selectAlert = (names: readonly (keyof StoredAlert)[], table = ''): string =>
  names.map((name) => `${table}${alertColumn(name)} AS ${name}`).join(', ');

/** Sorts by a column of severities, the most severe first. */
export const rankOfSeverity = (column: string): string =>
  `CASE ${column} ${SEVERE.map((severity, rank) => `WHEN '${severity}' THEN ${rank}`).join(' ')} ELSE ${SEVERE.length} END`;
const SEVERE = alertSeveritySchema.options.filter((severity) => severity !== 'none');

/** Roles that may see every alert, unaccept anybody's and delete anywhere. */
export const SEES_EVERYTHING = ['admin', 'super_user'] as const satisfies Role[];
export const seesEverything = ({ role }: Pick<Actor, 'role'>): boolean =>
  (SEES_EVERYTHING as readonly Role[]).includes(role);

/** The inbox is everybody's; an accepted alert is its owner's, and of those who see everything. */
export const canSee = (actor: Pick<Actor, 'id' | 'role'>, alert: Pick<StoredAlert, 'status' | 'ownerId'>): boolean =>
  isEverybodys(alert) || alert.ownerId === actor.id || seesEverything(actor);

/** What of an alert leaves the server. */
export type PresentableAlert = Omit<StoredAlert, 'groupKey' | 'repeatEntryId' | 'assignedById'>;

/**
 * An alert as it leaves the server. Payload and extra data are put in as the texts they
 * are stored as: parsing them would lose digits and key order.
 */
export function presentAlert(alert: PresentableAlert, ownerName: string | null): JsonText {
  const completedAt = alert.status === 'completed' ? alert.completedAt : null;
  const owner = alert.ownerId
    ? `,"ownerId":${JSON.stringify(alert.ownerId)}${ownerName === null ? '' : `,"ownerName":${JSON.stringify(ownerName)}`}`
    : '';
  const flapping = presentFlapping(alert);
  return jsonText(
    `{"id":${JSON.stringify(alert.id)},"payload":${alert.payload},"extraData":${alert.extraData},` +
      `"customer":${JSON.stringify(alert.customer)},"alertType":${JSON.stringify(alert.alertType)},` +
      `"timestamp":"${new Date(alert.receivedAt).toISOString()}","status":"${alert.status}","version":${alert.version},` +
      `"url":${JSON.stringify(alert.url)}${owner}${member('folderId', alert.folderId)},` +
      `"title":${JSON.stringify(alert.title)},"severity":"${alert.severity ?? 'none'}","state":"${alert.state ?? 'event'}",` +
      `"occurrences":${alert.occurrences},"lastSeenAt":"${new Date(alert.lastSeenAt ?? alert.receivedAt).toISOString()}"` +
      member('resolvedAt', alert.resolvedAt === null ? null : new Date(alert.resolvedAt).toISOString()) +
      member('completedAt', completedAt === null ? null : new Date(completedAt).toISOString()) +
      member('dedupKey', alert.dedupKey) +
      member('sourceId', alert.sourceId) +
      member('sourceName', alert.sourceName) +
      member('sender', alert.sender) +
      member('groupTitle', alert.groupTitle) +
      member('previousAlertId', alert.previousAlertId) +
      member('snoozedUntil', presentSnoozedUntil(alert.snoozedUntil)) +
      member('wokenAt', alert.wokenAt === null ? null : new Date(alert.wokenAt).toISOString()) +
      (alert.assignment === null
        ? ''
        : `,"assignment":${JSON.stringify({ kind: alert.assignment, byName: alert.assignedByName ?? '' })}`) +
      member('touchedAt', alert.touchedAt === null ? null : new Date(alert.touchedAt).toISOString()) +
      (alert.isTest ? ',"isTest":true' : '') +
      (alert.quietById === null
        ? ''
        : `,"quietBy":${JSON.stringify({ id: alert.quietById, name: alert.quietByName ?? '' })}`) +
      member('groupId', alert.groupId) +
      member('label', alert.label) +
      (flapping === null ? '' : `,"flapping":${flapping}`) +
      `${alert.latestPayload === null ? '' : `,"latestPayload":${alert.latestPayload}`}}`,
  );
}

/** A member of the object, where there is a value. */
const member = (name: string, value: string | null): string =>
  value === null ? '' : `,"${name}":${JSON.stringify(value)}`;

/** An alert as events carry it. Its JSON is made when somebody listens, and then once. */
export function publishedAlert(alert: PresentableAlert, ownerName: string | null): PublishedAlert {
  let json: JsonText | undefined;
  return {
    id: alert.id,
    customer: alert.customer,
    alertType: alert.alertType,
    sourceId: alert.sourceId,
    ownerId: alert.ownerId,
    status: alert.status,
    isSnoozed: alert.snoozedUntil !== null,
    isQuiet: alert.quietById !== null,
    content: {
      folderId: alert.folderId,
      label: alert.label,
      isTest: alert.isTest,
      isFlapping: isFlapping(alert),
      severity: alert.severity ?? 'none',
      title: alert.title,
      url: alert.url,
      payload: alert.payload,
    },
    get json() {
      return (json ??= presentAlert(alert, ownerName));
    },
  };
}
