import { isFullDisk } from '#backend/platform/database/driver-errors.ts';
import { ProblemError } from '#backend/platform/endpoint/errors.ts';
import type { MailOutcome } from '#backend/platform/metrics/observers.ts';
import { UnreadableMail } from './read-mail.ts';

/** Why an email was not stored, for metrics. */
type MailRejection = Exclude<MailOutcome, 'stored'>;

/**
 * An answer other than 250. Codes from 400 on are temporary: the sender's mail server tries again for days; from 500 on they
 * are final, and it reports to the author (RFC 5321, section 4.2.1).
 */
export class MailError extends Error {
  readonly responseCode: number;
  readonly reason: MailRejection;

  /** @param text begins with the enhanced code (RFC 3463) that belongs to the code */
  constructor(responseCode: number, text: string, reason: MailRejection, cause?: unknown) {
    super(text, { cause });
    this.responseCode = responseCode;
    this.reason = reason;
  }
}

/** Why an email was not stored, for the operators of its source. */
export const reasonOf = ({ message }: MailError): string => message.replace(/^\d\.\d\.\d /, '');

/** The same for a wrong address, another domain, and a secret that is not accepted: nobody learns which. */
export const noMailbox = (reason: MailRejection = 'unknown'): MailError =>
  new MailError(550, '5.1.1 There is no mailbox with this address', reason);

export const tooManyMails = (): MailError =>
  new MailError(451, '4.7.1 Too many emails at the moment, try again later', 'limited');

export const tooMuchInFlight = (): MailError =>
  new MailError(452, '4.3.1 Too much is being received at the moment, try again later', 'limited');

export const tooLargeMail = (maxBytes: number): MailError =>
  new MailError(552, `5.3.4 The message is larger than ${maxBytes.toLocaleString('en')} bytes`, 'too_large');

/** The answer for what went wrong while a message was read or stored. */
export function answerOf(error: unknown): MailError {
  if (error instanceof MailError) return error;
  if (error instanceof UnreadableMail) {
    return new MailError(
      554,
      '5.6.0 The message cannot be read: it has too many parts or too long a header',
      'unreadable',
      error,
    );
  }
  if (isFullDisk(error)) {
    return new MailError(452, '4.3.1 There is no room to store the message, try again later', 'unavailable', error);
  }
  if (!(error instanceof ProblemError)) return unavailable(error);
  const { status } = error;
  if (status === 401) return noMailbox('refused');
  if (status === 413) return new MailError(552, '5.3.4 The text of the message is too large', 'too_large', error);
  if (status === 429) return tooManyMails();
  if (status < 500) return new MailError(554, '5.6.0 The text of the message cannot be read', 'unreadable', error);
  return unavailable(error);
}

const unavailable = (cause: unknown): MailError =>
  new MailError(451, '4.3.0 The message cannot be stored at the moment, try again later', 'unavailable', cause);
