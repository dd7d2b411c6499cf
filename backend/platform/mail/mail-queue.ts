import { latestFrom } from '#backend/platform/database/ahead.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import type { MailSettings } from './mail-config.ts';
import { EntitySchema, LessThanOrEqual, MoreThan } from 'typeorm';
import { idColumn, longTextColumn, nullable, primary, timeColumn } from '#backend/platform/database/columns.ts';
import { newId } from '#backend/platform/database/ids.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import type { Transaction } from '#backend/platform/database/transaction.ts';
import { type Mail, type MailTransport, isRefusedMail, sendInTime } from './mail-transport.ts';

/** A mail that is to be sent. */
export interface StoredMail {
  id: string;
  /** Recipient and text, encrypted: there are links in it, of which only hashes are stored elsewhere. */
  sealed: string;
  /** The link that is in it, whose row says what became of the mail; null for a mail about something else. */
  linkId: string | null;
  /** The member whom it is for, who is sent nothing once their account is disabled; null for a link. */
  userId: string | null;
  attempts: number;
  /** When it is tried next. */
  nextAt: number;
  /** From when on it is of no use. */
  expiresAt: number;
  createdAt: number;
}

export const MailEntity = new EntitySchema<StoredMail>({
  name: 'Mail',
  tableName: 'mails',
  columns: {
    id: primary(idColumn('id')),
    sealed: longTextColumn('sealed'),
    linkId: nullable(idColumn('link_id')),
    userId: nullable(idColumn('user_id')),
    attempts: { type: 'int' },
    nextAt: timeColumn('next_at'),
    expiresAt: timeColumn('expires_at'),
    createdAt: timeColumn('created_at'),
  },
});

const MINUTE_MS = 60_000;

/** Waits after each attempt that failed. After the last one the mail is given up: six hours and twenty minutes in all. */
const RETRIES_MS = [1, 4, 15, 60, 300].map((minutes) => minutes * MINUTE_MS);

/** No mail waits for longer, in milliseconds. */
const LONGEST_WAIT_MS = Math.max(...RETRIES_MS);

/** Mails that are read together, and how often due mails are polled, in milliseconds. */
const BATCH_MAILS = 10;
const POLL_MS = 1_000;

/** What a mail is about. */
type MailSubject = { expiresAt: number } & ({ linkId: string } | { userId: string });

/** Takes mails in, in the transaction of what they are about; nobody waits for a mail server. */
export interface MailQueue {
  isConfigured: boolean;
  /** The origin of links; set wherever mails can be sent. */
  publicUrl: URL | undefined;
  /** @param about the link that is in it, or the member whom it is for, and from when on it is of no use */
  add(tx: Transaction, mail: Mail, about: MailSubject): Promise<void>;
}

/** The queue of mails, which is empty for ever where no mail server is configured. */
export function createMailQueue({ config, sealing }: { config: MailSettings; sealing: Sealing }): MailQueue {
  return {
    isConfigured: config.mail !== undefined,
    publicUrl: config.publicUrl,
    async add(tx, mail, { expiresAt, ...about }) {
      const id = newId();
      const sealed = sealing.seal(JSON.stringify(mail), id);
      const now = Date.now();
      await tx.getRepository(MailEntity).insert({
        id,
        sealed,
        linkId: null,
        userId: null,
        ...about,
        attempts: 0,
        nextAt: now,
        expiresAt,
        createdAt: now,
      });
    },
  };
}

/** Longest reason of a mail server that is kept, in characters. */
export const MAX_MAIL_ERROR = 300;

/** Which members get mails, and where the result of a mail with a link is written. */
export interface MailSubjects {
  /** The e-mail of a member who may still be sent mails. */
  addressOf(userId: string): Promise<string | undefined>;
  /** Whether a member has still chosen mails of a kind. */
  isChosen(userId: string, kind: string): Promise<boolean>;
  /** Writes what became of a mail with a link, in the transaction that ends the mail, or that puts it off. */
  reportLink(tx: Transaction, linkId: string, state: 'sent' | 'failed' | 'queued', error: string | null): Promise<void>;
}

/** Dependencies of sending mails. */
interface SendingDeps {
  database: Database;
  logger: Logger;
  sealing: Sealing;

  transport: MailTransport;
  subjects: MailSubjects;
  retriesMs?: readonly number[];
  /** By which time mails are of no use any more: a clock that runs ahead gives none up. */
  steadyNow?: () => number | Promise<number>;
}

/** Sends what is queued, again and again, until it is stopped. Of several servers one does. */
export function startSending(deps: SendingDeps): Repeating {
  return startRepeating((stopping) => sendDue(deps, stopping), {
    intervalMs: POLL_MS,
    onError: (error) => deps.logger.error({ err: error }, 'queued mails could not be read; the next attempt follows'),
  });
}

/** Sends the mails that are due, one after the other. */
export async function sendDue(deps: SendingDeps, stopping: AbortSignal): Promise<void> {
  const now = Date.now();
  const due = await deps.database.reads.getRepository(MailEntity).find({
    where: [{ nextAt: LessThanOrEqual(now) }, { nextAt: MoreThan(latestFrom(now, LONGEST_WAIT_MS)) }],
    order: { nextAt: 'ASC', id: 'ASC' },
    take: BATCH_MAILS,
  });
  for (const mail of due) {
    if (stopping.aborted) return;
    await sendOne(deps, mail, stopping);
  }
}

async function sendOne(deps: SendingDeps, mail: StoredMail, stopping: AbortSignal): Promise<void> {
  const { database, logger, sealing, transport, subjects, retriesMs = RETRIES_MS, steadyNow = Date.now } = deps;
  const { id, attempts, linkId } = mail;
  const waitMs = retriesMs[attempts];
  // Before it is sent: a server that dies in the middle, or is not the one that sends any more, does not send it again at once.
  const isMine = await database.transaction(async (tx) => {
    const next = { attempts: attempts + 1, nextAt: Date.now() + (waitMs ?? MINUTE_MS) };
    return (await tx.getRepository(MailEntity).update({ id, attempts }, next)).affected === 1;
  });
  if (!isMine) return;
  const finish = (state: 'sent' | 'failed', mailError: string | null) =>
    database.transaction(async (tx) => {
      // Revoked meanwhile, it is gone; renewed, its link has another mail.
      const { affected } = await tx.getRepository(MailEntity).delete({ id });
      if (affected === 1 && linkId) await subjects.reportLink(tx, linkId, state, mailError);
    });
  if (mail.expiresAt <= (await steadyNow())) return finish('failed', 'The link ran out before it could be mailed.');
  const address = mail.userId ? await subjects.addressOf(mail.userId) : undefined;
  if (mail.userId && address === undefined) return finish('failed', null);
  const fail = async (error: unknown): Promise<void> => {
    const reason = reasonOf(error);
    const isFinal = waitMs === undefined || isRefusedMail(error);
    logger.warn({ mail: id, attempt: attempts + 1, reason, isFinal }, 'a mail could not be sent');
    if (isFinal) return finish('failed', reason);
    await database.transaction(async (tx) => {
      if (linkId) await subjects.reportLink(tx, linkId, 'queued', reason);
    });
  };
  let opened: Mail;
  try {
    opened = JSON.parse(sealing.open(mail.sealed, id)) as Mail;
  } catch (error) {
    return fail(error);
  }
  const { kind } = opened;
  // Where the database does not answer, the mail has not failed: the next attempt asks again.
  if (mail.userId && kind !== undefined && !(await subjects.isChosen(mail.userId, kind))) {
    logger.info({ mail: id, kind }, 'a mail was not sent: its member does not choose its kind any more');
    return finish('failed', null);
  }
  // What a member chose is theirs, whatever their e-mail was when it was queued; what is mailed to the one before names it.
  if (kind !== undefined && address !== undefined) opened.to = address;
  try {
    // The attempt is written down: the next one follows.
    if (!(await sendInTime(transport, opened, stopping))) return;
  } catch (error) {
    return fail(error);
  }
  await finish('sent', null);
}

/** What the mail server or the connection to it said, in one line. */
const reasonOf = (error: unknown): string =>
  String(error instanceof Error ? error.message : error)
    .replaceAll(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_MAIL_ERROR)
    .toWellFormed();
