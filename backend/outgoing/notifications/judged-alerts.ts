import { type AnnouncedAlert, type AnnouncementSettings, louder } from '#backend/contract/announcement.ts';
import type { AlertSeverity, AlertState } from '#backend/contract/alert.ts';
import type { NotificationException } from '#backend/contract/notification-exception.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import type { NarrowedList } from '#backend/alerts/alert/alert-list.ts';
import { type MatchedAlert, compileList } from '#backend/alerts/alert/match-list.ts';
import { findExceptions, findLevels } from '#backend/alerts/views/exceptions.ts';
import { choiceOf } from '#backend/alerts/views/view-notices.ts';
import { ViewNoticeEntity, findViews } from '#backend/alerts/views/view.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import { createNotificationSettingsStore } from './notification-settings.ts';

/** The dependencies of judging alerts for a member. */
export interface JudgeDeps {
  database: Database;
  logger: Logger;
}

/** A view that the member made an exception of. */
export interface ViewException {
  id: string;
  level: NoticeLevel;
  /** Whether an alert is in it when it arrives. */
  has: (alert: MatchedAlert) => boolean;
  /** Whether that is decided by texts. */
  readsTexts: boolean;
}

/** What a member has decided, and their exceptions with names. */
export interface Decided {
  settings: AnnouncementSettings;
  exceptions: readonly NotificationException[];
  views: readonly ViewException[];
}

export interface AlertRow {
  id: string;
  customer: string | null;
  alertType: string | null;
  sourceId: string | null;
  severity: Exclude<AlertSeverity, 'none'> | null;
  label: string | null;
  state: Exclude<AlertState, 'event'> | null;
  title: string | null;
  ownerId: string | null;
  /** 0 or 1 on SQLite. */
  isTest: boolean | number | string;
  flappingSince: number | string | null;
  url?: string;
  payload?: string;
}

/** The columns of an alert's row. */
export const COLUMNS =
  'id, customer, alert_type AS alertType, source_id AS sourceId, severity, label, state, title, owner_id AS ownerId, is_test AS isTest, flapping_since AS flappingSince';

/** A member for whom alerts are judged. */
export type JudgedMember = Pick<Actor, 'id' | 'role' | 'displayName' | 'email'>;

/** What a member has decided by now. */
export async function readDecided({ database, logger }: JudgeDeps, actor: JudgedMember, now: number): Promise<Decided> {
  const { reads } = database;
  const { level, quietHours, pausedUntil } = await createNotificationSettingsStore(database).find(actor.id);
  const { exceptions } = await findExceptions(reads, actor, now);
  const notices = await reads.getRepository(ViewNoticeEntity).findBy({ userId: actor.id });
  const views: ViewException[] = [];
  for (const view of notices.length === 0 ? [] : await findViews(reads, actor)) {
    const notice = notices.find(({ viewId }) => viewId === view.id);
    const [choice] = notice ? await choiceOf({ database, logger }, notice, view, actor) : [];
    if (choice) views.push({ id: view.id, level: choice.notify, ...matcherOf(choice.list) });
  }
  const settings = { level, quietHours, pausedUntil, exceptions: await findLevels(reads, actor.id, now) };
  return { settings, exceptions, views };
}

const matcherOf = (list: NarrowedList): Pick<ViewException, 'has' | 'readsTexts'> => ({
  has: compileList(list),
  readsTexts: list.texts.length > 0,
});

/** Whether a view asks for texts, so that rows need their payloads. */
export const readsPayloads = ({ views }: Decided): boolean => views.some(({ readsTexts }) => readsTexts);

/** An alert as it arrives: nobody's, in no folder. */
const arriving = (row: AlertRow, owner: Pick<MatchedAlert, 'ownerId' | 'status'>): MatchedAlert => ({
  id: row.id,
  customer: row.customer,
  alertType: row.alertType,
  sourceId: row.sourceId,
  ...owner,
  isSnoozed: false,
  isQuiet: false,
  content: {
    folderId: null,
    label: row.label,
    severity: row.severity ?? 'none',
    title: row.title,
    isTest: Boolean(Number(row.isTest)),
    isFlapping: row.flappingSince !== null,
    url: row.url ?? '',
    payload: row.payload ?? '',
  },
});

/** What of an alert matters, and the views that decide where nothing more specific does. */
export function announcedAlert(
  row: AlertRow,
  { views }: Decided,
  ownerId: string | null,
): { alert: AnnouncedAlert; inViews: ViewException[] } {
  const matched = arriving(row, { ownerId, status: ownerId === null ? 'pending' : 'accepted' });
  const inViews = views.filter(({ has }) => has(matched));
  const [first, ...others] = inViews.map(({ level }) => level);
  const viewLevel = first && others.reduce(louder, first);
  const { customer, alertType, sourceId } = row;
  return {
    alert: { customer, alertType, sourceId, severity: row.severity ?? 'none', isMine: ownerId !== null, viewLevel },
    inViews: inViews.filter(({ level }) => level === viewLevel),
  };
}
