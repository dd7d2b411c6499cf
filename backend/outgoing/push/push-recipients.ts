import { type AnnouncedAlert, type AnnouncementSettings, verdictsAt } from '#backend/contract/announcement.ts';
import type { IdentityConfig } from '#backend/identity/users/identity-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { SESSION_LIFETIME_MS } from '#backend/identity/sessions/session-rules.ts';
import { IS_IN_FORCE } from '#backend/alerts/mutes/mute-ends.ts';
import { presentQuietHours } from '#backend/outgoing/notifications/notification-settings.ts';
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
  const verdictOf = verdictsAt(settings, now);
  return alerts.filter((alert) => verdictOf(alert) === 'yes');
}

/** Whether a member is sent anything at all now: not in a pause, not in quiet hours. */
export const isReachable = (settings: MemberSettings, now: number): boolean =>
  alertsToPush(settings, [{ customer: null, alertType: null }], now).length > 0;

/** A device that may be notified, with what its member has decided. */
export interface Recipient extends Pick<
  StoredPushSubscription,
  'id' | 'sessionId' | 'endpoint' | 'p256dh' | 'auth' | 'lastSuccessAt' | 'failures'
> {
  userId: string;
  settings: MemberSettings;
}

/** Names and ids that the alerts at hand carry: mutes of others do not matter. */
export interface NamesAtHand {
  customers: string[];
  alertTypes: string[];
  sources: string[];
}

/** Every device whose session lives, by the subscription's id, in four queries however many there are. */
export type LoadRecipients = (names: NamesAtHand) => Promise<Map<string, Recipient>>;

interface SubscriptionRow {
  id: string;
  user_id: string;
  session_id: string;
  endpoint: string;
  p256dh: string;
  auth: string;
  last_success_at: number | string | null;
  failures: number;
  is_active: number;
  /** Null when the member never decided anything; then all of them are. */
  quiet_is_on: number | null;
  quiet_days: string;
  quiet_from: string;
  quiet_to: string;
  time_zone: string;
  paused_until: number | string | null;
}

/** A subscription counts while its session does: who is signed out reads nothing here, by push neither. */
const SUBSCRIPTIONS = `
  SELECT p.id, p.user_id, p.session_id, p.endpoint, p.p256dh, p.auth, p.last_success_at, p.failures, u.is_active,
    n.quiet_is_on, n.quiet_days, n.quiet_from, n.quiet_to, n.time_zone, n.paused_until
  FROM push_subscriptions p
  JOIN users u ON u.id = p.user_id
  JOIN sessions s ON s.id = p.session_id AND s.user_id = p.user_id
  LEFT JOIN notification_settings n ON n.user_id = p.user_id
  WHERE s.last_seen_at >= ? AND s.created_at >= ?`;

const CUSTOMER_MUTES = `
  SELECT m.user_id, c.name FROM customer_mutes m JOIN customers c ON c.id = m.customer_id
  WHERE m.user_id IN (SELECT user_id FROM push_subscriptions) AND ${IS_IN_FORCE} AND c.name IN`;

const ALERT_TYPE_MUTES = `
  SELECT user_id, alert_type AS name FROM alert_type_mutes
  WHERE user_id IN (SELECT user_id FROM push_subscriptions) AND ${IS_IN_FORCE} AND alert_type IN`;

const SOURCE_MUTES = `
  SELECT user_id, source_id AS name FROM source_mutes
  WHERE user_id IN (SELECT user_id FROM push_subscriptions) AND ${IS_IN_FORCE} AND source_id IN`;

/**
 * @param sessionMaxMs the longest life of sessions, in milliseconds
 * @param now the clock, in milliseconds since the epoch
 */
export function createLoadRecipients(
  { reads }: Database,
  { sessionMaxMs }: Pick<IdentityConfig, 'sessionMaxMs'>,
  now: () => number = Date.now,
): LoadRecipients {
  /** Muted names by member. */
  const readMutes = async (sql: string, names: string[]): Promise<Map<string, Set<string>>> => {
    const muted = new Map<string, Set<string>>();
    if (names.length === 0) return muted;
    const rows: { user_id: string; name: string }[] = await reads.query(`${sql} (${names.map(() => '?').join(', ')})`, [
      now(),
      ...names,
    ]);
    for (const { user_id: userId, name } of rows) {
      const own = muted.get(userId);
      if (own) own.add(name);
      else muted.set(userId, new Set([name]));
    }
    return muted;
  };

  return async ({ customers, alertTypes, sources }) => {
    const rows: SubscriptionRow[] = await reads.query(SUBSCRIPTIONS, [
      now() - SESSION_LIFETIME_MS,
      now() - sessionMaxMs,
    ]);
    // Most installations and moments: nobody to ask about.
    if (rows.length === 0) return new Map();
    const mutes: MutedByMember = {
      mutedCustomers: await readMutes(CUSTOMER_MUTES, customers),
      mutedAlertTypes: await readMutes(ALERT_TYPE_MUTES, alertTypes),
      mutedSources: await readMutes(SOURCE_MUTES, sources),
    };
    return new Map(rows.map((row) => [row.id, toRecipient(row, mutes)]));
  };
}

const NOTHING: ReadonlySet<string> = new Set();

/** What each member has muted, by the member's id. */
type MutedByMember = Record<'mutedCustomers' | 'mutedAlertTypes' | 'mutedSources', Map<string, Set<string>>>;

const toRecipient = (
  row: SubscriptionRow,
  { mutedCustomers, mutedAlertTypes, mutedSources }: MutedByMember,
): Recipient => ({
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
    mutedCustomers: mutedCustomers.get(row.user_id) ?? NOTHING,
    mutedAlertTypes: mutedAlertTypes.get(row.user_id) ?? NOTHING,
    mutedSources: mutedSources.get(row.user_id) ?? NOTHING,
  },
});
