import { Button } from '@blueprintjs/core';
import type { HistoryEntry } from '#backend/contract/history-entry.ts';
import { inertLine } from '#renderer/lib/inert-text.ts';
import { formatExactTime, formatHistoryTime } from '#renderer/lib/times.ts';
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx';
import { actionWords, changeOf } from './history-words.ts';

interface HistoryListProps {
  entries: readonly HistoryEntry[];
  error: Error | null;
  onRetry: () => void;
}

/** The entries, newest first, or why there are none. */
export function HistoryList({ entries, error, onRetry }: HistoryListProps) {
  if (error) {
    return (
      <div className="ad-history-state" role="alert">
        <p>The history could not be loaded. {error.message}</p>
        <Button text="Try again" onClick={onRetry} />
      </div>
    );
  }
  if (entries.length === 0) return <p className="ad-history-state">No history available</p>;
  return (
    <ScrollRegion className="ad-history-scroll" label="History entries">
      <ol className="ad-history-list">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
    </ScrollRegion>
  );
}

function Entry({ entry }: { entry: HistoryEntry }) {
  const change = changeOf(entry);
  const time = new Date(entry.createdAt);
  return (
    <li className="ad-history-entry">
      <div className="ad-history-head">
        <span className="ad-history-action">{actionWords(entry.action)}</span>
        <time className="ad-history-date" dateTime={entry.createdAt} title={formatExactTime(time)}>
          {formatHistoryTime(time)}
        </time>
      </div>
      {change && (
        <p className="ad-history-change">
          <bdi>{change.from}</bdi> → <bdi>{change.to}</bdi>
        </p>
      )}
      <p className="ad-history-who">
        By <bdi>{inertLine(entry.userDisplayName)}</bdi>
      </p>
    </li>
  );
}
