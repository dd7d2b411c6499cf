import { type AlertSeverity, alertSeveritySchema } from '#backend/contract/alert.ts';
import type { SeverityCounts } from '#backend/contract/severity-counts.ts';
import type { Database } from '#backend/platform/database/database.ts';
import type { SearchIndex } from '#backend/platform/search/search-index.ts';
import type { NarrowedList } from '#backend/alerts/alert/alert-list.ts';
import { findAlertPage } from './alert-pages.ts';
import { countByCounters } from './count-narrowed.ts';

type Reads = { database: Database; search: SearchIndex };

/**
 * How many alerts of each severity a narrowed list has, the highest first. Each is counted as the list itself would be if it
 * were narrowed to that severity, so that the numbers are those that its heads show then.
 */
export async function countSeverities(context: Reads, list: NarrowedList): Promise<SeverityCounts> {
  const counts: SeverityCounts = [];
  // One after the other: a search looks through the same alerts for each.
  for (const severity of alertSeveritySchema.options) {
    const { alerts, isExact } = await countOf(context, withSeverity(list, severity));
    if (alerts > 0) counts.push({ severity, alerts, ...(!isExact && { isAtLeast: true }) });
  }
  return counts;
}

/** The list narrowed to one severity more; parts that were narrowed to others are empty then. */
function withSeverity(list: NarrowedList, severity: AlertSeverity): NarrowedList {
  const parts = list.parts.flatMap(({ list: place, filter }) =>
    (filter.severity?.includes(severity) ?? true) ? [{ list: place, filter: { ...filter, severity: [severity] } }] : [],
  );
  return { ...list, parts };
}

async function countOf(context: Reads, list: NarrowedList): Promise<{ alerts: number; isExact: boolean }> {
  const known = await countByCounters(context, list);
  if (known !== undefined) return { alerts: known, isExact: true };
  const { total, isTotalExact } = await findAlertPage(context, list, { limit: 1, sort: 'newest' });
  return { alerts: total, isExact: isTotalExact };
}
