import { marksOf } from '#backend/platform/database/conditions.ts';
import { type AnnouncedAlert, type AnnouncementSettings, judgeAt, whenWanted } from '#backend/contract/announcement.ts';
import { exceptionKey } from '#backend/contract/mute.ts';
import type { NoticeLevel } from '#backend/contract/notification-settings.ts';
import type { MuteKind } from '#backend/alerts/mutes/mute-entities.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SessionRules } from '#backend/identity/sessions/session-rules.ts';
import { IS_IN_FORCE } from '#backend/alerts/mutes/mute-ends.ts';
import { DEFAULT_LEVEL, presentQuietHours } from '#backend/outgoing/notifications/notification-settings.ts';
import { SESSION_COLUMNS, type SessionRow, WITH_SESSION, notifiedOf, sessionsSince } from './push-sessions.ts';
import type { StoredPushSubscription } from './push-subscriptions.ts';

/** What a member has decided about being notified, as far as it matters for the alerts at hand. */
export interface MemberSettings extends AnnouncementSettings {
  isActive: boolean;
}

/**
 * The alerts that a member is notified of by web push now, by the one decision that all channels share
 * (docs/decisions/0017-notifications.md). Where a window is in front, the browser leaves it to that window.
 *
 * @param now milliseconds since the epoch.
 */
export function alertsToPush<T extends AnnouncedAlert>(settings: MemberSettings, alerts: T[], now: number): T[] {
  if (!settings.isActive) return [];
  const judge = judgeAt(settings, now);
  return alerts.filter((alert) => judge(alert).verdict === 'yes');
}

/** Whether a member is sent anything at all now: not in a pause, not in quiet hours. */
export const isReachable = (settings: MemberSettings, now: number): boolean =>
  settings.isActive && whenWanted(settings, now) === 'yes';

/** A device that may be notified, with what its member has decided. */
export interface Recipient extends Pick<
  StoredPushSubscription,
  'id' | 'sessionId' | 'endpoint' | 'p256dh' | 'auth' | 'lastSuccessAt' | 'failures'
> {
  userId: string;
  settings: MemberSettings;
}

/** Names and ids that the alerts at hand carry: exceptions of others do not matter. */
export interface NamesAtHand {
  customers: string[];
  alertTypes: string[];
  sources: string[];
}

/** Every device whose session may be sent what happens, by the subscription's id, in a few queries however many there are. */
export type LoadRecipients = (names: NamesAtHand) => Promise<Map<string, Recipient>>;

interface SubscriptionRow extends SessionRow {
  id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  last_success_at: number | string | null;
  failures: number;
  /** Null when the member never decided anything; then all of them are. */
  level: NoticeLevel | null;
  quiet_is_on: number | null;
  quiet_days: string;
  quiet_from: string;
  quiet_to: string;
  time_zone: string;
  paused_until: number | string | null;
}

/** A subscription counts while its session does: who may read nothing here is sent nothing by push. */
const SUBSCRIPTIONS = `
  SELECT p.id, p.endpoint, p.p256dh, p.auth, p.last_success_at, p.failures, ${SESSION_COLUMNS},
    n.level, n.quiet_is_on, n.quiet_days, n.quiet_from, n.quiet_to, n.time_zone, n.paused_until
  FROM ${WITH_SESSION}
  LEFT JOIN notification_settings n ON n.user_id = p.user_id`;

/** Exceptions of each kind that have not ended. */
const EXCEPTIONS: Record<MuteKind, string> = {
  customer: `
  SELECT m.user_id, c.name, m.level FROM customer_mutes m JOIN customers c ON c.id = m.customer_id
  WHERE m.user_id IN (SELECT user_id FROM push_subscriptions) AND ${IS_IN_FORCE} AND c.name IN`,
  alert_type: `
  SELECT user_id, alert_type AS name, level FROM alert_type_mutes
  WHERE user_id IN (SELECT user_id FROM push_subscriptions) AND ${IS_IN_FORCE} AND alert_type IN`,
  source: `
  SELECT user_id, source_id AS name, level FROM source_mutes
  WHERE user_id IN (SELECT user_id FROM push_subscriptions) AND ${IS_IN_FORCE} AND source_id IN`,
};

/** What each member decided for names at hand, by the member's id. */
type ExceptionsByMember = Map<string, Map<string, NoticeLevel>>;

/** @param now the clock, in milliseconds since the epoch */
export function createLoadRecipients(
  { reads }: Database,
  rules: SessionRules,
  now: () => number = Date.now,
): LoadRecipients {
  const addExceptions = async (found: ExceptionsByMember, kind: MuteKind, names: string[]): Promise<void> => {
    if (names.length === 0) return;
    const rows: { user_id: string; name: string; level: NoticeLevel }[] = await reads.query(
      `${EXCEPTIONS[kind]} (${marksOf(names)})`,
      [now(), ...names],
    );
    for (const { user_id: userId, name, level } of rows) {
      const own = found.get(userId) ?? new Map<string, NoticeLevel>();
      found.set(userId, own.set(exceptionKey(kind, name), level));
    }
  };

  return async ({ customers, alertTypes, sources }) => {
    const subscriptions: SubscriptionRow[] = await reads.query(SUBSCRIPTIONS, sessionsSince(rules, now()));
    // Most installations and moments: nobody to ask about.
    if (subscriptions.length === 0) return new Map();
    const rows = await notifiedOf(reads, subscriptions, rules, now());
    const exceptions: ExceptionsByMember = new Map();
    await addExceptions(exceptions, 'customer', customers);
    await addExceptions(exceptions, 'alert_type', alertTypes);
    await addExceptions(exceptions, 'source', sources);
    return new Map(rows.map((row) => [row.id, toRecipient(row, exceptions)]));
  };
}

const NOTHING: ReadonlyMap<string, NoticeLevel> = new Map();

const toRecipient = (row: SubscriptionRow, exceptions: ExceptionsByMember): Recipient => ({
  id: row.id,
  userId: row.user_id,
  sessionId: row.session_id,
  endpoint: row.endpoint,
  p256dh: row.p256dh,
  auth: row.auth,
  lastSuccessAt: row.last_success_at === null ? null : Number(row.last_success_at),
  failures: row.failures,
  settings: {
    isActive: Boolean(row.is_active),
    level: row.level ?? DEFAULT_LEVEL,
    quietHours: presentQuietHours(
      row.quiet_is_on === null
        ? null
        : {
            quietIsOn: Boolean(row.quiet_is_on),
            quietDays: row.quiet_days,
            quietFrom: row.quiet_from,
            quietTo: row.quiet_to,
            timeZone: row.time_zone,
          },
    ),
    pausedUntil: row.paused_until === null ? null : new Date(Number(row.paused_until)).toISOString(),
    exceptions: exceptions.get(row.user_id) ?? NOTHING,
  },
});
