import { isEverybodys } from '#backend/contract/alert-place.ts';
import type { QueryClient } from '@tanstack/react-query';
import type { AlertsChanged, LiveEvent } from '#backend/contract/live-event.ts';
import { asAccepted, asChanged } from '#renderer/alerts/data/alert-changes.ts';
import type { AlertStore } from '#renderer/alerts/data/alert-store.ts';
import {
  type KnownAlertList,
  alertStoreOf,
  knownAlertLists,
  mayHaveBeyond,
  recountAlertList,
  refetchAlertList,
  refetchUnsure,
} from '#renderer/alerts/data/list-cache.ts';
import { setLookers } from '#renderer/alerts/data/looking.ts';
import { type AlertListPath, isPersonal } from '#renderer/alerts/data/list-view.ts';

/** What applying events asks of its caller. */
export interface LiveContext {
  client: QueryClient;
  /** Id of the signed-in member. */
  me: string | undefined;
  /** Whether a list was asked for after the server had greeted this connection: it misses nothing. */
  isCurrent: (path: AlertListPath) => boolean;
  /** Somebody else accepted an alert of the inbox; `null`: it is there again. */
  depart: (alertId: string, ownerName: string | null) => void;
}

/** A list, and what of it is not known here after some events. */
interface CheckedList extends KnownAlertList {
  isOutdated: boolean;
  isUnsure: boolean;
  isMiscounted: boolean;
}

interface Applying extends LiveContext {
  store: AlertStore;
  lists: CheckedList[];
}

/** Makes a queue whose events are applied with the next frame, and `applied` called with them then. */
export const createEventQueue = (
  context: LiveContext,
  applied: (events: readonly LiveEvent[]) => void,
): FrameQueue<LiveEvent> =>
  createFrameQueue((events) => {
    applyEvents(events, context);
    applied(events);
  });

/**
 * Applies what happened, in order, to the store, from which the lists follow, each being written once. Every event may come
 * twice, and may be older than what is known: the result is the same. What only the server knows is asked for.
 */
export function applyEvents(events: readonly LiveEvent[], context: LiveContext): void {
  const { client } = context;
  const store = alertStoreOf(client);
  const lists = knownAlertLists(client).map(({ path, view }) => ({
    path,
    view,
    isOutdated: false,
    isUnsure: false,
    isMiscounted: false,
  }));
  store.batch(() => {
    for (const event of events) applyEvent(event, { ...context, store, lists });
  });
  for (const { path, isOutdated, isUnsure, isMiscounted } of lists) {
    if (isOutdated) refetchAlertList(client, path);
    else if (isUnsure) refetchUnsure(client, path);
    else if (isMiscounted) recountAlertList(client, path);
  }
}

function applyEvent(event: LiveEvent, applying: Applying): void {
  const { store, lists, me } = applying;
  switch (event.type) {
    case 'hello':
      store.overtake();
      for (const list of lists) if (!applying.isCurrent(list.path)) list.isOutdated = true;
      return;
    case 'new_alert':
      store.learn(event.alert, true);
      return;
    case 'alert_updated':
    case 'alert_unaccepted':
      if (store.learn(event.alert) && isEverybodys(event.alert)) applying.depart(event.alert.id, null);
      return;
    case 'alert_accepted': {
      const { alertId, ownerId, ownerName, version } = event;
      return applyAccepted(alertId, version, { ownerId, ownerName }, applying);
    }
    case 'alert_deleted':
      return applyDeleted(event.alertId, applying);
    case 'alerts_changed':
      for (const [at, alertId] of event.alertIds.entries())
        applyOfBatch(alertId, event.versions?.[at], event, applying);
      return;
    case 'lists_changed':
      for (const list of lists) {
        const name = list.view.list === 'all-folders' ? 'folder' : list.view.list;
        const isMine = !isPersonal(list.view) || event.ownerId === me;
        if (isMine && event.lists.includes(name)) list.isOutdated = true;
      }
      return;
    case 'notes_changed':
      // A search may find the alert by its notes, or no longer.
      for (const list of lists) if ((list.view.search ?? list.view.q) !== undefined) list.isUnsure = true;
      return;
    case 'looking_changed':
      setLookers(
        event.alertId,
        event.people.filter(({ id }) => id !== me),
      );
      return;
    case 'ladder_changed':
    case 'member_notified':
    case 'notices_changed':
    case 'alerts_returned':
    case 'notification_settings_changed':
    case 'folders_changed':
    case 'profile_changed':
    case 'views_changed':
    case 'view_counted':
    case 'notice_chosen':
    case 'source_changed':
    case 'members_changed':
    case 'outgoing_changed':
    case 'rules_changed':
    case 'maintenance_changed':
    case 'heartbeats_changed':
    case 'place':
      // Of no list; what shows them reads them again.
      return;
    default:
      return event satisfies never;
  }
}

interface Owner {
  ownerId: string;
  ownerName: string;
}

/** Accepted by me, here or in another tab, the alert moves to my queue; else it just leaves the inbox. */
function applyAccepted(alertId: string, version: number | undefined, owner: Owner, applying: Applying): void {
  const { store, lists, client, me } = applying;
  const { ownerId, ownerName } = owner;
  const met = store.change(alertId, version, (alert) => asAccepted(alert, ownerId, ownerName));
  if (met === 'late') return;
  if (ownerId !== me) applying.depart(alertId, ownerName);
  if (met === 'known') return;
  // Only its id is known, or something of it was missed.
  for (const list of lists) {
    const { list: name, status } = list.view;
    if (name === 'inbox' || name === 'snoozed') list.isMiscounted ||= mayHaveBeyond(client, list, alertId);
    else if (name === 'all' ? status !== undefined : ownerId === me) list.isOutdated = true;
  }
}

/** The alert is no more. */
function applyDeleted(alertId: string, { store, lists, client }: Applying): void {
  const known = store.remove(alertId);
  if (known) return;
  for (const list of lists) list.isMiscounted ||= mayHaveBeyond(client, list, alertId);
}

/** One alert of a batch has changed. Of one that is not loaded only its id is known. */
function applyOfBatch(alertId: string, version: number | undefined, event: AlertsChanged, applying: Applying): void {
  const { change: kind, ownerId, ownerName, folderId, assignment, status } = event;
  if (kind === 'deleted') return applyDeleted(alertId, applying);
  const isPlain = folderId === undefined && assignment === undefined && status === undefined;
  if (kind === 'accepted' && isPlain && ownerId !== null) {
    return applyAccepted(alertId, version, { ownerId, ownerName: ownerName ?? '' }, applying);
  }
  const { store, lists, client, me } = applying;
  const met = store.change(alertId, version, (alert) => asChanged(alert, event));
  if (met === 'late') return;
  if (kind === 'accepted' && ownerId !== me) applying.depart(alertId, ownerName ?? '');
  if (kind === 'unaccepted') applying.depart(alertId, null);
  if (met === 'known') return;
  for (const list of lists) {
    const fate = fateInList(list, event, me);
    if (fate === 'leaves') list.isMiscounted ||= mayHaveBeyond(client, list, alertId);
    else if (fate === 'unsure') list.isUnsure = true;
  }
}

/** What a change of an alert that is not known means for a list: it may have left it, or may be in it now, or neither. */
function fateInList({ view }: CheckedList, event: AlertsChanged, me: string | undefined): 'leaves' | 'unsure' | 'none' {
  const { change: kind, ownerId } = event;
  const { list } = view;
  const isMine = isPersonal(view);
  if (kind === 'snoozed' || kind === 'woken') {
    const isConcerned = list === 'snoozed' || (list === 'inbox' ? ownerId === null : list !== 'all' && ownerId === me);
    if (!isConcerned) return 'none';
    return (kind === 'snoozed') === (list === 'snoozed') ? 'unsure' : 'leaves';
  }
  const isLeft =
    kind === 'unaccepted' || (kind === 'assigned' && ownerId !== me) ? isMine : kind !== 'updated' && list === 'inbox';
  // What is given back, taken or in another status is awake; what is given to another owner stays snoozed.
  const isWoken = list === 'snoozed' && kind !== 'assigned' && (kind !== 'updated' || event.status !== undefined);
  if (isLeft || isWoken) return 'leaves';
  if (list === 'snoozed') return 'unsure';
  return (isMine ? ownerId === me : list === 'all' || kind === 'unaccepted') ? 'unsure' : 'none';
}

/** Longest wait for a frame, in milliseconds. A hidden tab gets no frames at all. */
const FRAME_FALLBACK_MS = 200;

/** Collects items and hands them over once per animation frame, in order. */
interface FrameQueue<Item> {
  push(items: readonly Item[]): void;
  /** Calls back once what is pending was handed over, at once when nothing is. */
  afterFlush(work: () => void): void;
  /** Drops what is pending and takes no more. */
  close(): void;
}

/** Makes a queue that calls `flush` with all that came since the last frame, so that a burst draws once. */
export function createFrameQueue<Item>(flush: (items: Item[]) => void): FrameQueue<Item> {
  let pending: Item[] = [];
  let callbacks: (() => void)[] = [];
  let frame: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let closed = false;

  const stop = (): void => {
    if (frame !== undefined) cancelAnimationFrame(frame);
    clearTimeout(timer);
    frame = undefined;
    timer = undefined;
  };
  const run = (): void => {
    stop();
    const items = pending;
    pending = [];
    if (items.length > 0) flush(items);
    for (const work of callbacks.splice(0)) work();
  };
  return {
    afterFlush(work) {
      if (pending.length === 0) work();
      else callbacks.push(work);
    },
    push(items) {
      if (closed || items.length === 0) return;
      pending.push(...items);
      if (timer !== undefined) return;
      timer = setTimeout(run, FRAME_FALLBACK_MS);
      frame = requestAnimationFrame(run);
    },
    close() {
      closed = true;
      pending = [];
      callbacks = [];
      stop();
    },
  };
}
