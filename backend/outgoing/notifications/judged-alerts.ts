import { type AnnouncedAlert, type AnnouncementSettings, louder } from '#backend/contract/announcement.ts';
import { In } from 'typeorm';
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
import { findDecidedSettings } from './notification-settings.ts';

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

/** What a member has decided. */
export interface Decision {
  settings: AnnouncementSettings;
  views: readonly ViewException[];
}

/** The same, and their exceptions with names. */
export interface Decided extends Decision {
  exceptions: readonly NotificationException[];
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
  /** A rule or a maintenance window keeps it quiet; 0 or 1 on SQLite. Absent of those that ladders are about, which are not. */
  isQuiet?: boolean | number | string;
  url?: string;
  payload?: string;
}

/** The columns of an alert's row. */
export const COLUMNS =
  'id, customer, alert_type AS alertType, source_id AS sourceId, severity, label, state, title, owner_id AS ownerId, is_test AS isTest, flapping_since AS flappingSince, quiet_by_id IS NOT NULL AS isQuiet';

/** A member for whom alerts are judged. */
export type JudgedMember = Pick<Actor, 'id' | 'role' | 'displayName' | 'email'>;

/** What a member has decided by now. */
export async function readDecided(deps: JudgeDeps, actor: JudgedMember, now: number): Promise<Decided> {
  const { exceptions } = await findExceptions(deps.database.reads, actor, now);
  const decision = (await readDecisions(deps, [actor], now)).get(actor.id);
  if (!decision) throw new Error('A decision is missing.');
  return { ...decision, exceptions };
}

/** What each of these members has decided by now. Exceptions of views alone are read one member after the other. */
export async function readDecisions(
  { database, logger }: JudgeDeps,
  members: readonly JudgedMember[],
  now: number,
): Promise<Map<string, Decision>> {
  const { reads } = database;
  const ids = members.map(({ id }) => id);
  const settings = await findDecidedSettings(reads, ids, Date.now());
  const levels = await findLevels(reads, ids, now);
  const notices = await reads.getRepository(ViewNoticeEntity).findBy({ userId: In(ids) });
  const byMember = Map.groupBy(notices, ({ userId }) => userId);
  const decisions = new Map<string, Decision>();
  for (const member of members) {
    const views: ViewException[] = [];
    const own = byMember.get(member.id) ?? [];
    for (const view of own.length === 0 ? [] : await findViews(reads, member)) {
      const notice = own.find(({ viewId }) => viewId === view.id);
      const [choice] = notice ? await choiceOf({ database, logger }, notice, view, member) : [];
      if (choice) views.push({ id: view.id, level: choice.notify, ...matcherOf(choice.list) });
    }
    const { level, quietHours, pausedUntil } = settings(member.id);
    const exceptions = levels.get(member.id) ?? new Map<string, NoticeLevel>();
    decisions.set(member.id, { settings: { level, quietHours, pausedUntil, exceptions }, views });
  }
  return decisions;
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
  { views }: Pick<Decision, 'views'>,
  ownerId: string | null,
): { alert: AnnouncedAlert; inViews: ViewException[] } {
  const matched = arriving(row, { ownerId, status: ownerId === null ? 'pending' : 'accepted' });
  const inViews = views.filter(({ has }) => has(matched));
  const [first, ...others] = inViews.map(({ level }) => level);
  const viewLevel = first && others.reduce(louder, first);
  const { customer, alertType, sourceId } = row;
  return {
    alert: {
      customer,
      alertType,
      sourceId,
      severity: row.severity ?? 'none',
      isMine: ownerId !== null,
      viewLevel,
      isQuiet: Boolean(Number(row.isQuiet ?? 0)),
    },
    inViews: inViews.filter(({ level }) => level === viewLevel),
  };
}
