import { differenceInCalendarDays, isSameYear } from 'date-fns';
import { pathOfAlert } from '#backend/contract/alert-news.ts';
import type { Notice } from '#backend/contract/notice.ts';
import { spanOf } from '#renderer/alerts/data/problem-labels.ts';
import { onTheWall } from '#renderer/lib/clock.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { PATHS } from '#renderer/lib/paths.ts';
import { writeTime } from '#renderer/lib/times.ts';

/** A part of a sentence; names and numbers of it are strong. */
export interface SentencePart {
  text: string;
  isStrong?: true;
}

const strong = (text: string): SentencePart => ({ text: inertLine(text), isStrong: true });

/** What somebody did: "Jonas Okafor handed over 7 alerts". */
export function sentenceOf({ kind, byName, toName = '', alerts }: Notice): SentencePart[] {
  const by = strong(byName);
  const some = alerts === 1 ? { text: 'an alert' } : strong(`${alerts} alerts`);
  switch (kind) {
    case 'mentioned':
      return [by, { text: ' mentioned you' }];
    case 'handed_over':
      return [by, { text: ' handed over ' }, some];
    case 'assigned':
      return [by, { text: ' assigned you ' }, some];
    case 'reassigned':
      return byName === toName
        ? [by, { text: ' took ' }, some, { text: ' of yours' }]
        : [by, { text: ' gave ' }, some, { text: ' of yours to ' }, strong(toName)];
    case 'called':
      return [by, { text: ' calls you: nobody has taken ' }, some];
  }
}

/** What a notice calls its alert, and beside it the customer where that is not the name. */
export function headlineOf({ alert, alerts }: Notice): { headline: string; customer: string | undefined } {
  const { title, customer } = alert;
  const name = inertLine(title ?? customer ?? '') || 'An alert';
  if (alerts > 1) return { headline: `${name} and ${alerts - 1} more`, customer: undefined };
  return { headline: name, customer: title !== null && customer !== null ? inertLine(customer) : undefined };
}

/** Why the alert cannot be opened; undefined where it can, and where the sentence says it. */
export function goneText({ alert, alerts, kind }: Notice): string | undefined {
  if (alerts > 1 || kind === 'reassigned') return undefined;
  const { access, deletedBy, isCompleted, ownerName } = alert;
  if (access === 'deleted')
    return deletedBy === undefined ? 'It was deleted.' : `It was deleted by ${inertLine(deletedBy)}.`;
  if (isCompleted) return 'It was completed before anyone accepted it.';
  if (access === 'taken')
    return ownerName === undefined ? 'Someone else has it.' : `${inertLine(ownerName)} has it now.`;
  return undefined;
}

/** Where a notice leads: to its alert, of several to the queue that has them; undefined where the alert cannot be opened. */
export function pathOfNotice(notice: Notice): string | undefined {
  const { alert, alerts, kind } = notice;
  if (alerts > 1 && kind === 'called') return PATHS.inbox;
  if (alerts > 1 || kind === 'reassigned') return PATHS.myAlerts;
  return alert.access === 'visible' ? pathOfAlert(alert.id) : undefined;
}

const daysAgo = (time: Date, now: Date): number => differenceInCalendarDays(onTheWall(now), onTheWall(time));

/** The day of a notice, as its group is called: "Today", "Yesterday", "Monday, November 23". */
export function dayLabel(createdAt: string, now: Date): string {
  const time = new Date(createdAt);
  const days = daysAgo(time, now);
  if (days <= 0) return 'Today';
  if (days === 1) return 'Yesterday';
  return writeTime(time, isSameYear(onTheWall(time), onTheWall(now)) ? 'EEEE, MMMM d' : 'EEEE, MMMM d, yyyy');
}

/** How old a notice of today is, and at which time an older one came: "4 min", "9:12 AM". */
export function ageLabel(createdAt: string, now: Date): string {
  const time = new Date(createdAt);
  if (daysAgo(time, now) > 0) return writeTime(time, 'h:mm a');
  return spanOf(now.getTime() - time.getTime()) ?? 'just now';
}
