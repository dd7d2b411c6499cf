import { type SharedCounts, createLimiter } from '#backend/platform/cluster/limiter.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import type { MailQueue } from '#backend/platform/mail/mail-queue.ts';
import { composeMail, formatUtc, oneLine } from '#backend/platform/mail/mail-texts.ts';
import { SENTENCES, type SecurityEvent, type SecurityMails } from './security-mails.ts';

/** A mail that could not be sent in a week is history; the audit trail has the entry. */
const EXPIRES_MS = 7 * 24 * 60 * 60 * 1000;

/** Mails about one kind of event to one member in an hour; more are left out. */
export const SECURITY_MAILS_PER_HOUR = 10;
const HOUR_SECONDS = 60 * 60;

/** What the subject says of each event. */
const SUBJECTS: Record<SecurityEvent, string> = {
  signed_in: 'sign-in from a new network',
  password_changed: 'password changed',
  password_reset: 'password reset',
  password_reset_by_link: 'password changed',
  totp_added: 'authenticator app added',
  totp_removed: 'authenticator app removed',
  passkey_added: 'passkey added',
  passkey_removed: 'passkey removed',
  recovery_codes_renewed: 'new recovery codes',
  second_step_reset: 'two-step sign-in reset',
  identity_linked: 'provider linked',
  identity_unlinked: 'provider unlinked',
  api_token_created: 'API token created',
  api_token_revoked: 'API token revoked',
  chat_account_connected: 'chat account connected',
  channel_confirmed: 'channel added',
  email_changed: 'e-mail changed',
};

/** @param shared where servers count together */
export function createSecurityMails(mails: MailQueue, shared?: SharedCounts): SecurityMails {
  const limiter = createLimiter('security-mail', SECURITY_MAILS_PER_HOUR, HOUR_SECONDS, shared);
  return {
    async add(tx, member, event, by, { detail, to = [] } = {}) {
      if (!mails.isConfigured || member.isService) return;
      const isFew = await limiter.consume(`${member.id} ${event}`).then(
        () => true,
        () => false,
      );
      if (!isFew) return;
      const now = Date.now();
      const who = by.id === null || by.id === member.id ? 'You, or whoever is signed in as you' : oneLine(by.name);
      const mail = composeMail(`Your ${PRODUCT_NAME} account: ${SUBJECTS[event]}`, [
        `Hello ${oneLine(member.displayName)},`,
        SENTENCES[event],
        ...(detail === undefined ? [] : [{ quote: detail }]),
        `When: ${formatUtc(now)}. Who: ${who}.${by.ip === null ? '' : ` Address: ${by.ip}.`}`,
        'If you do not know about this, change your password, end your sessions and API tokens in My account, and report it to an administrator.',
        { action: 'Open My account', address: new URL('/account', mails.publicUrl).href },
      ]);
      for (const address of new Set([member.email, ...to])) {
        await mails.add(tx, { to: address, ...mail }, { userId: member.id, expiresAt: now + EXPIRES_MS });
      }
    },
  };
}
