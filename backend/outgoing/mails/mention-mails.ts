import { cutText } from '#backend/contract/cut-text.ts';
import type { MailSettings } from '#backend/platform/mail/mail-config.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { In } from 'typeorm';
import { UserEntity } from '#backend/identity/users/user.ts';
import type { MailMentions } from '#backend/alerts/notes/note-commands.ts';
import { NotificationSettingsEntity } from '#backend/outgoing/notifications/notification-settings.ts';
import { type MailQueue, createMailQueue } from '#backend/platform/mail/mail-queue.ts';
import { type MailPart, composeMail, oneLine } from '#backend/platform/mail/mail-texts.ts';
import { chosenAs } from './unsubscribe.ts';

/** A mention that was not mailed by then is on the card and in the history: it is not mailed any more. */
const EXPIRES_MS = 24 * 60 * 60 * 1000;

/** Characters of a note that are mailed. */
const MAX_TEXT = 2_000;

/** The end of every mail that a member has chosen: why they get it, and how they do not. */
export const whyMailed = (why: string, settingsUrl: string, stopUrl: string): MailPart[] => [
  `You receive this mail because you chose ${why} in your settings:\n${settingsUrl}`,
  { action: 'Unsubscribe', address: stopUrl },
];

/** @param onlineMembers who has a page open on any server: they are notified there, and not mailed */
export function createMailMentions(
  context: { config: MailSettings; sealing: Sealing },
  onlineMembers: () => ReadonlySet<string>,
  mails: MailQueue = createMailQueue(context),
): MailMentions {
  return async (tx, { byName, alertId, alertTitle, text, userIds }) => {
    if (!mails.isConfigured || userIds.length === 0) return;
    const online = onlineMembers();
    const chosen = await tx
      .getRepository(NotificationSettingsEntity)
      .findBy({ userId: In(userIds.filter((id) => !online.has(id))), mailMentions: true });
    if (chosen.length === 0) return;
    const members = await tx
      .getRepository(UserEntity)
      .findBy({ id: In(chosen.map(({ userId }) => userId)), isActive: true, isService: false });
    const about = oneLine(alertTitle ?? 'an alert');
    const address = new URL(`/alert/${alertId}`, mails.publicUrl).href;
    const settings = new URL('/settings', mails.publicUrl).href;
    const quote = cutText(text, MAX_TEXT);
    for (const { id: userId, email, displayName } of members) {
      const as = chosenAs(context, 'mentions', userId);
      const mail = composeMail(`${byName} mentioned you: ${about}`, [
        `Hello ${oneLine(displayName)},`,
        `${oneLine(byName)} mentioned you in a note on “${about}”:`,
        { quote },
        { action: 'Open the alert', address },
        ...whyMailed('mails of mentions', settings, as.unsubscribeUrl),
      ]);
      const expiresAt = Date.now() + EXPIRES_MS;
      await mails.add(tx, { to: email, ...mail, ...as }, { userId, expiresAt });
    }
  };
}
