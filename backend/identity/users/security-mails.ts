import type { User } from './user.ts';
import type { AuditAction } from '#backend/contract/audit-entry.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';

/** What members are mailed about their own accounts, as the audit trail calls it, each with its sentence. */
export const SENTENCES = {
  signed_in: 'Somebody signed in to your account from a network in which you are signed in nowhere else.',
  password_changed: 'The password of your account was changed.',
  password_reset: 'An administrator gave your account another password.',
  password_reset_by_link: 'The password of your account was changed by a reset link.',
  totp_added: 'An authenticator app was set up for your account.',
  totp_removed: 'The authenticator app was removed from your account.',
  passkey_added: 'A passkey was added to your account.',
  passkey_removed: 'A passkey was removed from your account.',
  recovery_codes_renewed: 'Your account got new recovery codes; those before are good no more.',
  second_step_reset: 'An administrator removed the second steps of your account.',
  identity_linked: 'Your account was linked to a provider, which signs you in from now on.',
  identity_unlinked: 'A provider was unlinked from your account.',
  api_token_created: 'An API token was made that acts for you.',
  api_token_revoked: 'An API token that acted for you was revoked.',
  chat_account_connected: 'An account of a chat was connected to your account. Its buttons act for you from now on.',
  channel_confirmed:
    'A channel was added to your account: you are notified there, too. Whoever reads it reads of your alerts.',
  email_changed: 'An administrator changed the e-mail with which you sign in.',
} as const satisfies Partial<Record<AuditAction, string>>;

/** What members are mailed about. */
export type SecurityEvent = keyof typeof SENTENCES;

/** Whom a mail is about and goes to. */
type Member = Pick<User, 'id' | 'email' | 'displayName' | 'isService'>;

/** Who did it, and from where: an author of the audit trail. */
interface Doer {
  id: string | null;
  name: string;
  ip: string | null;
}

/** Mails members what happens to their accounts, in the transaction in which it does. */
export interface SecurityMails {
  /**
   * Queues the mail, where mails can be sent. It names no secret.
   *
   * @param detail what it was done to, such as a token's name
   * @param to another address than the member's present one, too
   */
  add(
    tx: Transaction,
    member: Member,
    event: SecurityEvent,
    by: Doer,
    more?: { detail?: string; to?: readonly string[] },
  ): Promise<void>;
}

/** For the server's own command line, whose user is at the machine. */
export const NO_SECURITY_MAILS: SecurityMails = { add: async () => undefined };
