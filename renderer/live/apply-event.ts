import type { QueryClient } from '@tanstack/react-query';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { type AlertListPath, readAlertList } from '#renderer/lib/alerts/alert-list.ts';
import { type AlertListChange, type AlertPages, findAlert, isInLoadedRange } from '#renderer/lib/alerts/alert-pages.ts';
import { changeAlertList } from '#renderer/lib/alerts/change-alert-list.ts';
import {
  type AlertEffects,
  onAlertAccepted,
  onAlertDeleted,
  onAlertUnaccepted,
  onAlertUpdated,
  onNewAlert,
} from './alert-effects.ts';

const INBOX = '/api/alerts/inbox';
const MINE = '/api/alerts/mine';

/** What applying events asks of its caller. */
export interface LiveContext {
  client: QueryClient;
  /** Id of the signed-in member. */
  me: string | undefined;
  /** Fetches a list again: something in it is not known here. */
  refetch: (path: AlertListPath) => void;
  /** Counts a list again: something happened beyond its loaded pages. */
  recount: (path: AlertListPath) => void;
  /** Somebody else accepted an alert of the inbox. */
  depart: (alertId: string, ownerName: string) => void;
}

/** The lists as they become while a batch of events is worked through. */
interface Draft {
  pages: AlertPages | undefined;
  changes: AlertListChange[];
}

/**
 * Applies what happened, in order, to the cached lists (spec.md section 4), each list being written once. Every event
 * may come twice, and may be older than the lists: the result is the same.
 */
export function applyEvents(events: readonly LiveEvent[], context: LiveContext): void {
  const inbox: Draft = { pages: readAlertList(context.client, INBOX), changes: [] };
  const mine: Draft = { pages: readAlertList(context.client, MINE), changes: [] };
  const outdated = new Set<AlertListPath>();
  const miscounted = new Set<AlertListPath>();

  for (const event of events) {
    if (event.type === 'hello') {
      outdated.add(INBOX).add(MINE);
      continue;
    }
    const effects = effectsOf(event, context.me, inbox.pages, mine.pages);
    if (effects.acceptedBy !== undefined && effects.alertId !== undefined)
      context.depart(effects.alertId, effects.acceptedBy);
    if (effects.mineIsMissingAlert) outdated.add(MINE);
    if (change(inbox, effects.inbox, effects.alertId)) miscounted.add(INBOX);
    if (change(mine, effects.mine, effects.alertId)) miscounted.add(MINE);
  }

  changeAlertList(context.client, INBOX, ...inbox.changes);
  changeAlertList(context.client, MINE, ...mine.changes);
  for (const path of outdated) context.refetch(path);
  for (const path of miscounted) if (!outdated.has(path)) context.recount(path);
}

function effectsOf(
  event: Exclude<LiveEvent, { type: 'hello' }>,
  me: string | undefined,
  inbox: AlertPages | undefined,
  mine: AlertPages | undefined,
): AlertEffects {
  switch (event.type) {
    case 'new_alert':
      return onNewAlert(event);
    case 'alert_accepted':
      return onAlertAccepted(event, me, {
        inInbox: inbox && findAlert(inbox, event.alertId),
        inMine: mine && findAlert(mine, event.alertId),
      });
    case 'alert_unaccepted':
      return onAlertUnaccepted(event);
    case 'alert_updated':
      return onAlertUpdated(event, me);
    case 'alert_deleted':
      return onAlertDeleted(event);
    default:
      return event satisfies never;
  }
}

/** Notes a change and makes it in the draft. True when it concerns an alert beyond the loaded pages. */
function change(draft: Draft, made: AlertListChange | undefined, alertId: string | undefined): boolean {
  if (!made || alertId === undefined) return false;
  draft.changes.push(made);
  if (!draft.pages) return false;
  draft.pages = made(draft.pages);
  return !isInLoadedRange(draft.pages, alertId);
}
