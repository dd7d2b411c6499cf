import type { AlertCompletion } from './alert-query.ts';
import { parseSearch } from './search.ts';
import type { ViewList } from './view.ts';

/** What a view counts: of My Alerts the open alerts, as that page does, unless the search itself names a status; else all. */
export const completionOfView = (list: ViewList, search: string): AlertCompletion | undefined =>
  list === 'mine' && parseSearch(search, ANY_CLOCK).status.length === 0 ? 'open' : undefined;

/** No status depends on it. */
const ANY_CLOCK = { now: 0, timeZone: 'UTC' } as const;
