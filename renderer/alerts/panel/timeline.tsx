import { HistoryItem, useHistory } from '#renderer/alerts/dialogs/history-dialog.tsx';
import { PartFailed } from './part-failed.tsx';

/** What happened to the alert, newest first. */
export function Timeline({ alertId }: { alertId: string }) {
  const { data, error, refetch } = useHistory(alertId);
  return (
    <section className="ad-panel-section ad-timeline" aria-label="History">
      <h3 className="ad-panel-subtitle">History</h3>
      {data ? (
        <ol className="ad-timeline-list">
          {data.map((entry) => (
            <HistoryItem key={entry.id} entry={entry} />
          ))}
        </ol>
      ) : error ? (
        <PartFailed text={`The history could not be loaded. ${error.message}`} onRetry={() => void refetch()} />
      ) : (
        <output className="ad-panel-empty">Loading history...</output>
      )}
    </section>
  );
}
