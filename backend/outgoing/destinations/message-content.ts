import { cutText } from '#backend/contract/cut-text.ts';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import type { AlertSeverity, AlertState, AlertStatus } from '#backend/contract/alert.ts';
import { isFlapping } from '#backend/alerts/alert/rhythm.ts';
import { shortLine } from '#backend/contract/notices.ts';
import {
  OUTGOING_SCHEMA_VERSION,
  type OutgoingEvent,
  type OutgoingPayload,
  type OutgoingPreview,
} from '#backend/contract/outgoing.ts';

/** Fields of an alert's payload in a message, and how long each may be, in characters. */
const MAX_FIELDS = 20;
const MAX_FIELD_NAME = 60;
const MAX_FIELD_VALUE = 500;

/** How deep objects are looked into for fields. */
const MAX_DEPTH = 3;

const MAX_TITLE = 300;
const MAX_NOTE = 2_000;

/** What people see of a message's fields, and of a value, in characters. */
const SHOWN_FIELDS = 4;
const SHOWN_VALUE = 200;
const SHOWN_TITLE = 150;

/** Keys that a message says elsewhere, in lower case. */
const SAID_ELSEWHERE = new Set([
  'customer',
  'customername',
  'alerttype',
  'alert type',
  'alert_type',
  'type',
  'pk',
  'title',
  'severity',
]);

/** What of an alert a message is made of. */
export interface SentAlert {
  id: string;
  version: number;
  title: string | null;
  customer: string | null;
  alertType: string | null;
  label: string | null;
  sourceName: string | null;
  severity: AlertSeverity | null;
  state: AlertState | null;
  status: AlertStatus;
  ownerName: string | null;
  occurrences: number;
  receivedAt: number;
  /** Until when it is out of the lists; null while it is in them. */
  snoozedUntil: number | null;
  /** Since when its problem opens and closes again and again; null while it does not. */
  flappingSince: number | null;
  /** JSON. */
  payload: string;
  isTest: boolean;
}

/** What happened to it. */
export interface SentEvent {
  event: OutgoingEvent;
  /** When, in milliseconds since the epoch. */
  at: number;
  /** Who did it; null for its sender. */
  by: string | null;
  note?: { author: string; text: string } | undefined;
  /** The message is about several alerts, of which this is the worst. */
  group?: { alerts: number; text: string };
  /** An administrator tries the destination. */
  isTest?: boolean;
}

/** What is sent of an alert: texts from outside on one line each and cut, so that no message is larger than 16 KB. */
export function contentOf(
  alert: SentAlert,
  { event, at, by, note, group, isTest }: SentEvent,
  publicUrl: URL | undefined,
): OutgoingPayload {
  const line = (text: string | null) => (text === null ? null : shortLine(text, MAX_TITLE));
  return {
    type: `alert.${event}`,
    schemaVersion: OUTGOING_SCHEMA_VERSION,
    timestamp: new Date(at).toISOString(),
    isTest: isTest ?? alert.isTest,
    data: {
      alert: {
        id: alert.id,
        version: alert.version,
        title: shortLine(alert.title ?? alert.alertType ?? alert.customer ?? 'Alert', MAX_TITLE),
        customer: line(alert.customer),
        alertType: line(alert.alertType),
        label: line(alert.label),
        source: line(alert.sourceName),
        severity: alert.severity ?? 'none',
        state: alert.state ?? 'event',
        status: alert.status,
        owner: line(alert.ownerName),
        occurrences: alert.occurrences,
        receivedAt: new Date(alert.receivedAt).toISOString(),
        isSnoozed: alert.snoozedUntil !== null,
        isFlapping: isFlapping(alert),
        link: publicUrl === undefined ? null : new URL(pathOfAlert(alert.id), publicUrl).href,
        fields: fieldsOf(alert.payload),
      },
      by: line(by),
      ...(group && { group }),
      ...(note && {
        note: { author: shortLine(note.author, MAX_TITLE), text: cutText(safeText(note.text), MAX_NOTE) },
      }),
    },
  };
}

/** A text of several lines without what turns the direction of the words after it, and without control characters. */
const safeText = (text: string): string =>
  text.toWellFormed().replaceAll(/[\u202A-\u202E\u2066-\u2069]|(?![\t\n])\p{Cc}/gu, '');

/** The fields of a payload that people read: plain values, those inside objects by their own name. */
function fieldsOf(payload: string): { name: string; value: string }[] {
  const fields: { name: string; value: string }[] = [];
  const add = (object: object, depth: number): void => {
    for (const [key, value] of Object.entries(object) as [string, unknown][]) {
      if (fields.length >= MAX_FIELDS) return;
      if (key.startsWith('_') || SAID_ELSEWHERE.has(key.toLowerCase()) || value === null || value === '') continue;
      if (typeof value === 'object') {
        if (!Array.isArray(value) && depth < MAX_DEPTH) add(value, depth + 1);
        continue;
      }
      const name = shortLine(key.replaceAll('_', ' '), MAX_FIELD_NAME);
      if (name !== '' && !fields.some((field) => field.name === name)) {
        fields.push({ name, value: shortLine(String(value), MAX_FIELD_VALUE) });
      }
    }
  };
  const parsed: unknown = JSON.parse(payload);
  if (typeof parsed === 'object' && parsed !== null) add(parsed, 1);
  return fields;
}

/** What is said of a problem that flaps. */
const FLAPPING = 'flapping: it opens and closes again and again';

const joined = (parts: readonly string[]): string => parts.join(' · ');

/** A message as people read it, wherever it goes. */
export type MessageWords = Pick<OutgoingPreview, 'title' | 'lines' | 'fields' | 'link'>;

const SEVERITIES: Record<AlertSeverity, string> = {
  critical: 'Critical',
  high: 'High',
  warning: 'Warning',
  low: 'Low',
  info: 'Info',
  none: '',
};

const STATUSES: Record<AlertStatus, string> = {
  pending: 'Pending',
  accepted: 'Accepted',
  'in-progress': 'In Progress',
  completed: 'Completed',
};

/** What a message says. */
export function wordsOf({ type, isTest, data: { alert, by, note, group } }: OutgoingPayload): MessageWords {
  const severity = SEVERITIES[alert.severity];
  const headline = cutText(alert.title, SHOWN_TITLE);
  const place = [alert.customer, alert.alertType, alert.source].filter((part) => part !== null).join(' · ');
  const status =
    alert.owner === null || alert.status === 'pending'
      ? `${STATUSES[alert.status]}${alert.status === 'pending' ? ', nobody has accepted it' : ''}`
      : `${STATUSES[alert.status]}, ${alert.owner}`;
  const fields = alert.fields
    .slice(0, SHOWN_FIELDS)
    .map(({ name, value }) => ({ name, value: cutText(value, SHOWN_VALUE) }));
  const title = {
    'alert.new': severity === '' ? headline : `${severity}: ${headline}`,
    'alert.escalated': severity === '' ? headline : `Now ${severity.toLowerCase()}: ${headline}`,
    'alert.accepted': `Accepted: ${headline}`,
    'alert.completed': `Completed: ${headline}`,
    'alert.note': `Note: ${headline}`,
  }[type];
  const flapping = alert.isFlapping ? [FLAPPING] : [];
  const news = {
    'alert.new': joined([status, ...(alert.occurrences > 1 ? [`${alert.occurrences} times`] : []), ...flapping]),
    'alert.escalated': joined([status, ...flapping]),
    'alert.accepted': by === null || by === alert.owner ? status : `${status} · by ${by}`,
    'alert.completed': by === null ? 'Completed, resolved by its sender' : `Completed by ${by}`,
    'alert.note': note ? `${note.author}: ${note.text}` : status,
  }[type];
  return {
    title: titleOf(isTest, title, group),
    lines: [...(group ? [`The worst: ${title}`] : []), place, news].filter((one) => one !== ''),
    fields: type === 'alert.note' ? [] : fields,
    link: alert.link,
  };
}

/** What stands above everything: the alert, or how many there are. */
const titleOf = (isTest: boolean, title: string, group: OutgoingPayload['data']['group']): string =>
  `${isTest ? 'Test: ' : ''}${group ? group.text : title}`;

/** What the one message of a problem shows of it, whatever happened last: for chats that change messages in place. */
export function cardOf({
  isTest,
  data: { alert, by, group },
}: OutgoingPayload): MessageWords & { place: string; news: string } {
  const severity = SEVERITIES[alert.severity];
  const headline = cutText(alert.title, SHOWN_TITLE);
  const title = severity === '' ? headline : `${severity}: ${headline}`;
  const place = [alert.customer, alert.alertType, alert.source].filter((part) => part !== null).join(' · ');
  const status = STATUSES[alert.status];
  const who = {
    pending: 'nobody has accepted it',
    accepted: alert.owner,
    'in-progress': alert.owner,
    completed: by === null ? alert.owner : `by ${by}`,
  }[alert.status];
  const parts = [
    who === null ? status : `${status}, ${who}`,
    ...(alert.occurrences > 1 ? [`${alert.occurrences} times`] : []),
    ...(alert.isSnoozed ? ['snoozed'] : []),
    ...(alert.isFlapping ? [FLAPPING] : []),
  ];
  const news = joined(parts);
  return {
    title: group ? `${titleOf(isTest, title, group)}, the worst: ${title}` : titleOf(isTest, title, group),
    place,
    news,
    lines: [place, news].filter((one) => one !== ''),
    fields: alert.fields
      .slice(0, SHOWN_FIELDS)
      .map(({ name, value }) => ({ name, value: cutText(value, SHOWN_VALUE) })),
    link: alert.link,
  };
}

/** A message as plain text, one line each. */
export const plainTextOf = ({ lines, fields }: MessageWords): string =>
  [...lines, ...fields.map(({ name, value }) => `${name}: ${value}`)].join('\n');

/** The alert that a destination is tried with where there is none. */
export const SAMPLE_ALERT: SentAlert = {
  id: '00000000-0000-7000-8000-000000000000',
  version: 1,
  title: 'Disk almost full on db-7',
  customer: 'Harbor & Finch',
  alertType: 'HostOutOfDiskSpace',
  label: null,
  sourceName: 'Production monitoring',
  severity: 'critical',
  state: 'firing',
  status: 'pending',
  ownerName: null,
  occurrences: 1,
  receivedAt: 0,
  snoozedUntil: null,
  flappingSince: null,
  payload: '{"host":"db-7.harbor.example","available":"1.8 %","region":"eu-west-1"}',
  isTest: false,
};
