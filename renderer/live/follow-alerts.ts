import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { ALERT_KEY, alertKey, isRead } from '#renderer/alerts/data/alert-details.ts';
import { snoozedCountsQuery, statsQuery } from '#renderer/alerts/data/alert-queries.ts';
import { refetchWhenShown } from '#renderer/lib/query-freshness.ts';

/** Keeps what is read of alerts beside their lists current: open ones, how many are snoozed, and the numbers of all. */
export function followAlertReads(client: QueryClient, events: readonly LiveEvent[]): void {
  followAlerts(client, events);
  followSnoozed(client, events);
  followStats(client, events);
}

/** Reads again what only the server knows of the alerts that are open by themselves, after something happened to them. */
function followAlerts(client: QueryClient, events: readonly LiveEvent[]): void {
  for (const event of events) {
    if (event.type === 'hello' || event.type === 'lists_changed') refetchWhenShown(client, [ALERT_KEY]);
    if (event.type === 'ladder_changed' || event.type === 'hello') {
      for (const key of ['receipts', 'ladders']) {
        refetchWhenShown(client, event.type === 'hello' ? [key] : [key, event.alertId]);
      }
    }
    for (const id of changedIn(event)) {
      if (isRead(client, id)) refetchWhenShown(client, alertKey(id));
    }
  }
}

/** The ids of the alerts that are others now. */
function changedIn(event: LiveEvent): readonly string[] {
  switch (event.type) {
    case 'new_alert':
    case 'alert_updated':
    case 'alert_unaccepted':
      return [event.alert.id];
    case 'alert_accepted':
    case 'notes_changed':
      return [event.alertId];
    case 'alerts_changed':
      return event.change === 'deleted' ? [] : event.alertIds;
    default:
      return [];
  }
}

/** Has the snoozed alerts counted again when an event may have changed their number. */
function followSnoozed(client: QueryClient, events: readonly LiveEvent[]): void {
  const { inbox, own } = client.getQueryData(snoozedCountsQuery.queryKey) ?? { inbox: 0, own: 0 };
  const isAny = inbox + own > 0;
  if (events.some((event) => snoozes(event) || (isAny && mayWake(event)))) {
    refetchWhenShown(client, snoozedCountsQuery.queryKey);
  }
}

/** Whether more may be snoozed since. */
function snoozes(event: LiveEvent): boolean {
  switch (event.type) {
    case 'hello':
    case 'lists_changed':
      return true;
    case 'alert_updated':
      return event.alert.snoozedUntil !== undefined && event.reason === undefined;
    case 'alert_unaccepted':
      return event.alert.snoozedUntil !== undefined;
    case 'alerts_changed':
      return event.change === 'snoozed' || event.change === 'assigned' || event.change === 'unaccepted';
    default:
      return false;
  }
}

/** Whether an alert that was snoozed may be so no more: most events of a storm are none of these. */
const mayWake = (event: LiveEvent): boolean =>
  event.type === 'alert_accepted' ||
  event.type === 'alert_deleted' ||
  event.type === 'alert_unaccepted' ||
  event.type === 'alerts_changed' ||
  (event.type === 'alert_updated' && event.reason !== 'repeated' && event.reason !== 'acknowledged');

/** In a storm of new alerts the numbers of System-Wide Alerts are compared with the server's this often, in milliseconds. */
const COMPARED_MS = 10_000;

/** Counts new alerts in the numbers of System-Wide Alerts, and has what else changes them read again. */
function followStats(client: QueryClient, events: readonly LiveEvent[]): void {
  const added = events.filter(({ type }) => type === 'new_alert').length;
  if (added > 0) {
    client.setQueryData(
      statsQuery.queryKey,
      (stats) => stats && { ...stats, total: stats.total + added, pending: stats.pending + added },
    );
    refetchWhenShown(client, statsQuery.queryKey, COMPARED_MS);
  }
  if (events.some(mayChangeStats)) refetchWhenShown(client, statsQuery.queryKey);
}

const OF_STATS: ReadonlySet<LiveEvent['type']> = new Set<LiveEvent['type']>([
  'hello',
  'alert_accepted',
  'alert_unaccepted',
  'alert_updated',
  'alert_deleted',
  'alerts_changed',
  'alerts_returned',
  'lists_changed',
]);

/** Whether alerts may have another status since, or be gone: a repeat changes neither. */
const mayChangeStats = (event: LiveEvent): boolean =>
  OF_STATS.has(event.type) && !(event.type === 'alert_updated' && event.reason === 'repeated');
