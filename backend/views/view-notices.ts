import { compileList } from '#backend/alerts/match-list.ts';
import { narrowList } from '#backend/alerts/narrow-list.ts';
import { UserEntity } from '#backend/accounts/user.ts';
import type { AppContext } from '#backend/context.ts';
import type { ViewNotice } from '#backend/contract/announcement.ts';
import { NOTIFYING_REASONS } from '#backend/contract/live-event.ts';
import type { DomainEvent, PublishedAlert } from '#backend/live/event-bus.ts';
import { ViewEntity, ViewNoticeEntity, canSeeView, listOf } from './view.ts';

/** What members chose for the alerts of views, decided for each alert as it is published. */
export interface ViewNotices {
  /** Who chose what for views that an alert is in, by the member's id. */
  choicesFor(alert: PublishedAlert): ReadonlyMap<string, ViewNotice>;
  /** Resolves once what was committed before holds. */
  reload(): Promise<void>;
  stop(): Promise<void>;
}

/** One member's choice for one view. */
interface Choice {
  userId: string;
  notify: ViewNotice;
  isIn: (alert: PublishedAlert) => boolean;
}

const NOBODY: ReadonlyMap<string, ViewNotice> = new Map();

/** How often names, times and roles are looked at, in milliseconds. */
const LOOK_MS = 15_000;

/**
 * Keeps every choice compiled, because an alert's event cannot wait for the database. Publishes `notice_chosen` before pages
 * receive the event of the alert: made before the hub of the sockets, it is asked first.
 */
export async function openViewNotices({
  database,
  events,
  logger,
}: Pick<AppContext, 'database' | 'events' | 'logger'>): Promise<ViewNotices> {
  let choices: readonly Choice[] = [];
  let loading: Promise<void> = Promise.resolve();
  const decided = new WeakMap<PublishedAlert, ReadonlyMap<string, ViewNotice>>();

  const load = async (): Promise<void> => {
    const { reads } = database;
    const notices = await reads.getRepository(ViewNoticeEntity).find();
    if (notices.length === 0) {
      choices = [];
      return;
    }
    const views = new Map((await reads.getRepository(ViewEntity).find()).map((view) => [view.id, view]));
    const members = await reads.getRepository(UserEntity).findBy({ isActive: true });
    const membersById = new Map(members.map((member) => [member.id, member]));
    const loaded: Choice[] = [];
    for (const { userId, viewId, notify, timeZone } of notices) {
      const [view, member] = [views.get(viewId), membersById.get(userId)];
      if (!view || !member || !canSeeView(member, view)) continue;
      const search = view.search === '' ? {} : { search: view.search };
      const narrowed = await narrowList(database, member, listOf(view.list, member), { ...search, timeZone });
      loaded.push({ userId, notify, isIn: compileList(narrowed) });
    }
    choices = loaded;
  };
  const reload = (): Promise<void> => {
    loading = loading.then(load, load);
    return loading;
  };
  const reloadOrLog = (): void =>
    void reload().catch((error: unknown) =>
      logger.error({ err: error }, 'what members chose for views could not be read; the next attempt follows'),
    );

  const decide = (alert: PublishedAlert): ReadonlyMap<string, ViewNotice> => {
    if (choices.length === 0) return NOBODY;
    const found = new Map<string, ViewNotice>();
    for (const { userId, notify, isIn } of choices) {
      // Of an accepted alert its owner alone is notified. A notification too many is better than one too few.
      if (found.get(userId) === 'always' || (alert.ownerId ?? userId) !== userId) continue;
      if (isIn(alert)) found.set(userId, notify);
    }
    return found;
  };
  const choicesFor = (alert: PublishedAlert): ReadonlyMap<string, ViewNotice> => {
    const known = decided.get(alert) ?? decide(alert);
    decided.set(alert, known);
    return known;
  };

  const onEvent = (event: DomainEvent): void => {
    switch (event.type) {
      case 'new_alert':
        return event.quiet ? undefined : publishChoices(event.alert);
      case 'alert_updated':
        return NOTIFYING_REASONS.has(event.reason) ? publishChoices(event.alert) : undefined;
      case 'views_changed':
      case 'folders_changed':
      case 'member_disabled':
      case 'resync':
        return reloadOrLog();
      default:
      // Notifies nobody.
    }
  };
  const publishChoices = (alert: PublishedAlert): void => {
    for (const [userId, choice] of choicesFor(alert)) {
      events.publish({ type: 'notice_chosen', userId, alertId: alert.id, choice });
    }
  };
  const unsubscribe = events.subscribe(onEvent);
  const look = setInterval(reloadOrLog, LOOK_MS);
  look.unref();
  await reload();

  return {
    choicesFor,
    reload,
    async stop() {
      unsubscribe();
      clearInterval(look);
      await loading.catch(() => undefined);
    },
  };
}
