import type { SenderApiKind } from '#backend/contract/silence.ts';
import { OPSGENIE_ALERT, OPSGENIE_KEY, type OpsgenieSender, startOpsgenieSender } from './opsgenie-sender.ts';
import {
  PAGERDUTY_FROM,
  PAGERDUTY_INCIDENT,
  PAGERDUTY_KEY,
  type PagerdutySender,
  startPagerdutySender,
} from './pagerduty-sender.ts';
import {
  SENTRY_ISSUE,
  SENTRY_ORGANIZATION,
  SENTRY_TOKEN,
  type SentrySender,
  startSentrySender,
} from './sentry-sender.ts';
import type { VendorDouble } from './vendor-double.ts';
import { ZABBIX_EVENT, ZABBIX_TOKEN, type ZabbixSender, startZabbixSender } from './zabbix-sender.ts';

const MINUTE = 60_000;

/** What a test does with any vendor. */
export interface Vendor<Double extends VendorDouble> {
  kind: SenderApiKind;
  start: () => Promise<Double>;
  user: string;
  secret: string;
  payload: object;
  /** Requests by which it is made. */
  steps: number;
  unknown: object;
  /** Until when it is quiet, in milliseconds; undefined where it is not. */
  quietUntil(double: Double): number | undefined;
  comments(double: Double): string[];
  /** Somebody there makes it quiet, or ends that. */
  holdThere(double: Double): void;
  endThere(double: Double): void;
  /** The time of quiet is over, or nearly. */
  moveEnd(double: Double, endsAt: number): void;
  resolveThere(double: Double): void;
  forbid(double: Double): void;
  forbidden: RegExp;
  wrongSecret: string;
}

export const ZABBIX: Vendor<ZabbixSender> = {
  kind: 'zabbix',
  start: () => startZabbixSender(),
  user: '',
  secret: ZABBIX_TOKEN,
  payload: { trigger: 'Disk full', link: `https://z.example/tr_events.php?triggerid=1&eventid=${ZABBIX_EVENT}` },
  steps: 1,
  unknown: { trigger: 'Disk full', eventid: '999' },
  quietUntil: (double) => double.suppressedUntil(),
  comments: (double) => double.acknowledges.map(({ message }) => message).filter((message) => message !== ''),
  holdThere: (double) => double.byHand(32),
  endThere: (double) => double.byHand(64),
  moveEnd: (double, endsAt) => {
    const last = double.acknowledges.at(-1);
    if (last) last.suppress_until = String(Math.round(endsAt / 1000));
  },
  resolveThere: (double) => void (double.recoveryId = '10600'),
  forbid: (double) => void (double.mayNot = 'suppress'),
  forbidden: /^403: The role of the token’s user must allow/,
  wrongSecret: '401: The API token is wrong, disabled, or has expired.',
};

export const PAGERDUTY: Vendor<PagerdutySender> = {
  kind: 'pagerduty',
  start: startPagerdutySender,
  user: PAGERDUTY_FROM,
  secret: PAGERDUTY_KEY,
  payload: { event: { event_type: 'incident.triggered', data: { id: PAGERDUTY_INCIDENT, type: 'incident' } } },
  steps: 3,
  unknown: { event: { data: { id: 'PNOTE', type: 'incident_note', incident: { id: 'POTHER' } } } },
  quietUntil: (double) =>
    double.status === 'acknowledged' && (double.unacknowledgeAt ?? 0) > Date.now() + 2_000
      ? double.unacknowledgeAt
      : undefined,
  comments: (double) => double.notes,
  holdThere: (double) => double.acknowledgeByHand(),
  endThere: (double) => Object.assign(double, { status: 'triggered', unacknowledgeAt: undefined }),
  moveEnd: (double, endsAt) => void (double.unacknowledgeAt = endsAt),
  resolveThere: (double) => Object.assign(double, { status: 'resolved', unacknowledgeAt: undefined }),
  forbid: (double) => void (double.isReadOnly = true),
  forbidden: /^403: This API key may not change incidents/,
  wrongSecret: '401: The API key is wrong or was deleted.',
};

export const SENTRY: Vendor<SentrySender> = {
  kind: 'sentry',
  start: startSentrySender,
  user: SENTRY_ORGANIZATION,
  secret: SENTRY_TOKEN,
  payload: { action: 'created', data: { issue: { id: SENTRY_ISSUE } } },
  steps: 2,
  unknown: { action: 'triggered', data: { event: { issue_id: '777' } } },
  quietUntil: (double) => (double.status === 'ignored' ? double.ignoreUntil : undefined),
  comments: (double) => double.comments,
  holdThere: (double) => Object.assign(double, { status: 'ignored', ignoreUntil: undefined }),
  endThere: (double) => Object.assign(double, { status: 'unresolved', ignoreUntil: undefined }),
  moveEnd: (double, endsAt) => void (double.ignoreUntil = endsAt),
  resolveThere: (double) => void (double.status = 'resolved'),
  forbid: (double) => void (double.isReadOnly = true),
  forbidden: /^403: The token lacks the scope event:write/,
  wrongSecret: '401: The token is wrong or was revoked.',
};

export const OPSGENIE: Vendor<OpsgenieSender> = {
  kind: 'opsgenie',
  start: startOpsgenieSender,
  user: '',
  secret: OPSGENIE_KEY,
  payload: { action: 'Create', alert: { alertId: OPSGENIE_ALERT } },
  steps: 2,
  unknown: { action: 'Create', alert: { alertId: 'none' } },
  quietUntil: (double) => (double.isAcknowledged ? double.snoozedUntil : undefined),
  comments: (double) => double.notes,
  holdThere: (double) => Object.assign(double, { isAcknowledged: true, snoozedUntil: Date.now() + 24 * 60 * MINUTE }),
  endThere: (double) => Object.assign(double, { isAcknowledged: false, snoozedUntil: undefined }),
  moveEnd: (double, endsAt) => void (double.snoozedUntil = endsAt),
  resolveThere: (double) => void (double.isClosed = true),
  forbid: (double) => void (double.isReadOnly = true),
  forbidden: /^403: The API key needs the rights/,
  wrongSecret: '401: The API key is wrong, or its integration is turned off. European accounts have another address.',
};
