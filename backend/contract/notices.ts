import { countText } from './count-text.ts';
import { cutText } from './cut-text.ts';
import { newsTitle, pathOfAlert } from './alert-news.ts';
import type { Alert } from './alert.ts';
import type { AlertsReturned, MemberNotice } from './live-event.ts';
import type { WindowEnd } from './maintenance.ts';

/**
 * What notifications of the system say, and where a click leads: the same from the server's pushes, the pages and the desktop
 * app (docs/decisions/0043-personal-notifications.md).
 */

/** What a notification says. */
export interface NoticeText {
  title: string;
  body: string;
}

/** A notification that is no news of one alert: of what a colleague did, or of alerts that came back. */
export interface PersonalNotice extends NoticeText {
  /** A path of the app. */
  path: string;
  /** It says that nobody has taken this alert, and is over once somebody has. */
  untakenAlertId?: string | undefined;
}

/** What a notification shows of a name or a text; the whole is in the app. */
const MAX_NAME_LENGTH = 80;
const MAX_TEXT_LENGTH = 200;

/** Where several alerts that came to the member are, and several that came back to everybody. */
const QUEUE = '/my-alerts';
const INBOX = '/';

/** Text from outside: no line breaks, nothing that turns the direction of the words after it, and not endless. */
export function shortLine(text: string, maxLength = MAX_NAME_LENGTH): string {
  const line = text.toWellFormed().replaceAll(/[\p{Cc}\u2028-\u202E\u2066-\u2069]+/gu, ' ');
  return cutText(line.replaceAll(/\s+/g, ' ').trim(), maxLength);
}

/** The toast's words with the type added. @param isBack its snooze has ended. */
export function noticeOfAlert(
  {
    customer,
    alertType,
    isTest = false,
    flapping,
  }: Pick<Alert, 'customer' | 'alertType' | 'isTest'> & { flapping?: unknown },
  isBack: boolean,
): NoticeText {
  const news = newsTitle(isBack, flapping !== undefined);
  const title = isTest ? `Test: ${news}` : news;
  return {
    title: alertType === null ? title : `${title}: ${shortLine(alertType)}`,
    body: customer === null ? NO_CUSTOMER[isBack ? 'back' : 'new'] : `Alert from ${shortLine(customer)}`,
  };
}

const NO_CUSTOMER = { new: 'A new webhook alert has arrived', back: 'Its snooze has ended' };

/** The notification of what a colleague did that concerns the member. */
export function noticeOfMember({
  kind,
  alertId,
  alerts = 1,
  alertTitle,
  text,
  ...names
}: MemberNotice): PersonalNotice {
  const about = [alertTitle, text].flatMap((part) => (part ? [shortLine(part, MAX_TEXT_LENGTH)] : []));
  const isTheirs = kind !== 'reassigned';
  // A storm: nobody has taken these, so they are in nobody's queue.
  const isGroup = kind === 'called' && alerts > 1;
  return {
    title: titleOf(kind, shortLine(names.byName), alerts, names.toName && shortLine(names.toName)),
    body: isGroup && alertTitle ? `${shortLine(text)}, the worst: ${about[0]}` : about.join(': '),
    path: isGroup ? INBOX : alerts === 1 && isTheirs ? pathOfAlert(alertId) : QUEUE,
    ...(kind === 'called' && !isGroup && { untakenAlertId: alertId }),
  };
}

function titleOf(kind: MemberNotice['kind'], by: string, alerts: number, to = ''): string {
  const what = alerts === 1 ? 'an alert' : `${countText(alerts)} alerts`;
  switch (kind) {
    case 'mentioned':
      return `${by} mentioned you`;
    case 'assigned':
      return `${by} assigned ${what} to you`;
    case 'handed_over':
      return `${by} handed over ${what} to you`;
    case 'reassigned':
      return by === to ? `${by} took ${what} of yours` : `${by} gave ${what} of yours to ${to}`;
    case 'called':
      return `Nobody has taken ${what}`;
  }
}

/** The notification of alerts that the server put back into the inbox, as the member `me` reads it. */
export function noticeOfReturn(event: Omit<AlertsReturned, 'type' | 'id'>, me: string): PersonalNotice {
  const { alerts, alertId, ownerId, ownerName, untouchedHours } = event;
  const title = alerts === 1 ? 'An alert is back in the inbox' : `${countText(alerts)} alerts are back in the inbox`;
  const owner = ownerId === me ? 'You' : shortLine(ownerName);
  const body =
    untouchedHours === null
      ? `The account of ${owner} is disabled`
      : `${owner} had not touched ${alerts === 1 ? 'it' : 'them'} for ${hoursLabel(untouchedHours)}`;
  return { title, body, path: alerts === 1 ? pathOfAlert(alertId) : INBOX };
}

/** The notification of a maintenance window that has ended. */
export function noticeOfWindowEnd(ended: Omit<WindowEnd, 'id' | 'severity'>): PersonalNotice {
  return { title: `${shortLine(ended.name)} has ended.`, body: whatIsLeft(ended), path: INBOX };
}

function whatIsLeft({ kept, stillFiring, movedOn = 0 }: Omit<WindowEnd, 'id' | 'severity'>): string {
  const [all, left, moved] = [kept, stillFiring, movedOn].map((count) => countText(count));
  if (kept === 0) return 'No alert arrived meanwhile.';
  const stay = `${movedOn === 1 ? 'stays' : 'stay'} quiet by another window.`;
  if (stillFiring === 0) return movedOn === 0 ? `None of ${all} still fires.` : `${moved} of ${all} ${stay}`;
  const fire = `${left} of ${all} still ${stillFiring === 1 ? 'fires' : 'fire'}`;
  return movedOn === 0 ? `${fire}.` : `${fire}, ${moved} ${stay}`;
}

/** A number of hours as people say it: "72" is "3 days". */
export function hoursLabel(hours: number): string {
  const [count, unit] = hours % 24 === 0 ? [hours / 24, 'day'] : [hours, 'hour'];
  return `${countText(count)} ${unit}${count === 1 ? '' : 's'}`;
}
