import { performance } from 'node:perf_hooks';
import { MAIL_TYPE } from '#backend/intake/adapters/email.ts';
import { maskSentRequest } from '#backend/intake/delivery-log/mask-request.ts';
import type { DeliveryLog } from '#backend/intake/delivery-log/delivery-log.ts';
import type { LoggedRequest } from '#backend/intake/delivery-log/delivery-row.ts';
import { maskIn } from '#backend/intake/reading/mask-secret.ts';
import type { PresentedSecret, SourceRegistry } from '#backend/intake/sources/source-registry.ts';
import { readMailSubject } from '#backend/intake/understanding/mail-subject.ts';
import { plainText } from '#backend/intake/understanding/plain-text.ts';
import { type DeliverDeps, deliver } from '#backend/intake/webhooks/deliver.ts';
import type { Database } from '#backend/platform/database/database.ts';
import { withPatienceToTheEnd } from '#backend/platform/database/patience.ts';
import { newId } from '#backend/platform/database/ids.ts';
import type { MailAuthentication, MailCheck } from './authenticate-mail.ts';
import { answerOf, reasonOf } from './mail-answers.ts';
import { joinThread } from './mail-threads.ts';
import type { MailContent, ReadMail } from './read-mail.ts';

/** What the log has in the place of an HTTP method, and of a path. */
export const MAIL_METHOD = 'SMTP';
export const MAIL_TARGET = '/mail';

/** Status of an email that is stored, and of one whose address was refused. */
const STORED = 250;
const REFUSED = 550;

/** Dependencies of storing emails. */
export type TakeMailDeps = DeliverDeps & {
  database: Database;
  sources: Pick<SourceRegistry, 'noteUse' | 'noteSender'>;
  deliveryLog: DeliveryLog;
  /** The domain of all addresses. */
  domain: string;
};

/** Who handed an email over, and to which address of a source. */
export interface MailRecipient {
  found: PresentedSecret;
  /** What stands before the @: a secret, masked wherever it stands. */
  localPart: string;
}

/** An email on its way. */
export interface IncomingMail {
  remoteAddress: string;
  /** The name of HELO or EHLO. */
  helo: string;
  /** The address of MAIL FROM. */
  envelopeFrom: string;
  /** Bytes of the whole message. */
  size: number;
  receivedAt: number;
  /** When it was received as a whole, a moment of `performance.now()`. */
  readAt: number;
}

/**
 * Stores an email as a delivery to one source, the same way as a webhook's, and has the log note it.
 *
 * @throws {MailError} when it is not stored
 */
export async function takeMail(
  deps: TakeMailDeps,
  mail: IncomingMail,
  recipient: MailRecipient,
  read: ReadMail,
  authentication: MailAuthentication,
): Promise<void> {
  const { source, secret } = recipient.found;
  const { content } = read;
  const headers = headersOf(mail, content, authentication, read.json === null ? MAIL_TYPE : 'application/json');
  let text = read.json ?? '';
  const secrets = () => addressesIn([text, ...headers.flat()].join('\n'), deps.domain, recipient.localPart);
  try {
    const full = deps.writer.expectRoom();
    if (full) await full;
    deps.sources.noteUse(secret, mail.remoteAddress);
    if (read.json === null) {
      const thread = await findThread(deps.database, source.id, content, mail.receivedAt);
      text = writeMail(content, thread, authentication);
    }
    const sent = { headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])), text };
    const delivered = await deliver(deps, {
      source,
      secretId: secret.id,
      ...maskSentRequest({ ...sent, target: MAIL_TARGET }, secrets(), '/in/:token'),
      receivedAt: mail.receivedAt,
      readAt: mail.readAt,
    });
    const { sender, recognisedBy, text: body } = delivered.read;
    if (source.settings.adapter === 'auto') deps.sources.noteSender(source, sender);
    deps.deliveryLog.add({
      ...loggedMail(mail, recipient, STORED, headers),
      secrets: secrets(),
      outcome: delivered.outcome,
      summary: delivered.summary,
      results: delivered.events,
      sender,
      recognisedBy,
      body,
      bodyOfAlert: delivered.bodyOfAlert,
    });
  } catch (error) {
    const answer = answerOf(error);
    deps.deliveryLog.add({
      ...loggedMail(mail, recipient, answer.responseCode, headers),
      secrets: secrets(),
      summary: reasonOf(answer),
      body: maskIn(text, secrets()),
    });
    throw answer;
  }
}

/**
 * What stands before the @ of every source's address that a text names, as it is written there: relays change the case of
 * letters, and other recipients are named as well. Whoever sees the alert of one source must not be able to send to another.
 */
function addressesIn(text: string, domain: string, own: string): string[] {
  const pattern = new RegExp(String.raw`[a-z2-7]{32}(?=@${domain.replaceAll('.', String.raw`\.`)})`, 'gi');
  return [...new Set([own, ...(text.match(pattern) ?? [])])];
}

/** The problem that an email belongs to. An automatic answer belongs to none, and is remembered by nobody. */
function findThread(
  database: Database,
  sourceId: string,
  { subject, text, messageId, references, listTag, ignored }: MailContent,
  now: number,
): Promise<string | undefined> {
  if (ignored !== null) return Promise.resolve(undefined);
  const { key } = readMailSubject(subject ?? plainText(text), listTag ?? undefined);
  return withPatienceToTheEnd(() => joinThread(database, sourceId, { messageId, references, subjectKey: key }, now));
}

/** The payload of an email's alert: what it has, without what it lacks. */
function writeMail(content: MailContent, thread: string | undefined, authentication: MailAuthentication): string {
  const { isTextCut, importance, references, attachments, ...always } = content;
  const members = {
    ...always,
    ...(isTextCut && { isTextCut }),
    ...(importance !== 'normal' && { importance }),
    ...(references.length > 0 && { references }),
    ...(attachments.length > 0 && { attachments }),
    thread,
    authentication,
  };
  return JSON.stringify(members, (_name, value: unknown) => (value === null ? undefined : value));
}

/** What the log shows of the envelope and the message, in the order in which people read it. */
function headersOf(
  { envelopeFrom, helo, remoteAddress }: IncomingMail,
  { from, to, subject, messageId }: MailContent,
  { spf, dkim, dmarc }: MailAuthentication,
  contentType: string,
): [string, string][] {
  const sender = from.name === null ? (from.address ?? '') : `${from.name} <${from.address ?? ''}>`;
  const headers: [string, string | null][] = [
    ['From', sender],
    ['To', to.join(', ')],
    ['Subject', subject],
    ['SPF', describe(spf)],
    ['DKIM', describe(dkim)],
    ['DMARC', describe(dmarc)],
    ['Envelope-From', envelopeFrom === '' ? '<>' : envelopeFrom],
    ['Received-From', `${helo} [${remoteAddress}]`],
    ['Message-ID', messageId],
    ['Content-Type', contentType],
  ];
  return headers.flatMap(([name, value]): [string, string][] =>
    value === null || value === '' ? [] : [[name, value]],
  );
}

const describe = ({ result, domain }: MailCheck): string => (domain === null ? result : `${result} (${domain})`);

/** What the log notes of every email: as refused until it is known better. */
function loggedMail(
  mail: IncomingMail,
  recipient: MailRecipient | undefined,
  status: number,
  headers: readonly [string, string][],
): LoggedRequest {
  const source = recipient?.found.source;
  return {
    id: newId(),
    source: source ? { id: source.id, keepBodiesUpTo: source.settings.keepBodiesUpTo } : null,
    receivedAt: mail.receivedAt,
    outcome: 'refused',
    way: 'token',
    summary: '',
    results: [],
    status,
    size: mail.size,
    durationMs: performance.now() - mail.readAt,
    remoteAddress: mail.remoteAddress,
    sender: 'email',
    recognisedBy: null,
    replayOf: null,
    isUnverified: false,
    maskedKey: null,
    method: MAIL_METHOD,
    target: MAIL_TARGET,
    rawHeaders: headers.flat(),
    body: null,
    bodyOfAlert: null,
    secrets: recipient ? [recipient.localPart] : [],
  };
}

/**
 * What the log notes of an email whose message was not read.
 *
 * @param recipient undefined for an address of nobody
 */
export const loggedRefusal = (
  mail: IncomingMail,
  recipient: MailRecipient | undefined,
  reason: string,
  status = REFUSED,
): LoggedRequest => ({
  ...loggedMail(mail, recipient, status, [
    ['Envelope-From', mail.envelopeFrom === '' ? '<>' : mail.envelopeFrom],
    ['Received-From', `${mail.helo} [${mail.remoteAddress}]`],
  ]),
  summary: reason,
});
