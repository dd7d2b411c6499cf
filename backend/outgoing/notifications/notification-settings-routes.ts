import type { MailSettings } from '#backend/platform/mail/mail-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { announceAlone } from '#backend/platform/live/event-bus.ts';
import { AlertTypeEntity } from '#backend/alerts/mutes/mute-entities.ts';
import {
  MAX_PAUSE_MS,
  alertSoundChangeSchema,
  notificationSettingsChangeSchema,
  notificationSettingsSchema,
} from '#backend/contract/notification-settings.ts';
import { type Endpoint, endpoint, ok } from '#backend/platform/endpoint/endpoint.ts';
import { conflict, notFound, unacceptable } from '#backend/platform/endpoint/errors.ts';
import { createNotificationSettingsStore } from './notification-settings.ts';

/** How much a member is notified of, their quiet hours and sounds (docs/decisions/0017-notifications.md). */
export function notificationSettingsRoutes({
  config,
  database,
}: {
  config: MailSettings;
  database: Database;
}): Endpoint[] {
  const settings = createNotificationSettingsStore(database);
  const types = database.reads.getRepository(AlertTypeEntity);
  /** What it is now, after the member's other windows were notified that it changed. */
  const changed = async (userId: string) => {
    await announceAlone(database, { type: 'notification_settings_changed', userId });
    return ok(await settings.find(userId));
  };
  return [
    endpoint({
      method: 'GET',
      path: '/api/notification-settings',
      tag: 'notifications',
      summary:
        'Returns how much the member is notified of, when they want quiet, which alert types make a sound, and what is mailed.',
      access: 'member',
      responses: { 200: notificationSettingsSchema },
      handle: async ({ actor }) => ok(await settings.find(actor.id)),
    }),
    endpoint({
      method: 'PATCH',
      path: '/api/notification-settings',
      tag: 'notifications',
      summary:
        'Changes how much the member is notified of, their quiet hours or what is mailed, or pauses notifications until a moment or for some minutes, within 31 days.',
      access: 'member',
      body: notificationSettingsChangeSchema,
      responses: { 200: notificationSettingsSchema },
      errors: [409],
      handle: async ({ actor, body: { level, quietHours, pausedUntil, pausedMinutes, mail } }) => {
        const until =
          pausedMinutes !== undefined
            ? Date.now() + pausedMinutes * 60_000
            : typeof pausedUntil === 'string'
              ? Date.parse(pausedUntil)
              : pausedUntil;
        if (typeof until === 'number' && until > Date.now() + MAX_PAUSE_MS) throw tooLong();
        const isMailed = mail && (mail.mentions || mail.digestAt !== null);
        if (isMailed && !config.mail) throw conflict('No mail server is configured.');
        await settings.change(actor, {
          ...(level && { level }),
          ...(quietHours && { quietHours }),
          ...(until !== undefined && { pausedUntil: until }),
          ...(mail && { mail }),
        });
        return changed(actor.id);
      },
    }),
    endpoint({
      method: 'PUT',
      path: '/api/notification-settings/sounds',
      tag: 'notifications',
      summary: 'Chooses the sound of an alert type for the member; null makes it silent again.',
      access: 'member',
      body: alertSoundChangeSchema,
      responses: { 200: notificationSettingsSchema },
      errors: [404],
      handle: async ({ actor, body: { alertType, sound } }) => {
        if (sound !== null && !(await types.existsBy({ name: alertType }))) {
          throw notFound('No alert has had this type so far.');
        }
        await settings.setSound(actor, alertType, sound);
        return changed(actor.id);
      },
    }),
  ];
}

const tooLong = () => {
  const message = 'must be within 31 days';
  return unacceptable(`The body is not acceptable: pausedUntil: ${message}.`, [{ path: 'pausedUntil', message }]);
};
