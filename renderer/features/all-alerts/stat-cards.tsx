import { Classes } from '@blueprintjs/core';
import { useQuery } from '@tanstack/react-query';
import type { AlertStats } from '#backend/contract/alert.ts';
import { statsQuery } from '#renderer/lib/alerts/get-stats.ts';
import { countText } from '#renderer/lib/badge-text.ts';
import { STATUS_WORDS } from '#renderer/lib/alerts/status-words.ts';

const STATS: readonly { key: keyof AlertStats; label: string }[] = [
  { key: 'total', label: 'Total' },
  { key: 'pending', label: STATUS_WORDS.pending },
  { key: 'accepted', label: STATUS_WORDS.accepted },
  { key: 'in-progress', label: STATUS_WORDS['in-progress'] },
  { key: 'completed', label: STATUS_WORDS.completed },
];

/** The number of alerts in all, and of each status. */
export function StatCards() {
  const { data: stats, isError } = useQuery(statsQuery);
  return (
    <dl className="ad-stats" aria-label="Alerts by status">
      {STATS.map(({ key, label }) => (
        <div key={key} className="ad-stat">
          <dt className={`ad-stat-label ad-stat-label--${key}`}>{label}</dt>
          <dd className="ad-stat-number">
            {stats ? (
              countText(stats[key])
            ) : isError ? (
              <span title="Could not be loaded">–</span>
            ) : (
              <span className={Classes.SKELETON}>0,000</span>
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
