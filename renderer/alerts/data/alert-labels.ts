import type { Alert, AlertStatus, WorkStatus } from '#backend/contract/alert.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import type { ToastSubject } from '#renderer/toasts/stored-recent.ts';
import { plainText } from './summarise-value.ts';

/** Label of each status. */
export const STATUS_LABELS: Record<AlertStatus, string> = {
  pending: 'Pending',
  accepted: 'Accepted',
  'in-progress': 'In Progress',
  completed: 'Completed',
};

/** The statuses that the switcher offers, in its order. */
export const WORK_STATUSES: readonly WorkStatus[] = ['accepted', 'in-progress', 'completed'];

/** What a name shows of a sender's text, in characters. */
const MAX_LENGTH = 120;

/** The type, cleaned, where it says more than the headline: senders without a title have the type as one. */
export function typeBeside({ alertType, title }: Pick<Alert, 'alertType' | 'title'>): string | undefined {
  const type = inertLine(alertType ?? '');
  return type === '' || plainText(type) === plainText(title ?? '') ? undefined : type;
}

/** What happened, in the sender's text, where the server has understood it. */
export const alertHeadline = ({ title }: Pick<Alert, 'title'>): string | undefined =>
  title === null ? undefined : cut(inertLine(title));

/**
 * An alert as a person would name it: "disk.full from Nordwind: Disk almost full on db-7", without what it does not say.
 */
export function alertName(alert: Pick<Alert, 'customer' | 'alertType' | 'title'>): string {
  const customer = alert.customer === null ? '' : inertLine(alert.customer);
  const type = alert.alertType === null ? '' : inertLine(alert.alertType);
  const headline = alertHeadline(alert);
  if (type === '' && customer === '') return headline ?? 'Alert without a customer';
  const source = `${type || 'Alert'}${customer === '' ? '' : ` from ${customer}`}`;
  return headline === undefined || headline === type ? source : `${source}: ${headline}`;
}

/** The headline above an alert's details: its title, or else what names it. */
export const alertTitle = (alert: Pick<Alert, 'customer' | 'alertType' | 'title'>): string =>
  alert.title === null ? alertName(alert) : inertLine(alert.title);

/** The alert as toasts name it. */
export const subjectOf = (alert: Alert): ToastSubject => ({
  text: alertName(alert),
  alertId: alert.id,
  ...(hasMark(alert) && { severity: alert.severity, state: alert.state }),
  ...(alert.isTest && { isTest: true }),
});

/** Whether the mark of the severity shows anything. */
const hasMark = ({ severity, state }: Alert): boolean => severity !== 'none' || state === 'resolved';

const cut = (text: string): string =>
  text.length <= MAX_LENGTH ? text : `${text.slice(0, MAX_LENGTH - 1).trimEnd()}…`;
