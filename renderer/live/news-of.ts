import type { LiveEvent } from '#backend/contract/live-event.ts';
import type { NewsToast } from '#renderer/lib/toast-queue.ts';

/** The one toast for the new alerts among these events, if there are any (spec.md section 8, "New alert received"). */
export function newsOf(events: readonly LiveEvent[]): NewsToast | undefined {
  const customers = events.flatMap((event) => (event.type === 'new_alert' ? [event.alert.customer] : []));
  const [first] = customers;
  if (first === undefined) return undefined;
  const description = first === null ? 'A new webhook alert has arrived' : `Alert from ${first}`;
  return { intent: 'news', title: 'New alert received', description, customers };
}
