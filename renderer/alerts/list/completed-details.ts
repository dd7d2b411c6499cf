import { countText } from '#backend/contract/count-text.ts';
import type { Alert } from '#backend/contract/alert.ts';
import { dateOf, formatDay } from '#renderer/lib/times.ts';
import * as texts from './completed-texts.tsx';

interface Counted {
  now: Date;
  /** All of the list is loaded. */
  isWhole: boolean;
  total: number;
  /** What the server says of a longer list. */
  known: { completedSince: number; oldestCompletedAt?: string | undefined } | undefined;
}

/** "4 today, the oldest from Nov 9", "all today", "the oldest from Nov 9": what is known of it. */
export function detailsOf(
  alerts: readonly Pick<Alert, 'completedAt'>[],
  { now, isWhole, total, known }: Counted,
): string {
  const today = dateOf(now);
  const ofToday = alerts.findIndex(
    ({ completedAt }) => completedAt === undefined || dateOf(new Date(completedAt)) !== today,
  );
  const isCounted = isWhole || ofToday !== -1;
  const count = isCounted ? (ofToday === -1 ? alerts.length : ofToday) : known?.completedSince;
  const oldest = isWhole
    ? alerts.findLast(({ completedAt }) => completedAt !== undefined)?.completedAt
    : known?.oldestCompletedAt;
  if (count !== undefined && count === total) return total === 1 ? 'today' : texts.allToday;
  return [
    ...(count ? [texts.countToday(countText(count))] : []),
    ...(oldest === undefined ? [] : [`${total === 1 ? '' : texts.theOldest}from ${formatDay(new Date(oldest), now)}`]),
  ].join(', ');
}

const OPEN = ['accepted', 'in-progress'] as const;
const LABELS = { accepted: 'accepted', 'in-progress': texts.inProgress } as const;

/** "4 accepted, 3 in progress", without what is none; undefined where that is not the total. */
export function statusText(
  counts: Readonly<Record<(typeof OPEN)[number], number>> | undefined,
  total: number | undefined,
): string | undefined {
  if (!counts || total === 0 || counts.accepted + counts['in-progress'] !== total) return undefined;
  return OPEN.flatMap((status) =>
    counts[status] === 0 ? [] : [`${countText(counts[status])} ${LABELS[status]}`],
  ).join(', ');
}
