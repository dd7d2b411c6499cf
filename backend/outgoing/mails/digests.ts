import { whyMailed } from './mention-mails.ts';
import type { MailSettings } from '#backend/platform/mail/mail-config.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { Logger } from '#backend/platform/logger/logger.ts';
import type { Sealing } from '#backend/platform/secrets/sealing.ts';
import { In } from 'typeorm';
import { type User, UserEntity } from '#backend/identity/users/user.ts';
import { PRODUCT_NAME } from '#backend/contract/product.ts';
import { isTimeZone } from '#backend/contract/search-times.ts';
import { type Repeating, startRepeating } from '#backend/platform/database/repeat.ts';
import {
  NotificationSettingsEntity,
  type StoredNotificationSettings,
} from '#backend/outgoing/notifications/notification-settings.ts';
import { type Digest, MAX_COUNTED, readDigest } from './digest-content.ts';
import { LATE_MS, decideDigest, lastDigest } from '#backend/outgoing/notifications/digest-time.ts';
import { type MailQueue, createMailQueue } from '#backend/platform/mail/mail-queue.ts';
import { composeMail, type MailPart, oneLine } from '#backend/platform/mail/mail-texts.ts';
import type { Mail } from '#backend/platform/mail/mail-transport.ts';
import { chosenAs } from './unsubscribe.ts';

/** How often due digests are polled, in milliseconds. */
const POLL_MS = 20_000;

/** What digests take. `database` is that of the server that leads, whose transactions hold the lease. */
export interface DigestDeps {
  config: MailSettings;
  database: Database;
  logger: Logger;
  sealing: Sealing;

  now?: () => number;
}

/** Queues digests that are due, again and again, until it is stopped. Of several servers one does. */
export function startDigests(deps: DigestDeps): Repeating {
  return startRepeating((stopping) => queueDigests(deps, stopping), {
    intervalMs: POLL_MS,
    onError: (error) => deps.logger.error({ err: error }, 'digests could not be queued; the next attempt follows'),
  });
}

interface Choice {
  settings: StoredNotificationSettings;
  digestAt: string;
  user: User;
}

/**
 * Queues the digest of every member whose time has come. The day is noted in the transaction that queues the mail, and only
 * where it is as it was read: of two servers, or two turns, one sends it.
 */
export async function queueDigests(deps: DigestDeps, stopping: AbortSignal): Promise<void> {
  const { database, now = Date.now } = deps;
  const mails = createMailQueue(deps);
  for (const { settings, digestAt, user } of await readChoices(deps)) {
    if (stopping.aborted) return;
    const moment = now();
    // One that another machine knew is not to keep everybody from their digest.
    const timeZone = [user.timeZone, settings.digestZone].find((name) => name !== null && isTimeZone(name)) ?? 'UTC';
    const due = lastDigest(digestAt, timeZone, moment);
    const chosen = { doneDay: settings.digestDay, from: settings.digestFrom };
    const decision = decideDigest(chosen, due, timeZone, moment);
    if (decision === 'done') continue;
    const digest = decision === 'send' ? await readDigest(database, user.id, timeZone, moment) : undefined;
    await database.transaction(async (tx) => {
      const { affected } = await tx
        .getRepository(NotificationSettingsEntity)
        .createQueryBuilder()
        .update()
        .set({ digestDay: due.day })
        .where({ userId: user.id, digestAt })
        .andWhere(settings.digestDay === null ? 'digest_day IS NULL' : 'digest_day = :before', {
          before: settings.digestDay,
        })
        .execute();
      if (affected !== 1 || !digest) return;
      // Disabled since they were read.
      if (!(await tx.getRepository(UserEntity).existsBy({ id: user.id, isActive: true }))) return;
      const mail = digestMail(deps, mails, { user, digest, day: due.day, timeZone });
      await mails.add(tx, mail, { userId: user.id, expiresAt: due.at + LATE_MS });
    });
  }
}

/** Members who want a digest and can get one. */
async function readChoices({ database: { reads } }: DigestDeps): Promise<Choice[]> {
  const chosen = await reads
    .getRepository(NotificationSettingsEntity)
    .createQueryBuilder('s')
    .where('s.digest_at IS NOT NULL')
    .getMany();
  if (chosen.length === 0) return [];
  const users = await reads
    .getRepository(UserEntity)
    .findBy({ id: In(chosen.map(({ userId }) => userId)), isActive: true, isService: false });
  const byId = new Map(users.map((user) => [user.id, user]));
  return chosen.flatMap((settings) => {
    const { userId, digestAt } = settings;
    const user = byId.get(userId);
    return user && digestAt !== null ? [{ settings, digestAt, user }] : [];
  });
}

/** The digest of one member's day. */
export function digestMail(
  deps: { config: MailSettings; sealing: Sealing },
  { publicUrl }: Pick<MailQueue, 'publicUrl'>,
  { user, digest, day, timeZone }: { user: User; digest: Digest; day: string; timeZone: string },
): Mail {
  const at = (path: string) => new URL(path, publicUrl).href;
  const as = chosenAs(deps, 'digest', user.id);
  const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeZone: 'UTC' }).format(Date.parse(day));
  const { named, accepted, inProgress } = digest;
  const more = accepted + inProgress - named.length;
  const parts: MailPart[] = [
    `Hello ${oneLine(user.displayName)},`,
    `This is where your alerts stand on ${date} (${timeZone}).`,
    { items: linesOf(digest).map(([text, path]) => ({ text, address: at(path) })) },
    ...(named.length === 0
      ? []
      : [
          'Your open alerts, the most severe first:',
          {
            items: named.map(({ id, headline, severity }) => ({
              text: severity === 'none' ? headline : `${severity}: ${headline}`,
              address: at(`/alert/${id}`),
            })),
          },
        ]),
    ...(more > 0 ? [{ action: `And ${exact(more)} more`, address: at('/my-alerts') }] : []),
    ...whyMailed('a daily digest', at('/settings'), as.unsubscribeUrl),
  ];
  return { to: user.email, ...composeMail(`${PRODUCT_NAME}: ${summaryOf(digest)}`, parts), ...as };
}

const exact = (count: number): string => count.toLocaleString('en');

/** A number that is counted up to a limit. */
const amount = (count: number): string => (count > MAX_COUNTED ? `more than ${exact(MAX_COUNTED)}` : exact(count));

const alerts = (count: number, text = amount(count)): string => `${text} ${count === 1 ? 'alert' : 'alerts'}`;

/** The numbers that are not zero, with the list that each is of. */
function linesOf({ newAlerts, accepted, inProgress, waking, untouched, resolved }: Digest): [string, string][] {
  const lines: [number, string, string][] = [
    [newAlerts, `${alerts(newAlerts)} of the last 24 hours in the inbox`, '/'],
    [accepted, `${alerts(accepted, exact(accepted))} of yours accepted`, '/my-alerts'],
    [inProgress, `${alerts(inProgress, exact(inProgress))} of yours in progress`, '/my-alerts'],
    [waking, `${alerts(waking)} of yours snoozed until today`, '/snoozed'],
    [untouched, `${alerts(untouched)} of yours not touched for a day`, '/my-alerts'],
    [resolved, `${alerts(resolved)} of yours open and resolved by the sender`, '/my-alerts'],
  ];
  return lines.flatMap(([count, text, path]) => (count > 0 ? [[text, path]] : []));
}

function summaryOf({ newAlerts, accepted, inProgress, waking }: Digest): string {
  const own = accepted + inProgress;
  const parts = [
    ...(newAlerts > 0 ? [`${amount(newAlerts)} new`] : []),
    ...(own > 0 ? [`${exact(own)} open`] : []),
    ...(waking > 0 ? [`${amount(waking)} waking today`] : []),
  ];
  return parts.join(', ');
}
