import type { Alert } from '#backend/contract/alert.ts';
import { subjectOf } from '#renderer/lib/alerts/alert-name.ts';
import { type NewsToast, describeNews } from '#renderer/lib/toast-queue.ts';

/** The one toast for new alerts, if there are any. */
export function newsOf(alerts: readonly Alert[]): NewsToast | undefined {
  const customers = alerts.map(({ customer }) => customer);
  const [first] = customers;
  if (first === undefined) return undefined;
  const description = describeNews({ alerts: 1, customers: new Set(first === null ? [] : [first]) });
  return { intent: 'news', title: 'New alert received', description, customers, subjects: alerts.map(subjectOf) };
}
