import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { setImmediate } from 'node:timers';
import { narrowList } from '#backend/alerts/lists/narrow-list.ts';
import { type User, UserEntity } from '#backend/identity/users/user.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import { isNewsOf } from '#backend/contract/live-event.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';
import type { DomainEvent, PublishedAlert, EventBus } from '#backend/platform/live/event-bus.ts';
import { type Choice, createChoiceIndex } from './choice-index.ts';
import { type StoredView, type StoredViewNotice, ViewEntity, ViewNoticeEntity, canSeeView, listOf } from './view.ts';

/** What members chose for the alerts of views, decided for each alert soon after it was published. */
export interface ViewNotices {
  /** Gives who chose what for views that an alert is in, by the member's id. It is decided when it is first asked for, or a moment later. */
  choicesFor(alert: PublishedAlert): () => ReadonlyMap<string, NoticeLevel>;
  /** `notice_chosen` for each member who chose something for the alert of an event that notifies: pages receive it first. */
  eventsBefore(event: DomainEvent): readonly DomainEvent[];
  /** Resolves once what was committed before holds, or cannot be read: then a later look reads it. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/** How often names, times and roles are read again, in milliseconds. */
const RELOAD_MS = 15_000;

/** Deciding for alerts that nobody has asked about rests after so many milliseconds. */
const WORK_MS = 5;

type Decided = () => ReadonlyMap<string, NoticeLevel>;

const NOBODY: ReadonlyMap<string, NoticeLevel> = new Map();
const NOBODY_CHOSE: Decided = () => NOBODY;

/**
 * Keeps every choice compiled, because an alert's event cannot wait for the database. Nothing is decided while an event is
 * published: that is before the sender of the alert is answered.
 */
export async function openViewNotices({
  database,
  events,
  logger,
}: {
  database: Database;
  events: EventBus;
  logger: Logger;
}): Promise<ViewNotices> {
  let decide: ReturnType<typeof createChoiceIndex> | undefined;
  let loading: Promise<void> = Promise.resolve();
  let next: Promise<void> | undefined;
  const decided = new WeakMap<PublishedAlert, Decided>();
  const undecided = new Set<Decided>();
  let timer: NodeJS.Immediate | undefined;

  const load = async (): Promise<void> => {
    next = undefined;
    const { reads } = database;
    const notices = await reads.getRepository(ViewNoticeEntity).find();
    const choices: Choice[] = [];
    if (notices.length > 0) {
      const views = new Map((await reads.getRepository(ViewEntity).find()).map((view) => [view.id, view]));
      const members = await reads.getRepository(UserEntity).findBy({ isActive: true });
      const membersById = new Map(members.map((member) => [member.id, member]));
      for (const notice of notices) {
        const [view, member] = [views.get(notice.viewId), membersById.get(notice.userId)];
        if (view && member && canSeeView(member, view))
          choices.push(...(await choiceOf({ database, logger }, notice, view, member)));
      }
    }
    decide = choices.length === 0 ? undefined : createChoiceIndex(choices);
  };
  /** One that has not begun serves everybody who asks meanwhile. */
  const reload = (): Promise<void> => {
    next ??= loading = loading.then(load, load);
    return next;
  };
  const reloadOrLog = (): Promise<void> =>
    reload().catch((error: unknown) =>
      logger.error({ err: error }, 'what members chose for views could not be read; the next attempt follows'),
    );

  const decideSome = (): void => {
    timer = undefined;
    const began = performance.now();
    for (const one of undecided) {
      one();
      if (performance.now() - began < WORK_MS) continue;
      if (undecided.size > 0) timer = setImmediate(decideSome);
      return;
    }
  };
  const choicesFor = (alert: PublishedAlert): Decided => {
    if (!decide) return NOBODY_CHOSE;
    const known = decided.get(alert);
    if (known) return known;
    let pending: PublishedAlert | undefined = alert;
    let chosen: ReadonlyMap<string, NoticeLevel> = new Map();
    const one: Decided = () => {
      if (pending) chosen = decide?.(pending) ?? chosen;
      pending = undefined;
      undecided.delete(one);
      return chosen;
    };
    decided.set(alert, one);
    // Not kept until a device is notified, with its payload.
    undecided.add(one);
    timer ??= setImmediate(decideSome);
    return one;
  };

  const eventsBefore = (event: DomainEvent): readonly DomainEvent[] => {
    const isNews =
      (event.type === 'new_alert' && !event.quiet) ||
      (event.type === 'alert_updated' && isNewsOf(event.reason, event.alert.ownerId));
    if (!isNews) return [];
    const { alert } = event;
    return [...choicesFor(alert)()].map(([userId, choice]) => ({
      type: 'notice_chosen',
      userId,
      alertId: alert.id,
      choice,
    }));
  };

  const unsubscribe = events.subscribe(({ type }) => {
    if (RELOADING.has(type)) void reloadOrLog();
  });
  const look = setInterval(() => void reloadOrLog(), RELOAD_MS);
  look.unref();
  await reload();

  return {
    choicesFor,
    eventsBefore,
    reload: reloadOrLog,
    async stop() {
      unsubscribe();
      clearInterval(look);
      clearImmediate(timer);
      await loading.catch(() => undefined);
    },
  };
}

/** A member's choice for a view with the list that it is for them; nothing where its search cannot be carried out. */
export async function choiceOf(
  { database, logger }: { database: Database; logger: Logger },
  { userId, notify, timeZone }: Pick<StoredViewNotice, 'userId' | 'notify' | 'timeZone'>,
  view: StoredView,
  member: Pick<User, 'id' | 'displayName' | 'email'>,
): Promise<Choice[]> {
  const search = view.search === '' ? {} : { search: view.search };
  try {
    const list = await narrowList(database, member, listOf(view.list, member), { ...search, timeZone });
    return [{ userId, notify, list }];
  } catch (error) {
    // A search that stands for too many by now; the choices for other views hold.
    if (!(error instanceof ProblemError)) throw error;
    logger.warn({ view: view.id, reason: error.message }, 'a view notifies nobody: its search cannot be carried out');
    return [];
  }
}

/** What changes who chose what for which alerts. */
const RELOADING: ReadonlySet<DomainEvent['type']> = new Set([
  'views_changed',
  'folders_changed',
  'member_disabled',
  'resync',
]);
