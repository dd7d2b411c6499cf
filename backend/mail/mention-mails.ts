import { In } from 'typeorm';
import { UserEntity } from '#backend/accounts/user.ts';
import type { AppContext } from '#backend/context.ts';
import type { Transaction } from '#backend/database/transaction.ts';
import { NotificationSettingsEntity } from '#backend/notifications/notification-settings.ts';
import { type MailQueue, createMailQueue } from './mail-queue.ts';
import { type MailPart, composeMail, oneLine } from './mail-texts.ts';
import { unsubscribeUrl } from './unsubscribe.ts';

/** A mention that was not mailed by then is on the card and in the history: it is not mailed any more. */
const EXPIRES_MS = 24 * 60 * 60 * 1000;

/** Characters of a note that are mailed. */
const MAX_TEXT = 2_000;

/** A note that mentions members. */
export interface Mention {
  byName: string;
  alertId: string;
  /** The alert's headline, or its type; null when it has neither. */
  alertTitle: string | null;
  text: string;
  /** Whom it mentions. */
  userIds: readonly string[];
}

/** Mails members that they are mentioned, in the transaction that stores the note. */
export type MailMentions = (tx: Transaction, mention: Mention) => Promise<void>;

/** The end of every mail that a member has chosen: why they get it, and how they do not. */
export const whyMailed = (why: string, settingsUrl: string, stopUrl: string): MailPart[] => [
  `You receive this mail because you chose ${why} in your settings:\n${settingsUrl}`,
  { action: 'Unsubscribe', address: stopUrl },
];

/** @param onlineMembers who has a page open on any server: they are notified there, and not mailed */
export function createMailMentions(
  context: Pick<AppContext, 'config' | 'sealing'>,
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
    const quote = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
    for (const { id: userId, email, displayName } of members) {
      const stopUrl = unsubscribeUrl(context, 'mentions', userId);
      const mail = composeMail(`${byName} mentioned you: ${about}`, [
        `Hello ${oneLine(displayName)},`,
        `${oneLine(byName)} mentioned you in a note on “${about}”:`,
        { quote },
        { action: 'Open the alert', address },
        ...whyMailed('mails of mentions', settings, stopUrl),
      ]);
      const expiresAt = Date.now() + EXPIRES_MS;
      await mails.add(tx, { to: email, ...mail, unsubscribeUrl: stopUrl }, { userId, expiresAt });
    }
  };
}
