import type { QueryClient } from '@tanstack/react-query';
import { alertListSchema } from '#backend/contract/alert.ts';
import { apiGetPage } from '#renderer/lib/api-client.ts';
import type { AlertListPath } from './alert-view.ts';
import { refetchAlertList } from './refetch-alert-list.ts';
import { setTotal } from './alert-pages.ts';
import { changeAlertList } from './change-alert-list.ts';

/** How long a list must be left alone before it is counted, in milliseconds. */
const QUIET_MS = 400;

type Timer = ReturnType<typeof setTimeout>;
type Waiting = Map<AlertListPath, Timer>;

const timers = new WeakMap<QueryClient, Waiting>();

/**
 * Asks the server how long a list is, once no further request for this has come for a moment. Needed when something
 * happened to an alert beyond the loaded pages: whether that alert was in the list cannot be told from here.
 */
export function recountAlertList(client: QueryClient, path: AlertListPath): void {
  const waiting: Waiting = timers.get(client) ?? new Map<AlertListPath, Timer>();
  timers.set(client, waiting);
  clearTimeout(waiting.get(path));
  const timer = setTimeout(() => void recount(client, path, waiting, timer), QUIET_MS);
  waiting.set(path, timer);
}

async function recount(client: QueryClient, path: AlertListPath, waiting: Waiting, timer: Timer): Promise<void> {
  const before = client.getQueryState([path])?.dataUpdateCount;
  const answer = await apiGetPage(path, alertListSchema, { limit: 1 }).catch(() => undefined);
  if (waiting.get(path) !== timer) return;
  waiting.delete(path);
  if (!answer) {
    // The list counts itself with its next answer, which is asked for until it comes.
    await refetchAlertList(client, path);
    return;
  }
  // A change came in between: the answer may or may not know of it, so ask again.
  if (client.getQueryState([path])?.dataUpdateCount !== before) recountAlertList(client, path);
  else changeAlertList(client, path, setTotal(answer.total));
}
