import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import type { AlertsChanged, LiveEvent } from '#backend/contract/live-event.ts';
import { asAssigned, asPending, asTouched, inFolder } from '#renderer/alerts/data/alert-commands.ts';
import {
  type AlertBefore,
  type KnownAlertList,
  changeAlertList,
  knownAlertLists,
  placeAlert,
  readAlertList,
} from '#renderer/alerts/data/list-cache.ts';
import {
  type AlertListChange,
  type AlertListPath,
  type AlertListView,
  type AlertPages,
  dropAlert,
  findAlert,
  hasMore,
  isInLoadedRange,
  isInView,
  passesFixedFilters,
  isPersonal,
} from '#renderer/alerts/data/list-model.ts';
import { awake, snoozed } from '#renderer/alerts/data/snooze.ts';

/** What applying events asks of its caller. */
interface LiveContext {
  client: QueryClient;
  /** Id of the signed-in member. */
  me: string | undefined;
  /** Whether a list was asked for after the server had greeted this connection: it misses nothing. */
  isCurrent: (path: AlertListPath) => boolean;
  /** Fetches a list again: something in it is not known here. */
  refetch: (path: AlertListPath) => void;
  /** Fetches a list again in a moment: something may belong in it, which only the server knows. */
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
      return applyAlert(null, event.alert, drafts, context);
    case 'alert_updated':
    case 'alert_unaccepted':
      return applyAlert(findLoaded(drafts, event.alert.id), event.alert, drafts, context);
    case 'alert_accepted':
      return applyAccepted(event, drafts, context);
    case 'alert_deleted':
      return applyDeleted(event.alertId, drafts, context);
    case 'alerts_changed':
      for (const alertId of event.alertIds) applyOfBatch(alertId, event, drafts, context);
      return;
    case 'lists_changed':
      for (const draft of drafts) {
        const { list } = draft.view;
        const isNamed = event.lists.includes(list === 'all-folders' ? 'folder' : list);
        if (isNamed && (!isPersonal(draft.view) || event.ownerId === context.me)) draft.isOutdated = true;
      }
      return;
    case 'notes_changed':
      // A search may find the alert by its notes, or no longer.
      for (const draft of drafts) if ((draft.view.search ?? draft.view.q) !== undefined) draft.isUnsure = true;
      return;
    case 'member_notified':
    case 'alerts_returned':
    case 'notification_settings_changed':
    case 'folders_changed':
    case 'profile_changed':
    case 'views_changed':
    case 'view_counted':
    case 'notice_chosen':
    case 'source_changed':
    case 'members_changed':
    case 'place':
      // Of no list; what shows them reads them again.
      return;
    default:
      return event satisfies never;
  }
}

/** The alert has become `after`: every list takes it in or lets go of it. */
function applyAlert(before: AlertBefore, after: Alert, drafts: Draft[], { me, changed }: LiveContext): void {
  for (const draft of drafts) {
    const isBeyond = !isLoaded(draft, after.id) && mayChangeBeyond(draft, me, after);
    change(draft, placeAlert(draft.view, me, after));
    if (isInView(draft.view, me, after) === undefined && !isLoaded(draft, after.id)) draft.isUnsure = true;
    if (isBeyond) draft.isMiscounted = true;
  }
  changed(before, after);
}

/** Accepted by me, here or in another tab, the alert moves to my queue; else it just leaves the inbox. */
function applyAccepted(
  event: Extract<LiveEvent, { type: 'alert_accepted' }>,
  drafts: Draft[],
  context: LiveContext,
): void {
  const { alertId, ownerId, ownerName } = event;
  if (ownerId !== context.me) context.depart(alertId, ownerName);
  const known = findLoaded(soundOf(drafts, context), alertId);
  if (known) {
    applyAlert(known, asAccepted(known, ownerId, ownerName), drafts, context);
    return;
  }
  // Not loaded anywhere, so only its id is known. It may be in an answer in flight, and older than this.
  for (const draft of drafts) {
    const { list, status } = draft.view;
    changeFound(draft, alertId, context, (found) => asAccepted(found, ownerId, ownerName));
    if (list === 'inbox' || list === 'snoozed') dropFrom(draft, alertId);
    else if (list === 'all' ? status !== undefined : ownerId === context.me) draft.isOutdated = true;
  }
}

/** A list that missed something may have an alert as it was before, and would bring that into the lists that did not. */
const soundOf = (drafts: Draft[], { client }: LiveContext): Draft[] =>
  drafts.filter(({ path, isOutdated }) => !isOutdated && client.getQueryState([path])?.isInvalidated !== true);

/** The alert is no more. */
function applyDeleted(id: string, drafts: Draft[], { changed }: LiveContext): void {
  const before = findLoaded(drafts, id);
  for (const draft of drafts) dropFrom(draft, id);
  changed(before, undefined);
}

/** One alert of a batch has changed. Of one that is not loaded only its id is known. */
function applyOfBatch(alertId: string, event: AlertsChanged, drafts: Draft[], context: LiveContext): void {
  const { change: kind, ownerId, ownerName, folderId, assignment } = event;
  if (kind === 'deleted') return applyDeleted(alertId, drafts, context);
  if (kind === 'snoozed' || kind === 'woken') return applySnooze(alertId, event, drafts, context);
  if (kind === 'accepted' && folderId === undefined && assignment === undefined && ownerId !== null) {
    return applyAccepted({ type: 'alert_accepted', alertId, ownerId, ownerName: ownerName ?? '' }, drafts, context);
  }
  if (kind === 'accepted' && ownerId !== context.me) context.depart(alertId, ownerName ?? '');
  const known = findLoaded(soundOf(drafts, context), alertId);
  if (known) return applyAlert(known, asChanged(known, event), drafts, context);
  for (const draft of drafts) {
    const { list } = draft.view;
    changeFound(draft, alertId, context, (found) => asChanged(found, event));
    const isMine = isPersonal(draft.view);
    const isLeft =
      kind === 'unaccepted' || (kind === 'assigned' && ownerId !== context.me)
        ? isMine
        : kind !== 'updated' && list === 'inbox';
    // What is given back, taken or in another status is awake; what is given to another owner stays snoozed.
    const isWoken = list === 'snoozed' && kind !== 'assigned' && (kind !== 'updated' || event.status !== undefined);
    if (isLeft || isWoken) dropFrom(draft, alertId);
    else if (list === 'snoozed') draft.isUnsure = true;
    else if (isMine ? ownerId === context.me : list === 'all' || kind === 'unaccepted') draft.isUnsure = true;
  }
}

/** One alert of a batch was snoozed, or woken by a person: it leaves the lists that it was in for others. */
function applySnooze(alertId: string, event: AlertsChanged, drafts: Draft[], context: LiveContext): void {
  const known = findLoaded(soundOf(drafts, context), alertId);
  if (known) return applyAlert(known, asChanged(known, event), drafts, context);
  const isShared = event.ownerId === null;
  for (const draft of drafts) {
    const { list } = draft.view;
    changeFound(draft, alertId, context, (found) => asChanged(found, event));
    const isConcerned =
      list === 'snoozed' || (list === 'inbox' ? isShared : list !== 'all' && event.ownerId === context.me);
    if (!isConcerned) continue;
    if ((event.change === 'snoozed') === (list === 'snoozed')) draft.isUnsure = true;
    else dropFrom(draft, alertId);
  }
}

/** The alert as a batch left it. */
export function asChanged(alert: Alert, event: AlertsChanged): Alert {
  const { change: kind, ownerId, ownerName, status, folderId, assignment, snoozedUntil } = event;
  if (kind === 'woken') return asTouched(awake(alert));
  if (kind === 'snoozed' && snoozedUntil !== undefined) return asTouched(snoozed(alert, snoozedUntil));
  if (kind === 'unaccepted') return asPending(alert);
  if (kind === 'assigned' && ownerId !== null) return asAssigned(alert, { ownerId, ownerName, assignment });
  const accepted = kind === 'accepted' && ownerId !== null ? asAccepted(alert, ownerId, ownerName ?? '') : alert;
  const given = accepted === alert || assignment === undefined ? accepted : { ...accepted, assignment };
  const changed = kind === 'updated' ? asTouched(given) : given;
  const now = status === undefined ? changed : { ...awake(changed), status };
  return folderId === undefined ? now : inFolder(now, folderId);
}

function dropFrom(draft: Draft, id: string): void {
  if (!isLoaded(draft, id) && mayLeaveBeyond(draft, id)) draft.isMiscounted = true;
  change(draft, dropAlert(id));
}

/** Changes an alert that is not loaded now, but may be in an answer in flight. */
function changeFound(draft: Draft, id: string, { me }: LiveContext, made: (found: Alert) => Alert): void {
  change(draft, (pages) => {
    const found = findAlert(pages, id);
    return found ? placeAlert(draft.view, me, made(found))(pages) : pages;
  });
}

function change(draft: Draft, made: AlertListChange): void {
  draft.changes.push(made);
  draft.pages = draft.pages && made(draft.pages);
}

const isLoaded = ({ pages }: Draft, id: string): boolean => pages !== undefined && findAlert(pages, id) !== undefined;

/** The alert as some list has it. An owned one is preferred to a pending one, since that is its later state. */
function findLoaded(drafts: readonly Draft[], id: string): Alert | undefined {
  const found = drafts.flatMap(({ pages }) => (pages && findAlert(pages, id)) ?? []);
  return found.find((alert) => !isEverybodys(alert)) ?? found[0];
}

/** A list as far as it is loaded. */
interface LoadedList {
  view: AlertListView;
  pages: AlertPages | undefined;
}

/** The alert with its new owner. One that the owner has already worked on here is left as it is. */
export function asAccepted(alert: Alert, ownerId: string, ownerName: string): Alert {
  if (!isEverybodys(alert) && alert.ownerId === ownerId) return alert;
  const { folderId: _folder, ...outside } = awake(alert);
  return { ...outside, status: 'accepted', ownerId, ownerName };
}

/**
 * Whether an alert that is not among the loaded rows may be, or have been, in the rest of the list: then only the server
 * knows how many there are. In the orders by status and severity its former place is not known; in the others it has but
 * one.
 */
function mayChangeBeyond({ view, pages }: LoadedList, me: string | undefined, alert: Alert): boolean {
  if (!pages || !hasMore(pages) || !passesFixedFilters(view, alert)) return false;
  if (isPersonal(view) && alert.ownerId !== undefined && alert.ownerId !== me) return false;
  return isMovable(view) || !isInLoadedRange(pages, view.sort, alert);
}

/** The same of an alert of which only the id is known. */
function mayLeaveBeyond({ view, pages }: LoadedList, id: string): boolean {
  if (!pages || !hasMore(pages)) return false;
  return (
    isMovable(view) || !isInLoadedRange(pages, view.sort, { id, status: 'pending', severity: 'none', state: 'event' })
  );
}

/** Whether alerts change their places in this order. */
const isMovable = ({ sort }: AlertListView): boolean => sort === 'status' || sort === 'severity';
