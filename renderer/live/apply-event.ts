import type { QueryClient } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import type { LiveEvent } from '#backend/contract/live-event.ts';
import { type KnownAlertList, knownAlertLists, readAlertList } from '#renderer/lib/alerts/alert-list.ts';
import { type AlertListChange, type AlertPages, dropAlert, findAlert } from '#renderer/lib/alerts/alert-pages.ts';
import { type AlertListPath, isInView } from '#renderer/lib/alerts/alert-view.ts';
import { changeAlertList } from '#renderer/lib/alerts/change-alert-list.ts';
import { type AlertBefore, placeAlert } from '#renderer/lib/alerts/replace-alert.ts';
import { asAccepted, mayChangeBeyond, mayLeaveBeyond } from './event-rules.ts';

/** What applying events asks of its caller. */
export interface LiveContext {
  client: QueryClient;
  /** Id of the signed-in member. */
  me: string | undefined;
  /** Whether a list was asked for after the server had greeted this connection: it misses nothing. */
  isCurrent: (path: AlertListPath) => boolean;
  /** Fetches a list again: something in it is not known here. */
  refetch: (path: AlertListPath) => void;
  /** Fetches a list again in a moment: something may belong in it, which only the server can tell. */
  refetchSoon: (path: AlertListPath) => void;
  /** Counts a list again: something happened beyond its loaded pages. */
  recount: (path: AlertListPath) => void;
  /** Somebody else accepted an alert of the inbox. */
  depart: (alertId: string, ownerName: string) => void;
  /** An alert became another, or has gone: for what hangs on alerts beside their lists. */
  changed: (before: AlertBefore, after: Alert | undefined) => void;
}

/** A list as it becomes while a batch of events is worked through. */
interface Draft extends KnownAlertList {
  pages: AlertPages | undefined;
  changes: AlertListChange[];
  isOutdated: boolean;
  isUnsure: boolean;
  isMiscounted: boolean;
}

/**
 * Applies what happened, in order, to the cached lists, each list being written once. Every event
 * may come twice, and may be older than the lists: the result is the same. A list takes only what its filter lets
 * through, in the place of its order.
 */
export function applyEvents(events: readonly LiveEvent[], context: LiveContext): void {
  const { client } = context;
  const drafts = knownAlertLists(client).map((list) => draftOf(client, list));
  for (const event of events) applyEvent(event, drafts, context);
  for (const { path, changes } of drafts) changeAlertList(client, path, ...changes);
  for (const { path, isOutdated, isUnsure, isMiscounted } of drafts) {
    if (isOutdated) context.refetch(path);
    else if (isUnsure) context.refetchSoon(path);
    else if (isMiscounted) context.recount(path);
  }
}

const draftOf = (client: QueryClient, list: KnownAlertList): Draft => ({
  ...list,
  pages: readAlertList(client, list.path),
  changes: [],
  isOutdated: false,
  isUnsure: false,
  isMiscounted: false,
});

function applyEvent(event: LiveEvent, drafts: Draft[], context: LiveContext): void {
  switch (event.type) {
    case 'hello':
      for (const draft of drafts) if (!context.isCurrent(draft.path)) draft.isOutdated = true;
      return;
    case 'new_alert':
      return become(null, event.alert, drafts, context);
    case 'alert_updated':
    case 'alert_unaccepted':
      return become(atHand(drafts, event.alert.id), event.alert, drafts, context);
    case 'alert_accepted':
      return onAccepted(event, drafts, context);
    case 'alert_deleted':
      return leave(event.alertId, drafts, context);
    case 'lists_changed':
      for (const draft of drafts) {
        const isPersonal = draft.view.list === 'mine' || draft.view.list === 'folder';
        if (event.lists.includes(draft.view.list) && (!isPersonal || event.ownerId === context.me))
          draft.isOutdated = true;
      }
      return;
    case 'notification_settings_changed':
    case 'folders_changed':
      // Of no list; whoever shows or follows them reads them anew.
      return;
    default:
      return event satisfies never;
  }
}

/** The alert has become `after`: every list takes it in or lets go of it. */
function become(before: AlertBefore, after: Alert, drafts: Draft[], { me, changed }: LiveContext): void {
  for (const draft of drafts) {
    const isBeyond = !isLoaded(draft, after.id) && mayChangeBeyond(draft, me, after);
    change(draft, placeAlert(draft.view, me, after));
    if (isInView(draft.view, me, after) === undefined && !isLoaded(draft, after.id)) draft.isUnsure = true;
    if (isBeyond) draft.isMiscounted = true;
  }
  changed(before, after);
}

/** Accepted by me, here or in another tab, the alert moves to my queue; else it just leaves the inbox. */
function onAccepted(
  event: Extract<LiveEvent, { type: 'alert_accepted' }>,
  drafts: Draft[],
  context: LiveContext,
): void {
  const { alertId, ownerId, ownerName } = event;
  if (ownerId !== context.me) context.depart(alertId, ownerName);
  const known = atHand(drafts, alertId);
  if (known) {
    become(known, asAccepted(known, ownerId, ownerName), drafts, context);
    return;
  }
  // Nowhere at hand, so that only its id is known. It may be in an answer that is on its way, and older than this.
  for (const draft of drafts) {
    const { list, status } = draft.view;
    change(draft, (pages) => {
      const found = findAlert(pages, alertId);
      return found ? placeAlert(draft.view, context.me, asAccepted(found, ownerId, ownerName))(pages) : pages;
    });
    if (list === 'inbox') takeOut(draft, alertId);
    else if (list === 'all' ? status !== undefined : ownerId === context.me) draft.isOutdated = true;
  }
}

/** The alert is no more. */
function leave(id: string, drafts: Draft[], { changed }: LiveContext): void {
  const before = atHand(drafts, id);
  for (const draft of drafts) takeOut(draft, id);
  changed(before, undefined);
}

function takeOut(draft: Draft, id: string): void {
  if (!isLoaded(draft, id) && mayLeaveBeyond(draft, id)) draft.isMiscounted = true;
  change(draft, dropAlert(id));
}

function change(draft: Draft, made: AlertListChange): void {
  draft.changes.push(made);
  draft.pages = draft.pages && made(draft.pages);
}

const isLoaded = ({ pages }: Draft, id: string): boolean => pages !== undefined && findAlert(pages, id) !== undefined;

/** The alert as some list has it: rather as somebody's own than as it waited, since that is the later state of it. */
function atHand(drafts: readonly Draft[], id: string): Alert | undefined {
  const found = drafts.flatMap(({ pages }) => (pages && findAlert(pages, id)) ?? []);
  return found.find(({ status }) => status !== 'pending') ?? found[0];
}
