import { Button } from '@blueprintjs/core';
import { queryOptions, useQuery } from '@tanstack/react-query';
import type { Alert } from '#backend/contract/alert.ts';
import { type HistoryEntry, historySchema } from '#backend/contract/history-entry.ts';
import { AlertSubject } from '#renderer/alerts/card/card-parts.tsx';
import { alertKey } from '#renderer/alerts/data/alert-details.ts';
import { apiGetAll } from '#renderer/lib/api-client.ts';
import { inertText } from '#renderer/lib/inert-text.ts';
import { formatExactTime, formatHistoryTime } from '#renderer/lib/times.ts';
import { DescribedDialog } from '#renderer/ui/described-dialog.tsx';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import type { DialogPresence } from '#renderer/ui/use-dialog.ts';
import { actionLabel, authorOf, changeOf, detailOf } from './history-labels.ts';
import * as common from '#renderer/lib/texts.ts';
import * as texts from './texts.tsx';
import * as styles from './history-dialog.module.css';

interface HistoryDialogProps {
  alert: Alert;
  presence: DialogPresence;
}

/** The history of an alert. Fetched each time it opens. */
export function HistoryDialog({ alert, presence }: HistoryDialogProps) {
  const { data, error, isFetching, isFetchedAfterMount, refetch } = useHistory(alert.id);
  return (
    <DescribedDialog {...presence} className={styles.history} title={texts.alertHistory} subtitle={texts.historyHint}>
      <AlertSubject alert={alert} />
      {/* What happens while it is open is read again, and the entries stay meanwhile. */}
      {!isFetchedAfterMount || (error !== null && isFetching) ? (
        <output className={styles.state}>{texts.loadingHistory}</output>
      ) : (
        <HistoryList entries={data ?? []} error={error} onRetry={() => void refetch()} />
      )}
    </DescribedDialog>
  );
}

interface HistoryListProps {
  entries: readonly HistoryEntry[];
  error: Error | null;
  onRetry: () => void;
}

/** The entries, newest first, or why there are none. */
function HistoryList({ entries, error, onRetry }: HistoryListProps) {
  if (error) {
    return (
      <div className={styles.state} role="alert">
        <p>{texts.historyNotLoaded(error.message)}</p>
        <Button text={common.tryAgain} onClick={onRetry} />
      </div>
    );
  }
  if (entries.length === 0) return <p className={styles.state}>{texts.noHistoryAvailable}</p>;
  return (
    <ScrollRegion className={styles.scroll} label={texts.historyEntries}>
      <ol>
        {entries.map((entry) => (
          <HistoryItem key={entry.id} entry={entry} />
        ))}
      </ol>
    </ScrollRegion>
  );
}

/** Something that happened to the alert, as an item of a list. */
export function HistoryItem({ entry }: { entry: HistoryEntry }) {
  const change = changeOf(entry);
  const detail = detailOf(entry);
  const time = new Date(entry.createdAt);
  return (
    <li className={styles.entry}>
      <div className={styles.head}>
        <span className={styles.action}>{actionLabel(entry)}</span>
        <time className={styles.date} dateTime={entry.createdAt} title={formatExactTime(time)}>
          {formatHistoryTime(time)}
        </time>
      </div>
      {change && (
        <p className={styles.change}>
          <bdi>{change.from}</bdi> → <bdi>{change.to}</bdi>
        </p>
      )}
      {detail && <p className={styles.change}>{detail}</p>}
      {entry.note !== undefined && <p className={styles.note}>{inertText(entry.note)}</p>}
      <p className={styles.who}>{texts.byPerson(<bdi>{authorOf(entry)}</bdi>)}</p>
    </li>
  );
}

/** `GET /api/alerts/{id}/history`, newest first. Throws an ApiError. */
const getHistory = (id: string, signal?: AbortSignal): Promise<HistoryEntry[]> =>
  apiGetAll(`/api/alerts/${encodeURIComponent(id)}/history`, historySchema, signal ? { signal } : {});

/** An alert's history: always fetched again when the dialog opens, and while the alert is open when something happens. */
const historyQuery = (id: string) =>
  queryOptions({
    queryKey: [...alertKey(id), 'history'] as const,
    queryFn: ({ signal }) => getHistory(id, signal),
    refetchOnMount: 'always',
    gcTime: 0,
  });

/** What happened to the alert. */
export const useHistory = (id: string) => useQuery(historyQuery(id));
