import type { Database } from '#backend/platform/database/database.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { setTimeout as wait } from 'node:timers/promises';
import { narrowList } from '#backend/alerts/lists/narrow-list.ts';
import { namesTimes, tokensOf } from '#backend/contract/search.ts';
import { completionOfView } from '#backend/contract/view-completion.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import type { DomainEvent, EventBus } from '#backend/platform/live/event-bus.ts';
import { type CountedList, createCountedList } from './counted-list.ts';
import { createStretches } from './stretches.ts';
import { type StoredView, ViewEntity, isShared, listOf } from './view.ts';

/** How many alerts are in views, for those who are there to see it. */
export interface ViewCounts {
  /** The number for somebody, kept current from now on and published when it changes; null until it was counted. */
  countOf(view: StoredView, actor: Viewer, timeZone: string): number | null;
  /** Ends the work. */
  stop(): Promise<void>;
}

type Viewer = Pick<Actor, 'id' | 'displayName' | 'email'>;

/** One number: of a view, for everybody or for one person, in a time zone where that matters. */
interface Counted {
  view: StoredView;
  viewer: Viewer;
  /** Null when it is the same for everybody. */
  userId: string | null;
  /** Null when the search names no times. */
  timeZone: string | null;
  list: CountedList;
  alerts: number | null;
  /** Up to which change the number holds. */
  at: number;
  /** The last attempt failed; another one follows when it is looked at again. */
  hasFailed: boolean;
  /** How long counting took last, in milliseconds. */
  tookMs: number;
  askedAt: number;
  /** Ids of those who asked for it. */
  viewers: Set<string>;
  /** When one of them was there last. */
  seenAt: number;
}

/** How often counts are checked for times and names that have come to mean something else, in milliseconds. */
const RECHECK_MS = 15_000;

/** A number that nobody was there for in so many milliseconds is not kept. */
const FORGET_MS = 60_000;

/** How long it rests between two rounds, in milliseconds: what happens meanwhile is counted together. */
const GATHER_MS = 200;

/**
 * Steps take so many milliseconds together before there is a rest of three times as many, up to a limit: where the database
 * is slow, waiting for it is most of what a step takes.
 */
const WORK_MS = 5;
const REST_FACTOR = 3;
const MAX_REST_MS = 50;

/** Numbers that are kept at most; those that were asked for longest ago go first. */
const MAX_COUNTED_VIEWS = 5_000;

/**
 * Counts beside everything else: nothing is written, and ingest only notes the change. Views whose numbers are sums of
 * counters are sums; the others are counted in stretches (docs/decisions/0041-views.md).
 *
 * @param onlineMembers ids of the members with a connected page, to this server or another one
 */
export function createViewCounts(
  context: { database: Database; search: SearchIndex; events: EventBus; logger: Logger },
  onlineMembers: () => ReadonlySet<string>,
  alertsEach?: number,
): ViewCounts {
  const { database, events, logger } = context;
  const stretches = createStretches(database, alertsEach);
  const all = new Map<string, Counted>();
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = new Map<boolean, Promise<void>>();

  const restUnlessQuick = (): (() => Promise<void>) => {
    let began = performance.now();
    return async () => {
      const took = performance.now() - began;
      if (took >= WORK_MS) await wait(Math.min(MAX_REST_MS, took * REST_FACTOR), undefined, { signal, ref: false });
      signal.throwIfAborted();
      if (took >= WORK_MS) began = performance.now();
    };
  };

  const count = async (key: string, one: Counted, rest: () => Promise<void>): Promise<void> => {
    const { view, viewer, userId, timeZone } = one;
    const at = stretches.time;
    const { search } = view;
    const narrowed = await narrowList(database, viewer, listOf(view.list, viewer), {
      ...(search !== '' && { search }),
      timeZone: timeZone ?? 'UTC',
      completion: completionOfView(view.list, search),
    });
    const began = performance.now();
    const alerts = await one.list.count(narrowed, rest);
    one.tookMs = performance.now() - began;
    one.at = at;
    if (alerts === one.alerts || all.get(key) !== one) return;
    one.alerts = alerts;
    events.publish({ type: 'view_counted', viewId: view.id, alerts, timeZone, userId, list: view.list });
  };

  const isDue =
    (areNew: boolean) =>
    ({ hasFailed, alerts, at }: Counted): boolean =>
      !hasFailed && (areNew ? alerts === null : alerts !== null && at < stretches.time);

  const fail = (one: Counted, error: unknown): void => {
    if (signal.aborted) return;
    one.hasFailed = true;
    logger.error({ err: error }, 'the alerts of a view could not be counted; the next attempt follows');
  };

  /** New views may take long, so those that have a number do not wait for them. */
  const work = async (areNew: boolean): Promise<void> => {
    const rest = restUnlessQuick();
    for (;;) {
      // The quick ones do not wait for the slow ones.
      const due = [...all]
        .filter(([, one]) => isDue(areNew)(one))
        .toSorted(([, one], [, other]) => one.tookMs - other.tookMs);
      if (due.length === 0) return;
      for (const [key, one] of due) {
        if (all.get(key) === one) await count(key, one, rest).catch((error: unknown) => fail(one, error));
        await rest();
      }
      if (!areNew) await wait(GATHER_MS, undefined, { signal, ref: false });
    }
  };

  const start = (areNew: boolean): void => {
    if (signal.aborted || running.has(areNew)) return;
    const done = wait(areNew ? 0 : GATHER_MS / 4, undefined, { signal, ref: false })
      .then(() => work(areNew))
      // Only the end of the server breaks it off.
      .catch(() => undefined)
      .finally(() => {
        running.delete(areNew);
        // What was asked for at its very end.
        if ([...all.values()].some(isDue(areNew))) start(areNew);
      });
    running.set(areNew, done);
  };
  const startUpdates = (): void => {
    if (all.size > 0) start(false);
  };

  /** Views that were changed or deleted are not counted any more; their successors are once somebody asks. */
  const dropChanged = async (): Promise<void> => {
    const before = [...all];
    const views = await database.reads.getRepository(ViewEntity).find({ select: { id: true, version: true } });
    const versions = new Map(views.map(({ id, version }) => [id, version]));
    for (const [key, { view }] of before) if (versions.get(view.id) !== view.version) all.delete(key);
  };

  const readViews = (): void =>
    void dropChanged().catch((error: unknown) => logger.error({ err: error }, 'the views could not be read'));

  const onEvent = (event: DomainEvent): void => {
    switch (event.type) {
      case 'new_alert':
        stretches.add(event.alert.id);
        return startUpdates();
      case 'alert_updated':
      case 'alert_unaccepted':
        stretches.touch(event.alert.id);
        return startUpdates();
      case 'alert_accepted':
      case 'alert_deleted':
      // Searches find alerts by their notes, too.
      case 'notes_changed':
        stretches.touch(event.alertId);
        return startUpdates();
      case 'alerts_changed':
        for (const id of event.alertIds) stretches.touch(id);
        return startUpdates();
      case 'lists_changed':
        for (const one of all.values()) if (concerns(one, event.ownerId)) one.list.forget();
        stretches.pass();
        return startUpdates();
      case 'folders_changed':
        for (const one of all.values()) if (one.userId === event.userId) one.at = -1;
        return startUpdates();
      case 'views_changed':
        return readViews();
      case 'resync':
        for (const one of all.values()) one.list.forget();
        stretches.pass();
        readViews();
        return startUpdates();
      default:
      // Changes no alert.
    }
  };
  const unsubscribe = events.subscribe(onEvent);

  /** A view that is the same to everybody has one number, which is kept; others have one for each person or time zone. */
  const isNeeded = (one: Counted, online: ReadonlySet<string>): boolean => {
    const now = Date.now();
    if (!one.viewers.isDisjointFrom(online)) one.seenAt = now;
    return (one.userId === null && one.timeZone === null) || Math.abs(now - one.seenAt) < FORGET_MS;
  };

  const look = setInterval(() => {
    const online = onlineMembers();
    for (const [key, one] of all) {
      if (!isNeeded(one, online)) all.delete(key);
      else if (one.hasFailed || isMoving(one.view.search)) one.at = -1;
      one.hasFailed = false;
    }
    if (all.size > 0) start(true);
    startUpdates();
  }, RECHECK_MS);
  look.unref();

  return {
    countOf(view, viewer, timeZone) {
      const userId = isForEverybody(view) ? null : viewer.id;
      const zone = namesTimes(view.search) ? timeZone : null;
      const key = JSON.stringify([view.id, view.version, userId, zone]);
      const known = all.get(key);
      if (known) {
        known.askedAt = known.seenAt = Date.now();
        known.viewers.add(viewer.id);
        return known.alerts;
      }
      if (all.size >= MAX_COUNTED_VIEWS) {
        const [oldest] = [...all].toSorted(([, one], [, other]) => one.askedAt - other.askedAt);
        if (oldest) all.delete(oldest[0]);
      }
      const list = createCountedList(context, stretches);
      const askedAt = Date.now();
      all.set(key, {
        view,
        viewer,
        userId,
        timeZone: zone,
        list,
        alerts: null,
        at: -1,
        hasFailed: false,
        tookMs: 0,
        askedAt,
        viewers: new Set([viewer.id]),
        seenAt: askedAt,
      });
      start(true);
      return null;
    },
    async stop() {
      stopping.abort();
      clearInterval(look);
      unsubscribe();
      await Promise.all(running.values());
    },
  };
}

/** Whether a view may hold alerts of this owner; null stands for those of everybody. */
const concerns = ({ userId, view }: Counted, ownerId: string | null): boolean =>
  ownerId === null || view.list === 'all' || userId === ownerId;

const keysIn = (search: string): Set<string | undefined> => new Set(tokensOf(search).map(({ key }) => key));

/** Whether the number is the same for everybody who sees the view. */
const isForEverybody = (view: StoredView): boolean =>
  isShared(view) && view.list !== 'mine' && !keysIn(view.search).has('owner') && !keysIn(view.search).has('folder');

/** Whether what the search means may change while no alert does: times pass, and names are given to others. */
function isMoving(search: string): boolean {
  const keys = keysIn(search);
  return ['from', 'to', 'customer', 'type', 'source', 'label', 'owner', 'folder'].some((key) => keys.has(key));
}
