import type { SenderApiKind } from '#backend/contract/silence.ts';
import { alertmanager } from './alertmanager.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import type { SenderKind } from './sender-kind.ts';
import { sentry } from './sentry.ts';
import { zabbix } from './zabbix.ts';

/** Kinds of senders that can silence an alert. */
export const SENDER_KINDS: Readonly<Record<SenderApiKind, SenderKind>> = {
  alertmanager,
  zabbix,
  pagerduty,
  sentry,
  opsgenie,
};
