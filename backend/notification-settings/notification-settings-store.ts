import { lockUser } from '#backend/accounts/user-store.ts';
import type { NotificationSettings, QuietHours, SoundName } from '#backend/contract/notification-settings.ts';
import type { Database } from '#backend/database/database.ts';
import type { Actor } from '#backend/endpoint/endpoint.ts';
import { onBehalfOf } from '#backend/sessions/on-behalf-of.ts';
import { AlertSoundEntity } from './alert-sound-entity.ts';
import { NotificationSettingsEntity } from './notification-settings-entity.ts';
import { presentNotificationSettings, presentQuietHours, storedQuietHours } from './present-notification-settings.ts';

/** What members have decided about being told, beside the mutes. */
export interface NotificationSettingsStore {
  find(userId: string): Promise<NotificationSettings>;
  /** Changes what is given. `pausedUntil` in milliseconds since the epoch; null ends the pause. */
  change(actor: Actor, change: { quietHours?: QuietHours; pausedUntil?: number | null }): Promise<void>;
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
    async change(actor, { quietHours, pausedUntil }) {
      const userId = actor.id;
      await onBehalfOf(database, actor).transaction(async (tx) => {
        // Two windows of one member may change different things at once.
        await lockUser(tx, userId);
        const settings = tx.getRepository(NotificationSettingsEntity);
        const known = await settings.findOneBy({ userId });
        const row = {
          ...storedQuietHours(quietHours ?? presentQuietHours(known)),
          pausedUntil: pausedUntil === undefined ? (known?.pausedUntil ?? null) : pausedUntil,
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
