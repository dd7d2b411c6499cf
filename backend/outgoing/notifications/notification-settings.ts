import { type EntityManager, EntitySchema, In } from 'typeorm';
import { idColumn, nullable, primary, textColumn, timeColumn } from '#backend/platform/database/columns.ts';
import {
  type SoundName,
  DEFAULT_QUIET_HOURS,
  type MailChoice,
  type NoticeLevel,
  type NotificationSettings,
  type QuietHours,
  type Weekday,
} from '#backend/contract/notification-settings.ts';
import { lockUser } from '#backend/identity/users/user.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Actor } from '#backend/platform/endpoint/endpoint.ts';
import { onBehalfOf } from '#backend/identity/users/on-behalf-of.ts';

/** How much who never decided is notified of. */
export const DEFAULT_LEVEL: NoticeLevel = 'always';

/** What a member has decided about being notified. Who never did has no row. */
export interface StoredNotificationSettings {
  userId: string;
  level: NoticeLevel;
  quietIsOn: boolean;
  /** Weekdays with commas between. */
  quietDays: string;
  /** `HH:MM` by the clock of the time zone. */
  quietFrom: string;
  quietTo: string;
  timeZone: string;
  pausedUntil: number | null;
  /** Whether notes that mention the member are mailed. */
  mailMentions: boolean;
  /** `HH:MM`; null: no digest. */
  digestAt: string | null;
  /** The time zone of that where the account names none. */
  digestZone: string | null;
  /** The last local day (`2026-11-23`) whose digest was sent or left out. */
  digestDay: string | null;
  /** When the time was chosen: a digest that was due before is not made up for. Null where an earlier release stored it. */
  digestFrom: number | null;
}

export const NotificationSettingsEntity = new EntitySchema<StoredNotificationSettings>({
  name: 'NotificationSettings',
  tableName: 'notification_settings',
  columns: {
    userId: primary(idColumn('user_id')),
    level: { ...textColumn('level', 8), default: DEFAULT_LEVEL },
    quietIsOn: { type: 'boolean', name: 'quiet_is_on' },
    quietDays: textColumn('quiet_days', 40),
    quietFrom: textColumn('quiet_from', 5),
    quietTo: textColumn('quiet_to', 5),
    timeZone: textColumn('time_zone', 64),
    pausedUntil: nullable(timeColumn('paused_until')),
    mailMentions: { type: 'boolean', name: 'mail_mentions', default: false },
    digestAt: nullable(textColumn('digest_at', 5)),
    digestZone: nullable(textColumn('digest_zone', 64)),
    digestDay: nullable(textColumn('digest_day', 10)),
    digestFrom: nullable(timeColumn('digest_from')),
  },
});

/** The sound that one member chose for one alert type. */
export interface StoredAlertSound {
  userId: string;
  alertType: string;
  sound: SoundName;
}

export const AlertSoundEntity = new EntitySchema<StoredAlertSound>({
  name: 'AlertSound',
  tableName: 'alert_sounds',
  columns: {
    userId: primary(idColumn('user_id')),
    alertType: primary(textColumn('alert_type', 200)),
    sound: textColumn('sound', 16),
  },
});

/** Quiet hours as they are stored; those of who never set any are off. */
export const presentQuietHours = (
  stored: Pick<StoredNotificationSettings, keyof ReturnType<typeof storedQuietHours>> | null,
): QuietHours =>
  stored
    ? {
        isOn: stored.quietIsOn,
        days: stored.quietDays.split(',').filter((day) => day !== '') as Weekday[],
        from: stored.quietFrom,
        to: stored.quietTo,
        timeZone: stored.timeZone,
      }
    : DEFAULT_QUIET_HOURS;

/** The same the other way. */
export const storedQuietHours = ({ isOn, days, from, to, timeZone }: QuietHours) => ({
  quietIsOn: isOn,
  quietDays: days.join(','),
  quietFrom: from,
  quietTo: to,
  timeZone,
});

/** A member's settings as they leave the server. @param now a pause that is over by then is none. */
export const presentNotificationSettings = (
  stored: StoredNotificationSettings | null,
  sounds: StoredAlertSound[],
  now: number,
): NotificationSettings => ({
  level: stored?.level ?? DEFAULT_LEVEL,
  quietHours: presentQuietHours(stored),
  pausedUntil: presentPause(stored?.pausedUntil ?? null, now),
  sounds: sounds.map(({ alertType, sound }) => ({ alertType, sound })),
  mail: {
    mentions: stored?.mailMentions ?? false,
    digestAt: stored?.digestAt ?? null,
    timeZone: stored?.digestZone ?? null,
  },
});

/** The columns of a choice. A digest begins with its next time: that of today, if it is over, is not made up for. */
function storedMailChoice(
  { mentions, digestAt, timeZone }: MailChoice,
  known: StoredNotificationSettings | null,
  accountZone: string | null,
  now: number,
) {
  const digestZone = timeZone ?? known?.digestZone ?? null;
  const isSameZone = accountZone !== null || known?.digestZone === digestZone;
  const isSameTime = isSameZone && known?.digestAt === digestAt;
  return { mailMentions: mentions, digestAt, digestZone, ...(!isSameTime && { digestFrom: now }) };
}

/** When a pause ends, unless it is over. */
export const presentPause = (pausedUntil: number | null, now: number): string | null =>
  pausedUntil !== null && pausedUntil > now ? new Date(pausedUntil).toISOString() : null;

/** What these members have decided; who never did is notified of everything. @param now a pause that is over by then is none */
export async function findDecidedSettings(
  reads: EntityManager,
  userIds: readonly string[],
  now: number,
): Promise<(userId: string) => NotificationSettings> {
  const stored = await reads.getRepository(NotificationSettingsEntity).findBy({ userId: In(userIds) });
  const byMember = new Map(stored.map((settings) => [settings.userId, settings]));
  return (userId) => presentNotificationSettings(byMember.get(userId) ?? null, [], now);
}

/** What is to change; `pausedUntil` in milliseconds since the epoch, null ends the pause. */
interface SettingsChange {
  level?: NoticeLevel;
  quietHours?: QuietHours;
  pausedUntil?: number | null;
  mail?: MailChoice;
}

/** What members have decided about being notified, beside the exceptions. */
export interface NotificationSettingsStore {
  find(userId: string): Promise<NotificationSettings>;
  /** Changes what is given. */
  change(actor: Actor, change: SettingsChange): Promise<void>;
  /** The sound of an alert type; null: none. */
  setSound(actor: Actor, alertType: string, sound: SoundName | null): Promise<void>;
}

/** @param now the clock, in milliseconds since the epoch. */
export function createNotificationSettingsStore(
  database: Database,
  now: () => number = Date.now,
): NotificationSettingsStore {
  return {
    async find(userId) {
      const stored = await database.reads.getRepository(NotificationSettingsEntity).findOneBy({ userId });
      const sounds = await database.reads
        .getRepository(AlertSoundEntity)
        .find({ where: { userId }, order: { alertType: 'ASC' } });
      return presentNotificationSettings(stored, sounds, now());
    },
    async change(actor, { level, quietHours, pausedUntil, mail }) {
      const userId = actor.id;
      await onBehalfOf(database, actor).transaction(async (tx) => {
        // Two windows of one member may change different things at once.
        const user = await lockUser(tx, userId);
        const settings = tx.getRepository(NotificationSettingsEntity);
        const known = await settings.findOneBy({ userId });
        const row = {
          ...(level && { level }),
          ...storedQuietHours(quietHours ?? presentQuietHours(known)),
          pausedUntil: pausedUntil === undefined ? (known?.pausedUntil ?? null) : pausedUntil,
          ...(mail && storedMailChoice(mail, known, user?.timeZone ?? null, now())),
        };
        if (known) await settings.update({ userId }, row);
        else await settings.insert({ userId, ...row });
      });
    },
    async setSound(actor, alertType, sound) {
      const userId = actor.id;
      await onBehalfOf(database, actor).transaction(async (tx) => {
        await lockUser(tx, userId);
        const sounds = tx.getRepository(AlertSoundEntity);
        await sounds.delete({ userId, alertType });
        if (sound !== null) await sounds.insert({ userId, alertType, sound });
      });
    },
  };
}
