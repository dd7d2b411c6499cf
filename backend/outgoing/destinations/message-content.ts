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
import { fieldsOf, shownFieldsOf } from './message-fields.ts';

const MAX_TITLE = 300;
const MAX_NOTE = 2_000;

/** What people see of a headline, in characters. */
const SHOWN_TITLE = 150;

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
  /** When it left the inbox for its owner; null where nobody has it, or that is not known. */
  acceptedAt: number | null;
  occurrences: number;
  receivedAt: number;
  /** Until when it is out of the lists; null while it is in them. */
  snoozedUntil: number | null;
  /** Since when its problem opens and closes again and again; null while it does not. */
  flappingSince: number | null;
  /** JSON. */
  payload: string;
  /** The newest, which its headline is of; null where there is no other. */
  latestPayload: string | null;
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
        acceptedAt: alert.acceptedAt === null ? null : new Date(alert.acceptedAt).toISOString(),
        occurrences: alert.occurrences,
        receivedAt: new Date(alert.receivedAt).toISOString(),
        isSnoozed: alert.snoozedUntil !== null,
        isFlapping: isFlapping(alert),
        link: publicUrl === undefined ? null : new URL(pathOfAlert(alert.id), publicUrl).href,
        fields: fieldsOf(alert.latestPayload ?? alert.payload),
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

/** What is said of a problem that flaps. */
const FLAPPING = 'flapping: it opens and closes again and again';

/** What is said of a problem that has ended at its sender. */
const RESOLVED = 'resolved by its sender';

/** What else a message says of a problem: how it is by now, beside its status. */
const moreOf = ({ state, status, isFlapping: flaps }: OutgoingPayload['data']['alert']): string[] => [
  ...(state === 'resolved' && status !== 'completed' ? [RESOLVED] : []),
  ...(flaps ? [FLAPPING] : []),
];

/** A moment for readers in any time zone: a chat does not say which theirs is. */
const SINCE = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
});

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
  const title = {
    'alert.new': severity === '' ? headline : `${severity}: ${headline}`,
    'alert.escalated': severity === '' ? headline : `Now ${severity.toLowerCase()}: ${headline}`,
    'alert.accepted': `Accepted: ${headline}`,
    'alert.completed': `Completed: ${headline}`,
    'alert.note': `Note: ${headline}`,
  }[type];
  const saysSeverity = type === 'alert.new' || type === 'alert.escalated';
  const more = moreOf(alert);
  const news = {
    'alert.new': joined([status, ...(alert.occurrences > 1 ? [`${alert.occurrences} times`] : []), ...more]),
    'alert.escalated': joined([status, ...more]),
    'alert.accepted': joined([status, ...(by === null || by === alert.owner ? [] : [`by ${by}`]), ...more]),
    'alert.completed': by === null ? `Completed, ${RESOLVED}` : `Completed by ${by}`,
    'alert.note': note ? `${note.author}: ${note.text}` : status,
  }[type];
  return {
    title: titleOf(isTest, title, group),
    lines: [...(group ? [`The worst: ${title}`] : []), place, news].filter((one) => one !== ''),
    fields: type === 'alert.note' ? [] : shownFieldsOf(alert, { headline, saysSeverity }),
    link: alert.link,
  };
}

/** What stands above everything: the alert, or how many there are. */
const titleOf = (isTest: boolean, title: string, group: OutgoingPayload['data']['group']): string =>
  `${isTest ? 'Test: ' : ''}${group ? group.text : title}`;

/** What the one message of a problem shows of it, whatever happened last: for chats that change messages in place. */
export function cardOf({
  type,
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
    // Of something else, it names who did that.
    completed: type === 'alert.completed' && by !== null ? `by ${by}` : alert.owner,
  }[alert.status];
  const isTheirs = alert.owner !== null && (alert.status === 'accepted' || alert.status === 'in-progress');
  const parts = [
    who === null ? status : `${status}, ${who}`,
    ...(isTheirs && alert.acceptedAt ? [`since ${SINCE.format(Date.parse(alert.acceptedAt))} UTC`] : []),
    ...(alert.occurrences > 1 ? [`${alert.occurrences} times`] : []),
    ...(alert.isSnoozed ? ['snoozed'] : []),
    ...moreOf(alert),
  ];
  const news = joined(parts);
  return {
    title: group ? `${titleOf(isTest, title, group)}, the worst: ${title}` : titleOf(isTest, title, group),
    place,
    news,
    lines: [place, news].filter((one) => one !== ''),
    fields: shownFieldsOf(alert, { headline, saysSeverity: true }),
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
  acceptedAt: null,
  occurrences: 1,
  receivedAt: 0,
  snoozedUntil: null,
  flappingSince: null,
  payload: '{"host":"db-7.harbor.example","available":"1.8 %","region":"eu-west-1"}',
  latestPayload: null,
  isTest: false,
};
